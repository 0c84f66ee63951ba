//go:build torch

package torch

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
	"ctxnorm/contrastive"
	"ctxnorm/contrastive/torch/berttest"
	"ctxnorm/tokenizer"
)

func TestSynonymOf(t *testing.T) {
	a := newSynonymAugmenter([]ctxnorm.Exemplar{
		ctxnorm.NameExemplar("Breast Cancer", "A"), ctxnorm.NameExemplar("breast tumor", "A", "B"), ctxnorm.NameExemplar("fever", "C"),
	})
	for _, tc := range []struct {
		concept ctxnorm.ConceptID
		normal  string
		number  uint64
		want    string
	}{
		{"A", "breast cancer", 0, "breast tumor"},
		{"A", "breast cancer", 7, "breast tumor"}, // the only other name
		{"A", "mastitis", 0, "Breast Cancer"},
		{"A", "mastitis", 3, "breast tumor"},
		{"B", "fever", 1, "breast tumor"},
		{"C", "fever", 0, ""},
		{"D", "fever", 0, ""},
	} {
		got, ok := a.synonymOf(tc.concept, tc.normal, tc.number)
		if got != tc.want || ok != (tc.want != "") {
			t.Errorf("synonym of %s beside %q: got %q, %v, want %q", tc.concept, tc.normal, got, ok, tc.want)
		}
	}
}

// TestBatchWithSynonyms: the second context of each pair has a synonym in place of its
// mention, and its input that is kept for other steps has not.
func TestBatchWithSynonyms(t *testing.T) {
	var contexts, names []ctxnorm.Exemplar
	texts := map[string]ctxnorm.ConceptID{"cough of breast cancer": "A", "fever and breast cancer": "A", "cough with renal failure": "B", "a renal failure": "B"}
	for _, text := range slices.Sorted(maps.Keys(texts)) {
		start := len(text) - 13 // of both names
		m := ctxnorm.Mention{Span: ctxnorm.Span{Start: start, End: len(text)}, Name: text[start:], Concepts: []ctxnorm.ConceptID{texts[text]}}
		if texts[text] == "B" {
			m.Start = strings.Index(text, "renal")
			m.Name = "renal failure"
		}
		doc := &ctxnorm.Document{ID: text, Text: text, Mentions: []ctxnorm.Mention{m}}
		contexts = append(contexts, ctxnorm.Exemplar{Query: ctxnorm.Query{Document: doc, Mention: m, Sentence: ctxnorm.Span{End: len(text)}}})
	}
	names = append(names, ctxnorm.NameExemplar("breast cancer", "A"), ctxnorm.NameExemplar("breast tumor", "A"), ctxnorm.NameExemplar("renal failure", "B"))
	config := contrastive.DefaultConfig()
	config.NameShare, config.Pairs, config.RewordMention = 0, 2, 1
	tok, err := tokenizer.Open(berttest.Tiny())
	if err != nil {
		t.Fatal(err)
	}
	defer tok.Close()
	data, err := newDataset(contexts, config)
	if err != nil {
		t.Fatal(err)
	}
	d := &dataLoader{config: config, settings: SettingsOf(config), tokenizer: tok, contexts: data, synonyms: newSynonymAugmenter(names)}
	for range 2 { // the second time from kept inputs
		b, err := d.batch(0)
		if err != nil {
			t.Fatal(err)
		}
		for i, item := range data.sampler.Batch(0) {
			query := contexts[item.Item].Query
			if i%2 == 1 && item.Concept == "A" { // B has no other name
				query = query.Reword("breast tumor")
			}
			want, err := d.encode(&query)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.IDs, b.inputs[b.spans[i].Row].IDs); diff != "" {
				t.Errorf("row %d (-want +got):\n%s", i, diff)
			}
		}
	}
}

