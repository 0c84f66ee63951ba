// Package modeltest builds and opens small models for the tests of linking, from the fixtures
// of package fixtures. It is apart from those because the tests of package model use them, too.
package modeltest

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

// Build builds a model of three concepts in a new folder, which it returns: uncalibrated and
// without an encoder, unless change, which may be nil, changes the options.
func Build(t testing.TB, encoder *fixtures.BagOfWords, change func(*model.BuildOptions)) string {
	t.Helper()
	tagger, _, err := matcher.NewTagger(fixtures.GutDictionary(), matcher.DefaultNameFilter())
	must.Succeed(t, err)
	o := model.BuildOptions{
		Dir: filepath.Join(t.TempDir(), "model"), Dictionary: fixtures.GutDictionary(), Tagger: tagger,
		DictionaryInfo: model.DictionaryInfo{Source: "gut.tsv", Fraction: 1, Seed: 1},
		Contexts:       fixtures.GutContexts(t), PerConcept: 25, Index: "flat",
	}
	if encoder != nil {
		o.Encoder, o.EncoderDir = encoder, fixtures.EncoderDir(t)
	}
	if change != nil {
		change(&o)
	}
	// The testing.F of OSS-Fuzz has no Context.
	must.Get(model.Build(context.Background(), o))
	return o.Dir
}

// Open opens a model and closes it at the end of the test.
func Open(t testing.TB, dir string, encoder text.Encoder) *model.Model {
	t.Helper()
	return OpenWithBase(t, dir, encoder, nil)
}

// Opener returns the function that opens the encoders of a model: base in the folder of the
// base encoder, and else encoder.
func Opener(encoder, base text.Encoder) model.OpenEncoder {
	return func(dir, _ string) (text.Encoder, error) {
		if filepath.Base(dir) == model.BaseEncoderFolder {
			return base, nil
		}
		return encoder, nil
	}
}

// OpenWithBase is like [Open] for a model with a base encoder.
func OpenWithBase(t testing.TB, dir string, encoder, base text.Encoder) *model.Model {
	t.Helper()
	m := must.Get(model.Open(dir, Opener(encoder, base)))
	t.Cleanup(func() { must.Succeed(t, m.Close()) })
	return m
}

// Ulcer makes the options those of a model with every component but abbreviations of the
// corpus: a hierarchy with a concept without a name on top, and a corpus synonym.
func Ulcer(o *model.BuildOptions) {
	o.Dictionary = fixtures.UlcerDictionary()
	o.CorpusSynonyms = []mine.Synonym{{Concept: "G2", Text: "aspirin belly", Count: 2, Origin: text.Origin{Mined: "also known as"}}}
}

// Seal makes the manifest of the model in dir fit the files that are there, as if they had
// been written so.
func Seal(t testing.TB, dir string) {
	t.Helper()
	m := must.Get(model.ReadManifest(dir))
	m.Files = must.Get(artifact.DigestFolder(dir, "manifest.json"))
	must.Succeed(t, artifact.WriteCheckedJSON(filepath.Join(dir, "manifest.json"), m))
}
