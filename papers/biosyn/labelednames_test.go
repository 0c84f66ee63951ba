package biosyn

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/papers/sapbert"
	"github.com/ctxnorm/ctxnorm/text"
)

// TestLabeledNames: a name that annotators gave to a concept beside its own has both, with equal scores.
func TestLabeledNames(t *testing.T) {
	encoder := linktest.GutEncoder()
	m := modeltest.Open(t, modeltest.Build(t, encoder, func(o *model.BuildOptions) {
		o.CorpusSynonyms = []mine.Synonym{
			{Concept: "G1", Text: "Gastric ulcers", Origin: text.Origin{Labeled: true}, Count: 3}, // no normal form of a name
			{Concept: "G1", Text: "gastric Ulcer", Origin: text.Origin{Labeled: true}, Count: 2},
			{Concept: "G2", Text: "gastric ulcer", Origin: text.Origin{Labeled: true}, Count: 2},           // its own
			{Concept: "G2", Text: "gluten enteropathy", Origin: text.Origin{Mined: "shortened"}, Count: 9}, // not labeled
		}
	}), encoder)
	nearest, err := sapbert.NewLinker(m)
	if err != nil {
		t.Fatal(err)
	}
	hybrid, err := newLinker(m, weights{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	queries := []text.Query{linktest.Query(t, "<gastric ulcer>"), linktest.Query(t, "<gluten enteropathy>")}
	for _, linker := range []link.Linker{nearest, hybrid} {
		results, err := linker.Link(t.Context(), queries, 2)
		if err != nil {
			t.Fatal(err)
		}
		var concepts [][]kb.ConceptID
		for _, ranking := range results {
			concepts = append(concepts, []kb.ConceptID{ranking.Candidates[0].Concept, ranking.Candidates[1].Concept})
		}
		if diff := cmp.Diff([][]kb.ConceptID{{"G1", "G2"}, {"G1", "G2"}}, concepts); diff != "" {
			t.Errorf("%s (-want +got):\n%s", linker.Name(), diff)
		}
		if both := results[0].Candidates; both[0].Score != both[1].Score {
			t.Errorf("%s: gastric ulcer has the scores %g and %g, want equal ones", linker.Name(), both[0].Score, both[1].Score)
		}
		if one := results[1].Candidates; !(one[0].Score > one[1].Score) {
			t.Errorf("%s: gluten enteropathy has the scores %g and %g, want that of its concept higher", linker.Name(), one[0].Score, one[1].Score)
		}
	}
}
