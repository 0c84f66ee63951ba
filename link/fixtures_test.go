package link

import (
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/mine"
	"github.com/ctxnorm/ctxnorm/model"
	"github.com/ctxnorm/ctxnorm/text"
)

// buildRankable builds an uncalibrated model of three concepts in a new folder, which it returns.
// change, if it is not nil, changes the options.
func buildRankable(t testing.TB, encoder *linktest.BagOfWords, change func(*model.BuildOptions)) string {
	t.Helper()
	tagger, contexts := linktest.GutContexts(t)
	o := model.BuildOptions{
		Dir: filepath.Join(t.TempDir(), "model"), Dictionary: linktest.GutDictionary(), Tagger: tagger,
		DictionaryInfo: model.DictionaryInfo{Source: "gut.tsv", Fraction: 1, Seed: 1},
		Contexts:       contexts, PerConcept: 25, Index: "flat",
	}
	if encoder != nil {
		o.Encoder, o.EncoderDir = encoder, linktest.EncoderDir(t)
	}
	if change != nil {
		change(&o)
	}
	if _, err := model.Build(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return o.Dir
}

// openRankable opens a model and closes it at the end of the test.
func openRankable(t testing.TB, dir string, encoder model.Encoder) *model.Model {
	t.Helper()
	m, err := model.Open(dir, func(string) (model.Encoder, error) { return encoder, nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// exemplarsOf returns the exemplars of rows.
func exemplarsOf(t testing.TB, rows *model.ExemplarIndex) []text.Exemplar {
	t.Helper()
	all, err := rows.Exemplars()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// conceptIDs returns the concepts of candidates in their order.
func conceptIDs(candidates []Candidate) []kb.ConceptID {
	var ids []kb.ConceptID
	for _, c := range candidates {
		ids = append(ids, c.Concept)
	}
	return ids
}

// ulcerModel returns a model with every component but abbreviations of the corpus: a
// hierarchy with a concept without a name on top, a mined synonym and an encoder.
func ulcerModel(t *testing.T) *model.Model {
	t.Helper()
	encoder := linktest.GutEncoder()
	return openRankable(t, buildRankable(t, encoder, func(o *model.BuildOptions) {
		o.Dictionary = linktest.UlcerDictionary()
		o.CorpusSynonyms = []mine.Synonym{{Concept: "G2", Text: "aspirin belly", Count: 2, Source: "also known as"}}
	}), encoder)
}
