package link

import (
	"errors"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	paper.K, paper.Evidence = 2, true
	voter, err := NewVoter(m, paper)
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
	options.NameVoteShare, options.Evidence = 1, true
	voter, err := NewVoter(m, options)
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
	options.NameVoteShare, options.Evidence = 1, true
	voter, err := NewVoter(m, options)
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

func TestJoinVotes(t *testing.T) {
	vote := func(concept kb.ConceptID, share float64, votes int, hits ...supportingHit) rankedCandidate {
		return rankedCandidate{linked.Candidate{Concept: concept, Score: share, Probability: share, Votes: votes}, hits}
	}
	name := supportingHit{new(model.ExemplarIndex), knnindex.Hit{Row: 1, Similarity: .8}}
	context := supportingHit{new(model.ExemplarIndex), knnindex.Hit{Row: 2, Similarity: .9}}
	names := []rankedCandidate{vote("A", .75, 3, name), vote("B", .25, 1)}
	contexts := []rankedCandidate{vote("C", .5, 2), vote("A", .25, 1, context), vote("B", .25, 1)}
	// .5*.75 + .5*.25 = .5, .5*.25 + .5*.25 = .25, .5*.5 = .25: B before C by ID.
	want := []rankedCandidate{vote("A", .5, 4, context, name), vote("B", .25, 2), vote("C", .25, 2)}
	if got := joinVotes(names, contexts, .5); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestLinkersWithoutEncoder(t *testing.T) {
	m := modeltest.Open(t, modeltest.Build(t, nil, nil), nil)
	if _, err := NewVoter(m, DefaultVote()); !errors.Is(err, model.ErrNoVectors) {
		t.Errorf("NewVoter: error %v, want ErrNoVectors", err)
	}
	lexical, err := newLexicalLinker(m.DictionaryIndexes())
	if err != nil {
		t.Fatal(err)
	}
	results, err := lexical.Link(t.Context(), []text.Query{linktest.Query(t, "<gastric ulcers>")}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]kb.ConceptID{"G2"}, conceptIDs(results[0])); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
