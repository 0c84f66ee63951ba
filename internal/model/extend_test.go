package model_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/papers"
	"github.com/ctxnorm/ctxnorm/text"
)

// A model that is extended answers like a model built with the same names and contexts, even next to an HNSW graph,
// which is exact for so few rows.
func TestExtendedLikeBuilt(t *testing.T) {
	for _, kind := range []knnindex.Kind{knnindex.KindFlat, knnindex.KindHNSW} {
		t.Run(string(kind), func(t *testing.T) { testExtended(t, kind) })
	}
}

func testExtended(t *testing.T, kind knnindex.Kind) {
	encoder := fixtures.GutEncoder()
	added := fixtures.Query(t, "children with <aspirin ulcer> and wheat")
	context := text.Exemplar{Query: added}
	context.Mention.Concepts, context.Mention.Name = []kb.ConceptID{"G15"}, "aspirin ulcer"
	context.Mentions[0] = context.Mention
	concepts := []kb.Concept{{ID: "G15", Name: "aspirin ulcer", Parents: []kb.ConceptID{"G0"}}, {ID: "G4", Synonyms: []string{"Coeliac disease", "wheat ulcer"}}}

	small := modeltest.Open(t, modeltest.Build(t, encoder, func(o *model.BuildOptions) {
		modeltest.Ulcer(o)
		o.Index = kind
	}), encoder)
	extended := must.Get(small.Extend(t.Context(), model.Additions{Concepts: concepts, Contexts: []text.Exemplar{context}}))
	built := modeltest.Open(t, modeltest.Build(t, encoder, func(o *model.BuildOptions) {
		modeltest.Ulcer(o)
		all := slices.Clone(concepts)
		for i := range o.Dictionary.Len() {
			all = append(all, *o.Dictionary.At(i))
		}
		o.Dictionary, o.Contexts = kb.NewDictionary(all), append(o.Contexts, context)
	}), encoder)

	queries := []text.Query{
		fixtures.Query(t, "an <aspirin ulcer> of wheat"), fixtures.Query(t, "<coeliac disease> in children"),
		fixtures.Query(t, "a <wheat ulcer>"), fixtures.Query(t, "<gastric ulcer> after aspirin"),
	}
	answers := func(m *model.Model) []link.Ranking {
		weighted, _ := papers.MethodOf("weighted")
		voter := must.Get(weighted.New(link.Source{Model: m}, link.MethodOptions{}))
		return must.Get(voter.Link(t.Context(), queries, 5))
	}
	got, want := answers(extended), answers(built)
	must.EqualBy(t, cmp.Comparer(func(a, b float64) bool { return a-b < 1e-6 && b-a < 1e-6 }), got, want,
		"built and extended")
	if len(got[0].Candidates) == 0 || got[0].Candidates[0].Concept != "G15" {
		t.Errorf("linked to %+v, want the concept that was added", got[0])
	}
}

// Data that an addition does not change is not derived again, because that takes seconds for a large dictionary.
func TestExtendedSharesSenses(t *testing.T) {
	m := modeltest.Open(t, modeltest.Build(t, nil, modeltest.Ulcer), nil)
	context := text.Exemplar{Query: fixtures.Query(t, "an <aspirin ulcer> of wheat")}
	extend := func(a model.Additions) *model.Model {
		return must.Get(m.Extend(t.Context(), a))
	}
	profiles := must.Get(m.Profiles())
	withContext := extend(model.Additions{Contexts: []text.Exemplar{context}})
	if got := must.Get(withContext.Profiles()); withContext.Inventory() != m.Inventory() || got == nil || got == profiles {
		t.Error("a context changes the senses of names, or no profile")
	}
	withName := extend(model.Additions{Concepts: []kb.Concept{{ID: "G4", Synonyms: []string{"wheat ulcer"}}}})
	if withName.Inventory() == m.Inventory() || must.Get(withName.Profiles()) != profiles {
		t.Error("a name changes the profiles of contexts, or no sense")
	}
}
