package papers

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// gutModel returns the model of the tests, with changed options.
func gutModel(t *testing.T, change func(*model.BuildOptions)) *model.Model {
	t.Helper()
	encoder := fixtures.GutEncoder()
	return modeltest.Open(t, modeltest.Build(t, encoder, change), encoder)
}

// newLinker returns the linker of a method.
func newLinker(m *model.Model, method link.Method, evidence bool) (link.Linker, error) {
	return method.New(link.Source{Model: m, Names: func() (*link.NameIndex, error) { return link.NewNameIndex(m) }},
		link.MethodOptions{Evidence: evidence})
}

// linkerOf returns the linker of the method with the name.
func linkerOf(t *testing.T, m *model.Model, name string, evidence bool) link.Linker {
	t.Helper()
	method, _ := MethodOf(name)
	return must.Get(newLinker(m, method, evidence))
}

// linkTexts links the marked mentions of texts.
func linkTexts(t *testing.T, linker link.Linker, k int, texts ...string) []link.Ranking {
	t.Helper()
	var queries []text.Query
	for _, marked := range texts {
		queries = append(queries, fixtures.Query(t, marked))
	}
	return must.Get(linker.Link(t.Context(), queries, k))
}

// TestLinkerContract checks the linker of every method against the contract of [link.Linker].
func TestLinkerContract(t *testing.T) {
	m := gutModel(t, nil)
	weights := make([]float64, len(link.RankingFeatures.Prior()))
	m.Calibration = &model.Calibration{Weights: link.RankingFeatures.ByName(weights)}
	for name, weight := range map[string]float64{"name_cosine": 4, "lexical": 2, "context_vote": 1, "subtree_score": 1} {
		if _, ok := m.Calibration.Weights[name]; !ok {
			t.Fatalf("no feature %s", name)
		}
		m.Calibration.Weights[name] = weight
	}
	m.Manifest.Training = json.RawMessage(`{"method":"biosyn","settings":{"dense_scale":160},"summary":{"parameters":{"sparse_weight":3}}}`)
	texts := []string{
		"wheat causes <sprue> here", "<ulcer> by aspirin", "<coeliac disease>", "<>", "nothing <qqq> at all",
		"<gluten enteropathy> and gastric ulcer", "<gastric ulcers>", "<胃潰瘍>",
		"<coeliac disease and gastric ulcer>",
	}
	for _, linker := range allLinkers(t, m) {
		t.Run(linker.Name(), func(t *testing.T) {
			for k := range 4 {
				first := linkTexts(t, linker, k, texts...)
				if len(first) != len(texts) {
					t.Fatalf("%d results for %d queries", len(first), len(texts))
				}
				for i, ranking := range first {
					checkCandidates(t, texts[i], ranking.Candidates, k)
					alone := linkTexts(t, linker, k, texts[i])[0]
					must.Equal(t, conceptIDs(alone), conceptIDs(ranking), texts[i], "with others and alone")
				}
			}
			if none, err := linker.Link(t.Context(), nil, 5); err != nil || len(none) != 0 {
				t.Errorf("no queries: %v, %v", none, err)
			}
		})
	}
}

// allLinkers returns a linker of every method, and the linkers that are not methods.
func allLinkers(t *testing.T, m *model.Model) []link.Linker {
	t.Helper()
	var linkers []link.Linker
	add := func(linker link.Linker, err error) {
		t.Helper()
		must.Succeed(t, err)
		linkers = append(linkers, linker)
	}
	for _, method := range Methods() {
		linker, err := newLinker(m, method, false)
		add(linker, err)
		if method.Name == "ranked" || method.Name == "lexical" {
			add(link.NewMentionResolver(m, linker, link.AllComponents))
		}
	}
	add(NewMostFrequentSenseLinker(m), nil)
	return linkers
}

// TestLabeledNames: a name that annotators gave to a concept besides its own has both, with equal scores, in the
// linkers by nearest names. They do not read the context.
func TestLabeledNames(t *testing.T) {
	m := gutModel(t, func(o *model.BuildOptions) {
		o.CorpusSynonyms = []mine.Synonym{
			{Concept: "G1", Text: "Gastric ulcers", Origin: text.Origin{Labeled: true}, Count: 3}, // no normal form of a name
			{Concept: "G1", Text: "gastric Ulcer", Origin: text.Origin{Labeled: true}, Count: 2},
			{Concept: "G2", Text: "gastric ulcer", Origin: text.Origin{Labeled: true}, Count: 2},           // its own concept
			{Concept: "G2", Text: "gluten enteropathy", Origin: text.Origin{Mined: "shortened"}, Count: 9}, // not labeled
		}
	})
	m.Manifest.Training = json.RawMessage(`{"method":"biosyn","settings":{"dense_scale":1},"summary":{"parameters":{"sparse_weight":1}}}`)
	for _, name := range []string{"nearest", "biosyn"} {
		results := linkTexts(t, linkerOf(t, m, name, false), 2, "<gastric ulcer>", "<gluten enteropathy>", "wheat causes <gastric ulcer>")
		for i, ranking := range results {
			must.Equal(t, conceptIDs(ranking), []kb.ConceptID{"G1", "G2"}, name, "query", i)
			if c := ranking.Candidates; (c[0].Score == c[1].Score) != (i != 1) {
				t.Errorf("%s, query %d: scores %g and %g", name, i, c[0].Score, c[1].Score)
			}
		}
		must.Equal(t, results[2], results[0], name, "with another context, without")
	}
}

// TestMethodVectors: a method that requires vectors reports that a model has none; other methods link.
func TestMethodVectors(t *testing.T) {
	m := modeltest.Open(t, modeltest.Build(t, nil, nil), nil)
	m.Calibration = nil
	for _, method := range Methods() {
		if method.Check != nil {
			continue // the manifest is checked first
		}
		_, err := newLinker(m, method, false)
		if required := method.Vectors == link.VectorsRequired; errors.Is(err, model.ErrNoVectors) != required || !required && err != nil {
			t.Errorf("%s: error %v", method.Name, err)
		}
	}
}

func checkCandidates(t *testing.T, text string, candidates []linked.Candidate, k int) {
	t.Helper()
	if len(candidates) > k {
		t.Errorf("%q: %d candidates, want at most %d", text, len(candidates), k)
	}
	ids := conceptIDs(link.Ranking{Candidates: candidates})
	slices.Sort(ids)
	must.Equal(t, len(slices.Compact(ids)), len(candidates), text, "distinct concepts")
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

// conceptIDs returns the concepts of a ranking in their order.
func conceptIDs(ranking link.Ranking) []kb.ConceptID {
	var ids []kb.ConceptID
	for _, c := range ranking.Candidates {
		ids = append(ids, c.Concept)
	}
	return ids
}
