package link

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// A held-out name takes its contexts and the mined synonyms of its concept with it.
func TestHeldOutNames(t *testing.T) {
	m := modeltest.Open(t, modeltest.Build(t, linktest.GutEncoder(), func(o *model.BuildOptions) {
		o.CorpusSynonyms = []mine.Synonym{
			{Concept: "G1", Text: "wheat belly", Count: 2, Origin: text.Origin{Mined: "also known as"}},
			{Concept: "G2", Text: "children belly", Count: 2, Origin: text.Origin{Mined: "also known as"}},
		}
	}), linktest.GutEncoder())
	index := must(NewNameIndex(m, map[string]bool{"gastric ulcer": true}, true))
	var names, contexts []string // that remain
	for row, ex := range exemplarsOf(t, &m.Names) {
		if !index.heldOutNameRows[int32(row)] {
			names = append(names, ex.Text)
		}
	}
	for row, ex := range exemplarsOf(t, &m.Contexts) {
		if !index.heldOutContextRows[int32(row)] {
			contexts = append(contexts, ex.Surface())
		}
	}
	if diff := cmp.Diff([]string{"coeliac disease", "gluten enteropathy", "wheat belly"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"gluten enteropathy", "coeliac disease"}, contexts); diff != "" {
		t.Errorf("contexts (-want +got):\n%s", diff)
	}
}

// TestLabeledNamesAreNotMined: a labeled mention stays a name when another name of its concept is held
// out, and without the synonyms of the corpus; its own form is held out as any other.
func TestLabeledNamesAreNotMined(t *testing.T) {
	m := modeltest.Open(t, modeltest.Build(t, linktest.GutEncoder(), func(o *model.BuildOptions) {
		o.CorpusSynonyms = []mine.Synonym{
			{Concept: "G2", Text: "children belly", Count: 2, Origin: text.Origin{Mined: "also known as"}},
			{Concept: "G2", Text: "stomach sore", Count: 1, Origin: text.Origin{Labeled: true}},
		}
	}), linktest.GutEncoder())
	for _, tc := range []struct {
		heldOut         string // of G2
		mined           bool
		labeled, corpus bool // whether they stay
	}{
		{"gastric ulcer", true, true, false},
		{"stomach sore", true, false, false},
		{"celiac", true, true, true}, // no name of the model
		{"celiac", false, true, false},
	} {
		index := must(NewNameIndex(m, map[string]bool{tc.heldOut: true}, tc.mined))
		stays := make(map[string]bool)
		for row, ex := range exemplarsOf(t, &m.Names) {
			stays[ex.Text] = !index.heldOutNameRows[int32(row)]
		}
		if stays["stomach sore"] != tc.labeled || stays["children belly"] != tc.corpus {
			t.Errorf("without %q, mined %t: labeled name %t, mined name %t, want %t and %t",
				tc.heldOut, tc.mined, stays["stomach sore"], stays["children belly"], tc.labeled, tc.corpus)
		}
	}
}

// TestHeldOutConcept compares the ranking of a model from which a concept is held out
// with that of a model built without it.
func TestHeldOutConcept(t *testing.T) {
	encoder := linktest.GutEncoder()
	m := modeltest.Open(t, modeltest.Build(t, encoder, nil), encoder)
	smaller := m.HoldOut(func(id kb.ConceptID) bool { return id == "G2" })
	built := modeltest.Open(t, modeltest.Build(t, encoder, func(o *model.BuildOptions) {
		o.Dictionary = kb.NewDictionary([]kb.Concept{*linktest.GutDictionary().At(0), {ID: "G3"}})
		o.Contexts = slices.DeleteFunc(o.Contexts, func(ex text.Exemplar) bool { return ex.Mention.Concepts[0] != "G1" })
	}), encoder)
	queries := []text.Query{linktest.Query(t, "aspirin and <gastric ulcer>"), linktest.Query(t, "<coeliac disease> and wheat")}
	var results [2][]Ranking
	for i, m := range []*model.Model{smaller, built} {
		r := must(newRanker(m, RankOptions{Evidence: true}))
		results[i] = must(r.Link(t.Context(), queries, 5))
	}
	if diff := cmp.Diff(results[1], results[0], sameBroader); diff != "" {
		t.Errorf("(-built +held out):\n%s", diff)
	}
}

// TestLabelCount: a wording that annotators gave another concept than the dictionary makes that concept a
// candidate, by the number of documents; a held-out name has no labels.
func TestLabelCount(t *testing.T) {
	m := modeltest.Open(t, modeltest.Build(t, nil, func(o *model.BuildOptions) {
		o.CorpusSynonyms = []mine.Synonym{
			{Concept: "G1", Text: "Gastric Ulcer", Count: 7, Origin: text.Origin{Labeled: true}},
			{Concept: "G2", Text: "gastric ulcer", Count: 1, Origin: text.Origin{Labeled: true}},
			{Concept: "G9", Text: "gastric ulcer", Count: 5, Origin: text.Origin{Labeled: true}}, // not in the dictionary
			{Concept: "G1", Text: "gastric ulcer", Count: 9, Origin: text.Origin{Mined: "also known as"}},
		}
	}), nil)
	for _, tc := range []struct {
		mention string
		heldOut map[string]bool
		want    map[kb.ConceptID]float64
	}{
		{"<gastric ulcer> by aspirin", nil, map[kb.ConceptID]float64{"G1": 3, "G2": 1}},
		{"<Gastric Ulcer>", nil, map[kb.ConceptID]float64{"G1": 3, "G2": 1}},
		{"<gastric ulcer>", map[string]bool{"gastric ulcer": true}, nil},
		{"<coeliac disease>", nil, nil},
	} {
		got := make(map[kb.ConceptID]float64)
		for _, c := range generate(t, m, tc.mention, tc.heldOut).Concepts {
			if count := RankingFeatures.ByName(c.Features)["label_count"]; count != 0 {
				got[m.Dictionary.At(int(c.Concept)).ID] = count
			}
		}
		if diff := cmp.Diff(tc.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s without %v (-want +got):\n%s", tc.mention, tc.heldOut, diff)
		}
	}
}
