package link

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
	"ctxnorm/matcher"
)

func organDictionary() *ctxnorm.Dictionary {
	return ctxnorm.NewDictionary([]ctxnorm.Concept{
		{ID: "B", Name: "breast cancer"}, {ID: "O", Name: "ovarian cancer", Synonyms: []string{"cancer of the ovary"}},
		{ID: "H", Name: "head and neck neoplasms", Synonyms: []string{"head and neck cancer"}},
		{ID: "F", Name: "hand, foot and mouth disease"}, {ID: "M", Name: "mouth disease"}, {ID: "N", Name: "neck cancer"},
		{ID: "R", Name: "renal failure"},
	})
}

func TestSplitter(t *testing.T) {
	s := newCompositeSplitter(organDictionary())
	for _, test := range []struct {
		surface string
		want    []string
	}{
		{"breast and ovarian cancer", []string{"breast cancer", "ovarian cancer"}},
		{"hereditary breast/ovarian cancer", []string{"hereditary breast cancer", "ovarian cancer"}},
		{"head and neck cancers", nil}, // a name but for its plural
		{"hand, foot, and mouth disease", nil},
		{"renal failure", nil},
		{"qqq and www", nil}, // like no name, either way
		{"", nil},
	} {
		got, err := s.split(test.surface)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.surface, diff)
		}
	}
}

func TestReadingLinksParts(t *testing.T) {
	dict := organDictionary()
	lexical, err := NewLexical(dict, matcher.DefaultLexical())
	if err != nil {
		t.Fatal(err)
	}
	reading := NewReader(dict, nil).Reading(lexical, PartAbbreviations|PartComposites)
	queries := []ctxnorm.Query{
		query(t, "renal failure (RF) and <RF> again"),
		query(t, "a case of <breast and ovarian cancer> here"),
		query(t, "<head and neck cancer>"),
	}
	answers, err := reading.Answer(t.Context(), queries, 2)
	if err != nil {
		t.Fatal(err)
	}
	type summary struct {
		ReadAs string
		First  ctxnorm.ConceptID
		Parts  []string
	}
	var got []summary
	for _, a := range answers {
		s := summary{ReadAs: a.ReadAs, First: a.Candidates[0].Concept}
		for _, part := range a.Parts {
			s.Parts = append(s.Parts, part.Text+"="+string(part.Candidates[0].Concept))
		}
		got = append(got, s)
	}
	want := []summary{
		{ReadAs: "renal failure", First: "R"},
		{ReadAs: "breast and ovarian cancer", First: "B", Parts: []string{"breast cancer=B", "ovarian cancer=O"}},
		{ReadAs: "head and neck cancer", First: "H"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Both firsts stand before any second.
	if diff := cmp.Diff([]ctxnorm.ConceptID{"B", "O"}, concepts(answers[1].Candidates)); diff != "" {
		t.Errorf("candidates of the whole (-want +got):\n%s", diff)
	}
	// Nothing is read where nothing is asked for.
	plain, err := NewReader(dict, nil).Reading(lexical, 0).Answer(t.Context(), queries, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i := range plain {
		if plain[i].ReadAs != queries[i].Surface() || plain[i].Parts != nil {
			t.Errorf("%q is read as %q in parts %v", queries[i].Surface(), plain[i].ReadAs, plain[i].Parts)
		}
	}
}

// The part that is asked about stands in the sentence of the whole.
func TestPartsKeepTheirSentence(t *testing.T) {
	asked := &recorder{}
	reading := NewReader(organDictionary(), nil).Reading(asked, PartComposites)
	if _, err := reading.Link(t.Context(), []ctxnorm.Query{query(t, "Before. A case of <breast and ovarian cancer> here.")}, 1); err != nil {
		t.Fatal(err)
	}
	want := []string{"A case of breast cancer here.", "A case of ovarian cancer here."}
	if diff := cmp.Diff(want, asked.sentences); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// recorder links nothing and keeps the sentences that it is asked about.
type recorder struct{ sentences []string }

func (*recorder) Name() string { return "recorder" }

func (r *recorder) Link(_ context.Context, queries []ctxnorm.Query, _ int) ([][]ctxnorm.Candidate, error) {
	for i := range queries {
		r.sentences = append(r.sentences, queries[i].Sentence.Of(queries[i].Text))
	}
	return make([][]ctxnorm.Candidate, len(queries)), nil
}

func TestDeal(t *testing.T) {
	parts := []Part{
		{Text: "one", Candidates: []ctxnorm.Candidate{
			{Concept: "A", Score: 7, Probability: .5}, {Concept: "B", Score: 6, Probability: .3}, {Concept: "C", Score: 5, Probability: .2},
		}},
		{Text: "two", Candidates: []ctxnorm.Candidate{
			{Concept: "D", Score: 2, Probability: .9}, {Concept: "A", Score: 1, Probability: .1},
		}},
		{Text: "three"}, // NIL
	}
	// A .5 - 0, B .3 - 1, C .2 - 2; D .9 - 0, and A's .1 - 1 is less than its .5.
	want := []ctxnorm.Candidate{
		{Concept: "D", Score: .9, Probability: .9}, {Concept: "A", Score: .5, Probability: .5},
		{Concept: "B", Score: -.7, Probability: .3}, {Concept: "C", Score: -1.8, Probability: .2},
	}
	for k := range 6 {
		if diff := cmp.Diff(want[:min(k, 4)], interleave(parts, k)); diff != "" {
			t.Errorf("first %d (-want +got):\n%s", k, diff)
		}
	}
	slices.Reverse(parts)
	if diff := cmp.Diff(want, interleave(parts, 4)); diff != "" {
		t.Errorf("in another order (-want +got):\n%s", diff)
	}
	// Cosines speak where there are no probabilities.
	cosines := []Part{
		{Candidates: []ctxnorm.Candidate{{Concept: "A", Score: .4}}},
		{Candidates: []ctxnorm.Candidate{{Concept: "B", Score: .8}}},
	}
	if diff := cmp.Diff([]ctxnorm.ConceptID{"B", "A"}, concepts(interleave(cosines, 2))); diff != "" {
		t.Errorf("cosines (-want +got):\n%s", diff)
	}
}

func TestRecordHasParts(t *testing.T) {
	doc := &ctxnorm.Document{ID: "1", Text: "é RF", Mentions: []ctxnorm.Mention{{Span: ctxnorm.Span{Start: 3, End: 5}}}}
	candidate := ctxnorm.Candidate{Concept: "R", Score: 1, Probability: .5}
	answers := []Answer{{
		ReadAs: "renal failure", Candidates: []ctxnorm.Candidate{candidate},
		Parts: []Part{{"renal", []ctxnorm.Candidate{candidate}}, {"failure", nil}},
	}}
	record := CandidateRecord{ID: "R", Name: "renal failure", Score: 1, Probability: .5}
	want := []LinkedRecord{{
		Start: 2, End: 4, Text: "RF", ReadAs: "renal failure", Candidates: []CandidateRecord{record},
		Parts: []PartRecord{{"renal", []CandidateRecord{record}}, {"failure", []CandidateRecord{}}},
	}}
	if diff := cmp.Diff(want, NewRecord(doc, answers, organDictionary()).Mentions); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
