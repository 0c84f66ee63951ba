package link

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// exemplarsOf returns the exemplars of rows.
func exemplarsOf(t testing.TB, rows *model.ExemplarIndex) []text.Exemplar {
	t.Helper()
	return must.Get(rows.Exemplars())
}

// conceptIDs returns the concepts of a ranking, in order.
func conceptIDs(r Ranking) []kb.ConceptID {
	var ids []kb.ConceptID
	for _, c := range r.Candidates {
		ids = append(ids, c.Concept)
	}
	return ids
}

// newRanker returns a ranker for a model with all components.
func newRanker(m *model.Model, o MethodOptions) (*Ranker, error) {
	generator, err := NewCandidateGenerator(m, AllComponents, nil)
	if err != nil {
		return nil, err
	}
	return newCalibratedRanker(generator, o)
}

// ulcerModel returns a model of [modeltest.Ulcer] with an encoder.
func ulcerModel(t *testing.T) *model.Model {
	t.Helper()
	encoder := fixtures.GutEncoder()
	return modeltest.Open(t, modeltest.Build(t, encoder, modeltest.Ulcer), encoder)
}

// modelOf returns a model of a dictionary, without contexts or an encoder.
func modelOf(t *testing.T, dict *kb.Dictionary) *model.Model {
	t.Helper()
	return modeltest.Open(t, modeltest.Build(t, nil, func(o *model.BuildOptions) { o.Dictionary, o.Contexts = dict, nil }), nil)
}

// conceptsModel is like modelOf for a list of concepts.
func conceptsModel(t *testing.T, concepts ...kb.Concept) *model.Model {
	t.Helper()
	return modelOf(t, kb.NewDictionary(concepts))
}

// completeModel builds a model with every kind of file and all weights, and returns its folder.
func completeModel(t testing.TB, encoder *fixtures.BagOfWords) string {
	t.Helper()
	table := mine.AbbreviationTable{
		{Short: "CD", Long: []mine.LongForm{
			{Text: "celiac disease", Count: 4, Share: .8}, {Text: "cow dung", Count: 1, Share: .2},
		}},
	}
	log := filepath.Join(t.TempDir(), "curve.jsonl")
	must.Succeed(t, os.WriteFile(log, []byte("{}\n"), 0o666))
	return modeltest.Build(t, encoder, func(o *model.BuildOptions) {
		modeltest.Ulcer(o)
		o.Index, o.Abbreviations, o.TrainingLog = knnindex.KindHNSW, table, log
		o.Calibrate = func(_ context.Context, m *model.Model) (*model.Calibration, error) {
			weights, without := PriorWeights(m, AllComponents), PriorWeights(m.WithoutEncoder(), AllComponents)
			return &model.Calibration{
				Weights:        RankingFeatures.ByName(weights),
				SenseWeights:   SenseFeatures.ByName(SenseFeatures.Prior()),
				FitWeights:     FitFeatures.ByName(FitFeatures.Prior()),
				WithoutEncoder: &model.Calibration{Weights: RankingFeatures.ByName(without)},
				Cascade: &model.CascadeCalibration{
					Mentions: 2000, Rows: []model.CascadeRow{{Budget: .001, Low: .1, High: .8}},
				},
				LongForms:  &model.LongFormCalibration{Slope: 1, Intercept: 1, Queries: 1},
				Abstention: &model.Abstention{Queries: 30, Rows: []model.ThresholdRow{{Answered: 1}}},
			}, nil
		}
	})
}

// linkAll opens a model, tags a text, links the mentions and closes the model. One mention is a short form, for which
// the contexts are read.
func linkAll(
	t testing.TB, dir string, encoder text.Encoder, o MethodOptions, exactBudget float64,
) (mentions []linked.Mention, err error) {
	m, err := model.Open(dir, modeltest.Opener(encoder, nil))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	tagger, err := m.Tagger()
	if err != nil {
		return nil, err
	}
	TagDocument(&text.Document{Text: "celiac disease (CD) and a gastric ulcer"}, tagger)
	ranker, err := newRanker(m, o)
	if err != nil {
		return nil, err
	}
	resolver, err := NewMentionResolver(m, ranker, AllComponents)
	if err != nil {
		return nil, err
	}
	if err := resolver.AddCascade(exactBudget); err != nil {
		return nil, err
	}
	queries := []text.Query{
		fixtures.Query(t, "wheat causes <tropical sprue> here"),
		fixtures.Query(t, "<CD> was found"), fixtures.Query(t, "a <ulcer>"),
	}
	return resolver.LinkMentions(context.Background(), queries, 3)
}

// sameBroader compares the broader concepts of rankings, which are functions.
var sameBroader = cmp.Comparer(func(a, b func() *linked.Broader) bool {
	return (a == nil) == (b == nil) && (a == nil || cmp.Equal(a(), b()))
})

// stringLinker links with the lexical index of a dictionary, without probabilities.
type stringLinker struct{ names *model.DictionaryIndexes }

func (stringLinker) Name() string { return "strings" }

func (x stringLinker) Link(_ context.Context, queries []text.Query, k int) ([]Ranking, error) {
	index := x.names.Lexical()
	results := make([]Ranking, len(queries))
	for i := range queries {
		for _, hit := range index.Search(queries[i].Surface(), k) {
			results[i].Candidates = append(results[i].Candidates, linked.Candidate{Concept: hit.Concept, Score: hit.Score})
		}
	}
	return results, nil
}