// TestBatch: two mentions of one sentence are two spans of one row. A marked mention that
// was not sampled is a span if its concept is known, and none otherwise.
func TestBatch(t *testing.T) {
	const text = "breast cancer with renal failure and fever"
	at := func(start, end int, concepts ...ctxnorm.ConceptID) ctxnorm.Mention {
		return ctxnorm.Mention{Span: ctxnorm.Span{Start: start, End: end}, Concepts: concepts}
	}
	doc := &ctxnorm.Document{ID: "1", Text: text, Mentions: []ctxnorm.Mention{
		at(0, 13, "A"), at(19, 32, "B", "C"), at(37, 42),
	}}
	second := &ctxnorm.Document{ID: "2", Text: "fever of a breast tumor", Mentions: []ctxnorm.Mention{at(0, 5, "B"), at(11, 23, "A")}}
	exemplar := func(d *ctxnorm.Document, i int) ctxnorm.Exemplar {
		return ctxnorm.Exemplar{Query: ctxnorm.Query{Document: d, Mention: d.Mentions[i], Sentence: ctxnorm.Span{End: len(d.Text)}}}
	}
	config := contrastive.DefaultConfig()
	config.NameShare, config.Pairs = 0, 2
	tok, err := tokenizer.Open(berttest.Tiny())
	if err != nil {
		t.Fatal(err)
	}
	defer tok.Close()
	for _, markAll := range []bool{true, false} {
		config.MarkAll = markAll
		exemplars := []ctxnorm.Exemplar{exemplar(doc, 0), exemplar(second, 1), exemplar(second, 0), exemplar(doc, 1)}
		contexts, err := newDataset(exemplars, config)
		if err != nil {
			t.Fatal(err)
		}
		d := &dataLoader{config: config, settings: SettingsOf(config), tokenizer: tok, contexts: contexts}
		b, err := d.batch(0)
		if err != nil {
			t.Fatal(err)
		}
		// Concepts A and B have two exemplars each, and all are sampled. With all mentions
		// marked they are four spans of two sentences; with one mention marked, each has
		// a sentence of its own.
		wantRows := 4
		if markAll {
			wantRows = 2
		}
		if len(b.inputs) != wantRows || len(b.spans) != 4 {
			t.Fatalf("mark all %v: %d rows and %d spans, want %d and 4", markAll, len(b.inputs), len(b.spans), wantRows)
		}
		count := map[ctxnorm.ConceptID]int{}
		for i, span := range b.spans {
			count[b.labels[i].Concept]++
			ids := b.inputs[span.Row].IDs
			if ids[span.Tokens.Start] != int32(tok.Size())-2 || ids[span.Tokens.End-1] != int32(tok.Size())-1 {
				t.Errorf("span %d does not start and end with the markers", i)
			}
		}
		if diff := cmp.Diff(map[ctxnorm.ConceptID]int{"A": 2, "B": 2}, count); diff != "" {
			t.Errorf("mark all %v (-want +got):\n%s", markAll, diff)
		}
	}

	// Four sentences of which only the first mention is sampled: the second mention is a
	// span of its own, and the third, whose concept is unknown, is none.
	var exemplars []ctxnorm.Exemplar
	for i, id := range []ctxnorm.ConceptID{"A", "A", "B", "B"} {
		d := &ctxnorm.Document{ID: string(rune('a' + i)), Text: "cough " + text, Mentions: []ctxnorm.Mention{
			at(6, 19, id), at(25, 38, "X", "Y"), at(43, 48),
		}}
		exemplars = append(exemplars, exemplar(d, 0))
		d.Text = string(rune('a'+i)) + "ough " + text
	}
	config.MarkAll = true
	contexts, err := newDataset(exemplars, config)
	if err != nil {
		t.Fatal(err)
	}
	d := &dataLoader{config: config, settings: SettingsOf(config), tokenizer: tok, contexts: contexts}
	b, err := d.batch(0)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.inputs) != 4 || len(b.spans) != 8 {
		t.Fatalf("%d rows and %d spans, want 4 and 8", len(b.inputs), len(b.spans))
	}
	want := contrastive.Label{Concepts: []ctxnorm.ConceptID{"X", "Y"}}
	for i := 4; i < 8; i++ {
		if diff := cmp.Diff(want, b.labels[i]); diff != "" {
			t.Errorf("span %d (-want +got):\n%s", i, diff)
		}
	}
}
