package linked_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// This document has every kind of mention: composite, ambiguous, NIL, with evidence. Its ä has two bytes.
func exampleDocument() *linked.Document {
	start := 7
	candidate := linked.Candidate{
		Concept: "D1", Name: "ulcer", MatchedName: "gastric ulcer", Score: .123456, Probability: 1e-9, Votes: 2,
		Evidence: []linked.Evidence{{PMID: "5", Text: "ä ulcer", Span: text.Span{Start: 3, End: 8}, Similarity: .5}},
	}
	return &linked.Document{ID: "1", Text: "ä RF & ulcer", Mentions: []linked.Mention{
		{
			Span: text.Span{Start: 3, End: 5}, Text: "RF", ResolvedText: "renal failure", SourceStart: &start, SourceEnd: &start,
			Source: linked.SourceRecognized, RecognitionScore: .654321, Assertion: linked.Assertion{Negated: true},
			Readings: []linked.Reading{{Text: "renal failure", Probability: .75}, {Text: "radio frequency", Probability: .25}},
		},
		{Span: text.Span{Start: 8, End: 13}, Text: "ulcer", Type: "Disease", IDs: []kb.ConceptID{"OLD"}, Composite: true,
			Candidates:  []linked.Candidate{candidate},
			SubMentions: []linked.SubMention{{Text: "ulcer", Candidates: []linked.Candidate{candidate}}, {Text: "NIL", Broader: &linked.Broader{Concept: "D0", Name: "disease", Probability: .123456}}}},
	}}
}

func TestMarshal(t *testing.T) {
	const candidate = `{"id":"D1","name":"ulcer","matched_name":"gastric ulcer","score":0.12346,"probability":0,"votes":2,` +
		`"evidence":[{"pmid":"5","text":"ä ulcer","start":2,"end":7,"similarity":0.5}]}`
	want := `{"id":"1","text":"ä RF & ulcer","mentions":[` +
		`{"start":2,"end":4,"text":"RF","source":"recognized","recognition_score":0.65432,"source_start":7,"source_end":7,"negated":true,"resolved_text":"renal failure",` +
		`"readings":[{"text":"renal failure","probability":0.75},{"text":"radio frequency","probability":0.25}],"candidates":[]},` +
		`{"start":7,"end":12,"text":"ulcer","type":"Disease","ids":["OLD"],"composite":true,"candidates":[` + candidate + `],` +
		`"sub_mentions":[{"text":"ulcer","candidates":[` + candidate + `]},{"text":"NIL","candidates":[],"broader":{"id":"D0","name":"disease","probability":0.12346}}]}]}`
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	must.Succeed(t, encoder.Encode(exampleDocument()))
	if diff := cmp.Diff(want+"\n", b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestUnmarshal checks that documents are read as they were written, up to rounding.
func TestUnmarshal(t *testing.T) {
	data := must.Get(json.Marshal(exampleDocument()))
	var read linked.Document
	must.Succeed(t, json.Unmarshal(data, &read))
	want := exampleDocument()
	want.Mentions[0].Candidates, want.Mentions[0].RecognitionScore = []linked.Candidate{}, .65432
	for _, candidates := range [][]linked.Candidate{want.Mentions[1].Candidates, want.Mentions[1].SubMentions[0].Candidates} {
		candidates[0].Score, candidates[0].Probability = .12346, math.SmallestNonzeroFloat64
	}
	want.Mentions[1].SubMentions[1].Candidates = []linked.Candidate{}
	want.Mentions[1].SubMentions[1].Broader.Probability = .12346
	if diff := cmp.Diff(want, &read); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
	if again, err := json.Marshal(&read); err != nil || string(again) != string(data) {
		t.Errorf("written again: %v\n%s\nwant\n%s", err, again, data)
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	for document, want := range map[string]string{
		`{"text":"ä","mentions":[{"start":0,"end":2}]}`:                                                             "mention 1: want a range within the 1 characters of the text, got offsets 0 to 2",
		`{"text":"abc","mentions":[{"start":0,"end":1},{"start":2,"end":1}]}`:                                       "mention 2: want a range within the 3 characters of the text, got offsets 2 to 1",
		`{"text":"a","mentions":[{"start":-1,"end":1}]}`:                                                            "mention 1: want a range within the 1 characters of the text, got offsets -1 to 1",
		`{"text":"a","mentions":[{"start":0,"end":1,"candidates":[{"evidence":[{"text":"","start":0,"end":1}]}]}]}`: "want a range within the 0 characters of the text, got offsets 0 to 1",
	} {
		err := json.Unmarshal([]byte(document), new(linked.Document))
		if err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", document, err, want)
		}
	}
}

func TestFragments(t *testing.T) {
	const want = `{"id":"","text":"ä B C","mentions":[{"start":0,"end":5,"fragments":[{"start":0,"end":1},{"start":4,"end":5}],"text":"ä C","candidates":[]}]}`
	d := &linked.Document{Text: "ä B C", Mentions: []linked.Mention{{
		Span: text.Span{Start: 0, End: 6}, Fragments: []text.Span{{Start: 0, End: 2}, {Start: 5, End: 6}}, Text: "ä C",
	}}}
	var read linked.Document
	written, err := json.Marshal(d)
	if err == nil {
		err = json.Unmarshal(written, &read)
	}
	if err != nil || string(written) != want {
		t.Fatalf("%v\n%s\nwant\n%s", err, written, want)
	}
	if diff := cmp.Diff(d.Mentions[0].Fragments, read.Mentions[0].Fragments); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
}

func TestUnmarshalMembers(t *testing.T) {
	var read linked.Document
	const document = `{"TEXT":"b","text":"abc","mentions":[{"start":0,"END":2,"end":1,"candidates":[{"id":"D1","ID":"D2","Score":2,"score":1}]}]}`
	must.Succeed(t, json.Unmarshal([]byte(document), &read))
	m := read.Mentions[0]
	if read.Text != "abc" || m.End != 1 || m.Candidates[0].Concept != "D1" || m.Candidates[0].Score != 1 {
		t.Errorf("read %+v", read)
	}
	for _, twice := range []string{`{"text":"a","text":"a"}`, `{"text":"a","mentions":[{"candidates":[{"id":"D1","id":"D2"}]}]}`} {
		if err := json.Unmarshal([]byte(twice), &read); err == nil || !strings.Contains(err.Error(), "want each member of an object once") {
			t.Errorf("%s: error %v", twice, err)
		}
	}
}

func TestBest(t *testing.T) {
	m := &exampleDocument().Mentions[1]
	if best := m.Best(); len(best) != 2 || best[0] != &m.SubMentions[0].Candidates[0] || best[1] != nil {
		t.Errorf("the best of a composite mention are %v, want the candidate of the first sub-mention and NIL", best)
	}
	if best := new(linked.Mention).Best(); len(best) != 1 || best[0] != nil {
		t.Errorf("the best of NIL are %v, want one nil", best)
	}
}
