package papers

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

func TestVoterCounts(t *testing.T) {
	encoder := linktest.GutEncoder()
	m := modeltest.Open(t, modeltest.Build(t, encoder, nil), encoder)
	paper := paperVote()
	paper.K = 2
	voter, err := newVoter(m, paper, true)
	if err != nil {
		t.Fatal(err)
	}
	// "sprue" is not in the vocabulary, so only "wheat" counts. Both contexts with wheat are
	// of G1.
	results, err := voter.Link(t.Context(), []text.Query{linktest.Query(t, "wheat causes <sprue> here"), linktest.Query(t, "<ulcer> by aspirin")}, 5)
	if err != nil {
		t.Fatal(err)
	}
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

func TestVoterUsesNames(t *testing.T) {
	encoder := linktest.GutEncoder()
	m := modeltest.Open(t, modeltest.Build(t, encoder, nil), encoder)
	options := DefaultVote()
	options.NameVoteShare = 1
	voter, err := newVoter(m, options, true)
	if err != nil {
		t.Fatal(err)
	}
	results, err := voter.Link(t.Context(), []text.Query{linktest.Query(t, "aspirin and <enteropathy>")}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]kb.ConceptID{"G1"}, conceptIDs(results[0])); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if ex := results[0].Candidates[0].Evidence[0]; ex.PMID != "" || ex.Text != "gluten enteropathy" {
		t.Errorf("evidence is %q, want the name gluten enteropathy", ex.Text)
	}
}

func TestVoterUsesMinedSynonyms(t *testing.T) {
	encoder := linktest.GutEncoder()
	m := modeltest.Open(t, modeltest.Build(t, encoder, func(o *model.BuildOptions) {
		o.CorpusSynonyms = []mine.Synonym{{Concept: "G2", Text: "children belly", Count: 2, Origin: text.Origin{Mined: "also known as"}}}
	}), encoder)
	options := DefaultVote()
	options.NameVoteShare = 1
	voter, err := newVoter(m, options, true)
	if err != nil {
		t.Fatal(err)
	}
	results, err := voter.Link(t.Context(), []text.Query{linktest.Query(t, "<children>")}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]kb.ConceptID{"G2"}, conceptIDs(results[0])); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	if source := results[0].Candidates[0].Evidence[0].Source; source != "also known as" {
		t.Errorf("the source of the evidence is %q, want also known as", source)
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
	encoder := linktest.GutEncoder()
	m := modeltest.Open(t, modeltest.Build(t, encoder, nil), encoder)
	queries := []text.Query{
		linktest.Query(t, "wheat causes <sprue> here"), linktest.Query(t, "<ulcer> by aspirin"), linktest.Query(t, "<coeliac disease>"), linktest.Query(t, "<>"),
	}
	src := link.Source{Model: m, Names: func() (*link.NameIndex, error) { return link.NewNameIndex(m, nil, true) }}
	for _, name := range MethodNames(func(m link.Method) bool { return m.Evidence }) {
		method, _ := MethodOf(name)
		var results [2][]link.Ranking // without, with
		for i := range results {
			o := link.MethodOptions{Evidence: i == 1}
			if method.Vote != nil {
				o.Vote = *method.Vote
			}
			linker, err := method.New(src, o)
			if err != nil {
				t.Fatal(err)
			}
			if results[i], err = linker.Link(t.Context(), queries, 3); err != nil {
				t.Fatal(err)
			}
		}
		votes := 0
		for i := range queries {
			for j, c := range results[0][i].Candidates {
				if c.Evidence != nil {
					t.Errorf("%s, query %d: %s has evidence without the option", name, i, c.Concept)
				}
				if got := len(results[1][i].Candidates[j].Evidence); got != c.Votes {
					t.Errorf("%s, query %d: %s has %d votes and %d exemplars", name, i, c.Concept, c.Votes, got)
				}
				votes += c.Votes
			}
		}
		if votes == 0 {
			t.Errorf("%s: no candidate has evidence", name)
		}
		if diff := cmp.Diff(results[0], results[1], cmpopts.IgnoreFields(link.Ranking{}, "Broader"),
			cmpopts.IgnoreFields(linked.Candidate{}, "Evidence")); diff != "" {
			t.Errorf("%s (-without +with evidence):\n%s", name, diff)
		}
	}
}
