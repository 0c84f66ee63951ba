package papers

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// vote returns the rankings of a voter.
func vote(t *testing.T, m *model.Model, weighted bool, nameShare float64, neighbors, k int, texts ...string) []link.Ranking {
	t.Helper()
	voter := must.Get(newVoter(weighted, nameShare)(link.Source{Model: m}, link.MethodOptions{Neighbors: neighbors, Evidence: true}))
	return linkTexts(t, voter, k, texts...)
}

func TestVoterCounts(t *testing.T) {
	// "sprue" is not in the vocabulary, so only "wheat" counts. Both contexts with wheat belong to G1.
	results := vote(t, gutModel(t, nil), false, 0, 2, 5, "wheat causes <sprue> here", "<ulcer> by aspirin")
	for i, want := range []kb.ConceptID{"G1", "G2"} {
		if diff := cmp.Diff([]kb.ConceptID{want}, conceptIDs(results[i])); diff != "" {
			t.Errorf("query %d (-want +got):\n%s", i, diff)
			continue
		}
		best := results[i].Candidates[0]
		if best.Votes != 2 || best.Probability != 1 || len(best.Evidence) != 2 {
			t.Errorf("query %d: %d votes, probability %g, %d exemplars, want 2, 1, 2", i, best.Votes, best.Probability, len(best.Evidence))
		}
	}
}

// TestVoterUsesNames: names of the dictionary and mined synonyms vote.
func TestVoterUsesNames(t *testing.T) {
	m := gutModel(t, func(o *model.BuildOptions) {
		o.CorpusSynonyms = []mine.Synonym{{Concept: "G2", Text: "children belly", Count: 2, Origin: text.Origin{Mined: "also known as"}}}
	})
	results := vote(t, m, true, 1, 0, 1, "aspirin and <enteropathy>", "<children>")
	for i, want := range []string{"G1 gluten enteropathy ", "G2 children belly also known as"} {
		best := results[i].Candidates[0]
		evidence := best.Evidence[0]
		if got := fmt.Sprint(best.Concept, " ", evidence.Text, " ", evidence.Source); got != want || evidence.PMID != "" {
			t.Errorf("the first is %q of %q, want %q", got, evidence.PMID, want)
		}
	}
}

// TestVotesAdd: names and contexts vote separately, and their shares are added.
func TestVotesAdd(t *testing.T) {
	name, context := []knnindex.Hit{{Row: 1, Similarity: .8}}, []knnindex.Hit{{Row: 2, Similarity: .9}}
	var b ballot
	b.add("A", .5*.75, .5*.75, nil, name)
	b.add("B", .5*.25, .5*.25, nil, nil)
	b.add("C", .5*.5, .5*.5, nil, nil)
	b.add("A", .5*.25, .5*.25, nil, context)
	want := []linked.Candidate{
		{Concept: "A", Score: .5, Probability: .5, Votes: 2}, {Concept: "B", Score: .125, Probability: .125},
		{Concept: "C", Score: .25, Probability: .25},
	}
	if diff := cmp.Diff(want, b.candidates); diff != "" || len(b.hits[0]) != 2 {
		t.Errorf("%d hits; (-want +got):\n%s", len(b.hits[0]), diff)
	}
}

func TestEvidenceChangesNothingElse(t *testing.T) {
	m := gutModel(t, nil)
	texts := []string{"wheat causes <sprue> here", "<ulcer> by aspirin", "<coeliac disease>", "<>"}
	for _, name := range MethodNames(func(m link.Method) bool { return m.Evidence }) {
		results := [2][]link.Ranking{
			linkTexts(t, linkerOf(t, m, name, false), 3, texts...), linkTexts(t, linkerOf(t, m, name, true), 3, texts...),
		}
		votes := 0
		for i := range texts {
			for j, c := range results[0][i].Candidates {
				if c.Evidence != nil {
					t.Errorf("%s, query %d: %s has evidence without the option", name, i, c.Concept)
				}
				must.Equal(t, len(results[1][i].Candidates[j].Evidence), c.Votes, name, "query", i, c.Concept,
					"has votes and exemplars")
				votes += c.Votes
			}
		}
		if votes == 0 {
			t.Errorf("%s: no candidate has evidence", name)
		}
		ranking := cmp.Options{cmpopts.IgnoreFields(link.Ranking{}, "Broader"), cmpopts.IgnoreFields(linked.Candidate{}, "Evidence")}
		must.EqualBy(t, ranking, results[1], results[0], name, "without and with evidence")
	}
}
