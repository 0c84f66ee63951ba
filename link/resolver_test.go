package link

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
	"ctxnorm/internal/linktest"
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

func TestSplitComposite(t *testing.T) {
	names := newDictionaryIndexes(organDictionary())
	for _, test := range []struct {
		surface string
		want    []string
	}{
		{"breast and ovarian cancer", []string{"breast cancer", "ovarian cancer"}},
		{"hereditary breast/ovarian cancer", []string{"hereditary breast cancer", "ovarian cancer"}},
		{"head and neck cancers", nil}, // a name in the plural
		{"hand, foot, and mouth disease", nil},
		{"renal failure", nil},
		{"qqq and www", nil}, // no name is similar to the whole or its sub-mentions
		{"", nil},
	} {
		got, err := splitComposite(names, test.surface)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.surface, diff)
		}
	}
}

func TestResolverLinksSubMentions(t *testing.T) {
	dict := organDictionary()
	lexical, err := NewLexical(dict, matcher.DefaultLexical())
	if err != nil {
		t.Fatal(err)
	}
	names := newDictionaryIndexes(dict)
	resolver := newResolver(lexical, names, nil, PartAbbreviations|PartComposites)
	queries := []ctxnorm.Query{
		linktest.Query(t, "renal failure (RF) and <RF> again"),
		linktest.Query(t, "a case of <breast and ovarian cancer> here"),
		linktest.Query(t, "<head and neck cancer>"),
	}
	answers, err := resolver.Answer(t.Context(), queries, 2)
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
		for _, sub := range a.Parts {
			s.Parts = append(s.Parts, sub.Text+"="+string(sub.Candidates[0].Concept))
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
	// The first candidates of both come before any second one.
	if diff := cmp.Diff([]ctxnorm.ConceptID{"B", "O"}, conceptIDs(answers[1].Candidates)); diff != "" {
		t.Errorf("candidates of the whole (-want +got):\n%s", diff)
	}
	// Without components mentions stay as they are.
	plain, err := newResolver(lexical, names, nil, 0).Answer(t.Context(), queries, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i := range plain {
		if plain[i].ReadAs != queries[i].Surface() || plain[i].Parts != nil {
			t.Errorf("%q is resolved to %q with sub-mentions %v", queries[i].Surface(), plain[i].ReadAs, plain[i].Parts)
		}
	}
}

// A sub-mention is linked in the sentence of the whole mention.
func TestSubMentionsKeepTheirSentence(t *testing.T) {
	linker := &recorder{}
	resolver := newResolver(linker, newDictionaryIndexes(organDictionary()), nil, PartComposites)
	if _, err := resolver.Link(t.Context(), []ctxnorm.Query{linktest.Query(t, "Before. A case of <breast and ovarian cancer> here.")}, 1); err != nil {
		t.Fatal(err)
	}
	want := []string{"A case of breast cancer here.", "A case of ovarian cancer here."}
	if diff := cmp.Diff(want, linker.sentences); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// recorder returns no candidates and records the sentences of its queries.
type recorder struct{ sentences []string }

func (*recorder) Name() string { return "recorder" }

func (r *recorder) Link(_ context.Context, queries []ctxnorm.Query, _ int) ([][]ctxnorm.Candidate, error) {
	for i := range queries {
		r.sentences = append(r.sentences, queries[i].Sentence.Of(queries[i].Text))
	}
	return make([][]ctxnorm.Candidate, len(queries)), nil
}

func TestInterleave(t *testing.T) {
	subMentions := []Part{
		{Text: "one", Candidates: []ctxnorm.Candidate{
			{Concept: "A", Score: 7, Probability: .5}, {Concept: "B", Score: 6, Probability: .3}, {Concept: "C", Score: 5, Probability: .2},
		}},
		{Text: "two", Candidates: []ctxnorm.Candidate{
			{Concept: "D", Score: 2, Probability: .9}, {Concept: "A", Score: 1, Probability: .1},
		}},
		{Text: "three"}, // NIL
	}
	// A .5 - 0, B .3 - 1, C .2 - 2; D .9 - 0, and A's .1 - 1 is less than its .5 - 0.
	want := []ctxnorm.Candidate{
		{Concept: "D", Score: .9, Probability: .9}, {Concept: "A", Score: .5, Probability: .5},
		{Concept: "B", Score: -.7, Probability: .3}, {Concept: "C", Score: -1.8, Probability: .2},
	}
	for k := range 6 {
		if diff := cmp.Diff(want[:min(k, 4)], interleave(subMentions, k)); diff != "" {
			t.Errorf("first %d (-want +got):\n%s", k, diff)
		}
	}
	slices.Reverse(subMentions)
	if diff := cmp.Diff(want, interleave(subMentions, 4)); diff != "" {
		t.Errorf("in another order (-want +got):\n%s", diff)
	}
	// Scores count if there are no probabilities.
	cosines := []Part{
		{Candidates: []ctxnorm.Candidate{{Concept: "A", Score: .4}}},
		{Candidates: []ctxnorm.Candidate{{Concept: "B", Score: .8}}},
	}
	if diff := cmp.Diff([]ctxnorm.ConceptID{"B", "A"}, conceptIDs(interleave(cosines, 2))); diff != "" {
		t.Errorf("cosines (-want +got):\n%s", diff)
	}
}

func TestRecordHasSubMentions(t *testing.T) {
	doc := &ctxnorm.Document{ID: "1", Text: "é RF", Mentions: []ctxnorm.Mention{{Span: ctxnorm.Span{Start: 3, End: 5}}}}
	candidate := ctxnorm.Candidate{Concept: "R", Score: 1, Probability: .5}
	results := []Answer{{
		ReadAs: "renal failure", Candidates: []ctxnorm.Candidate{candidate},
		Parts: []Part{{"renal", []ctxnorm.Candidate{candidate}}, {"failure", nil}},
	}}
	record := CandidateRecord{ID: "R", Name: "renal failure", Score: 1, Probability: .5}
	want := []LinkedRecord{{
		Start: 2, End: 4, Text: "RF", ReadAs: "renal failure", Candidates: []CandidateRecord{record},
		Parts: []PartRecord{{"renal", []CandidateRecord{record}}, {"failure", []CandidateRecord{}}},
	}}
	if diff := cmp.Diff(want, NewRecord(doc, results, organDictionary()).Mentions); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
