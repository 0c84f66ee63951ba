package link

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// TestLinkerContract checks every linker against the contract of [Linker].
func TestLinkerContract(t *testing.T) {
	encoder := linktest.GutEncoder()
	m := modeltest.Open(t, modeltest.Build(t, encoder, nil), encoder)
	weights := Weights{nameCosine: 4, lexicalScore: 2, contextVote: 1, subtreeScore: 1}
	m.Calibration = &model.Calibration{Weights: weights.ByName()}
	var queries []text.Query
	for _, text := range []string{
		"wheat causes <sprue> here", "<ulcer> by aspirin", "<coeliac disease>", "<>", "nothing <qqq> at all",
		"<gluten enteropathy> and gastric ulcer", "<gastric ulcers>", "<胃潰瘍>",
		"<coeliac disease and gastric ulcer>",
	} {
		queries = append(queries, linktest.Query(t, text))
	}
	for _, linker := range allLinkers(t, m) {
		t.Run(linker.Name(), func(t *testing.T) {
			for k := range 4 {
				first, err := linker.Link(t.Context(), queries, k)
				if err != nil {
					t.Fatal(err)
				}
				if len(first) != len(queries) {
					t.Fatalf("%d results for %d queries", len(first), len(queries))
				}
				for i, ranking := range first {
					checkCandidates(t, queries[i].Text, ranking.Candidates, k)
					alone, err := linker.Link(t.Context(), queries[i:i+1], k)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(conceptIDs(ranking), conceptIDs(alone[0])); diff != "" {
						t.Errorf("%q alone (-with others +alone):\n%s", queries[i].Text, diff)
					}
				}
			}
			if none, err := linker.Link(t.Context(), nil, 5); err != nil || len(none) != 0 {
				t.Errorf("no queries: %v, %v", none, err)
			}
		})
	}
}

func allLinkers(t *testing.T, m *model.Model) []Linker {
	t.Helper()
	must := func(linker Linker, err error) Linker {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return linker
	}
	vote := func(o VoteOptions) (Linker, error) { return NewVoter(m, o) }
	resolve := func(linker Linker, components Components) (Linker, error) {
		return NewMentionResolver(m, linker, ResolverOptions{Components: components})
	}
	rank := func(o RankOptions) (Linker, error) { return NewRanker(m, o) }
	hybrid := func() (Linker, error) { return NewHybridLinker(m, HybridWeights{160, 3}) }
	tfidf := func() (Linker, error) { return NewTFIDFLinker(m.Dictionary, lexical.PaperTFIDF()) }
	lexical := func() (Linker, error) { return NewLexicalLinker(m.DictionaryIndexes()) }
	return []Linker{
		must(vote(PaperVote())), must(vote(DefaultVote())), must(rank(RankOptions{})),
		must(tfidf()), must(lexical()), must(hybrid()), NewExactLinker(m.DictionaryIndexes()),
		NewMostFrequentSenseLinker(&mine.AbbreviationTable{}, m.DictionaryIndexes()),
		must(resolve(must(lexical()), ComponentDocumentAbbreviations|ComponentComposites)),
		must(resolve(must(rank(RankOptions{})), AllComponents)),
	}
}

func checkCandidates(t *testing.T, text string, candidates []linked.Candidate, k int) {
	t.Helper()
	if len(candidates) > k {
		t.Errorf("%q: %d candidates, want at most %d", text, len(candidates), k)
	}
	ids := conceptIDs(Ranking{Candidates: candidates})
	slices.Sort(ids)
	if distinct := len(slices.Compact(ids)); distinct != len(candidates) {
		t.Errorf("%q: %d distinct concepts among %d", text, distinct, len(candidates))
	}
	for i, c := range candidates {
		if !(c.Probability >= 0 && c.Probability <= 1+1e-9) {
			t.Errorf("%q: probability %g", text, c.Probability)
		}
		if i == 0 {
			continue
		}
		before := candidates[i-1]
		if before.Score < c.Score || before.Score == c.Score && before.Concept > c.Concept {
			t.Errorf("%q: %s (%g) before %s (%g)", text, before.Concept, before.Score, c.Concept, c.Score)
		}
	}
}
