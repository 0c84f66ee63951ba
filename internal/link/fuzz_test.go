package link

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// FuzzModelFile replaces a file of a model by any content, to which the manifest fits. The
// model is refused, or links: nothing panics.
func FuzzModelFile(f *testing.F) {
	encoder := linktest.GutEncoder()
	table, err := mine.TableFromEntries([]mine.ShortForm{
		{Short: "CD", Long: []mine.LongForm{{Text: "celiac disease", Count: 4, Share: .8}, {Text: "cow dung", Count: 1, Share: .2}}},
	})
	if err != nil {
		f.Fatal(err)
	}
	dir := modeltest.Build(f, encoder, func(o *model.BuildOptions) {
		modeltest.Ulcer(o)
		o.Index, o.Abbreviations = knnindex.KindHNSW, table
		o.Calibrate = func(_ context.Context, m *model.Model) (*model.Calibration, error) {
			weights, without := PriorWeights(m, AllComponents), PriorWeights(m.WithoutEncoder(), AllComponents)
			return &model.Calibration{
				WithoutEncoder: &model.Calibration{Weights: without.ByName()},
				Cascade:        &model.CascadeCalibration{Mentions: 2000, Rows: []model.CascadeRow{{Budget: .001, Low: .1, High: .8, Order: .9}}},
				Weights:        weights.ByName(), SenseWeights: map[string]float64{"prior": 1}, FitWeights: map[string]float64{"cosine": 1},
				LongForms:  &model.LongFormCalibration{Slope: 1, Intercept: 1, Queries: 1},
				Abstention: &model.Abstention{Queries: 30, Rows: []model.ThresholdRow{{Answered: 1}}},
			}, nil
		}
	})
	manifest, err := model.ReadManifest(dir)
	if err != nil {
		f.Fatal(err)
	}
	names := slices.DeleteFunc(manifest.Files.Names(), func(name string) bool { return filepath.Dir(name) == "encoder" })
	contents := make([][]byte, len(names))
	for i, name := range names {
		if contents[i], err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			f.Fatal(err)
		}
		f.Add(i, contents[i])
	}
	queries := []text.Query{linktest.Query(f, "wheat causes <tropical sprue> here"), linktest.Query(f, "<CD> was found"), linktest.Query(f, "a <ulcer>")}
	f.Fuzz(func(t *testing.T, i int, content []byte) {
		if i < 0 || i >= len(names) {
			return
		}
		path := filepath.Join(dir, filepath.FromSlash(names[i]))
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := os.WriteFile(path, contents[i], 0o666); err != nil {
				t.Fatal(err)
			}
		}()
		modeltest.Seal(t, dir)
		m, err := model.Open(dir, func(string) (text.Encoder, error) { return encoder, nil })
		if err != nil {
			return
		}
		defer m.Close()
		if tagger, err := m.Tagger(); err == nil {
			TagDocument(&text.Document{Text: "celiac disease (CD) and a gastric ulcer"}, tagger)
		}
		ranker, err := NewRanker(m, RankOptions{Evidence: i%2 == 0})
		if err != nil {
			return
		}
		resolver, err := NewMentionResolver(m, ranker, ResolverOptions{Components: AllComponents, ExactBudget: float64(i%3) / 100})
		if err != nil {
			return
		}
		_, _ = resolver.LinkMentions(t.Context(), queries, 3) // an error is as right as a result
	})
}
