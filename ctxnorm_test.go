package ctxnorm_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
)

// Folders of examples/, made by internal/checks: the whole dictionary, no encoder.
const (
	exampleCorpus = "testdata/v0.1.0/corpus"
	exampleModel  = "testdata/v0.1.0/model"
)

// exampleOptions returns options that train on the corpus of examples/ without an encoder and a
// recognizer, into dir/model.
func exampleOptions(dir string) ctxnorm.TrainOptions {
	dict, _, err := ctxnorm.ReadDictionary("examples/dictionary.tsv", ctxnorm.DictionaryOptions{Options: kbfile.Options{Strict: true}})
	if err != nil {
		panic(err)
	}
	o := ctxnorm.DefaultTrainOptions()
	o.Dictionary, o.DictionaryPath = dict, "examples/dictionary.tsv"
	o.Corpus, o.Model = exampleCorpus, filepath.Join(dir, "model")
	o.EncoderKind, o.NoRecognizer = ctxnorm.NoEncoder, true
	return o
}

func openExample(t *testing.T) *ctxnorm.Model {
	t.Helper()
	m, err := ctxnorm.Open(t.Context(), exampleModel, ctxnorm.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// A mention that nothing fits is NIL by the calibrated threshold, unless that is turned off.
func TestDefaultThreshold(t *testing.T) {
	m := openExample(t)
	const marked = "The printer had [ENT] xylophone trouble [/ENT] again."
	linked, err := m.LinkText(t.Context(), marked, ctxnorm.LinkOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if c := linked.Mentions[0].Candidates; len(c) != 0 {
		t.Errorf("a mention of nothing has the candidates %+v, want none", c)
	}
	always, err := m.LinkText(t.Context(), marked, ctxnorm.LinkOptions{MinProbability: ctxnorm.AlwaysAnswer})
	if err != nil {
		t.Fatal(err)
	}
	if len(always.Mentions[0].Candidates) == 0 {
		t.Error("with AlwaysAnswer a mention has no candidates")
	}
}

func TestLinkOptionErrors(t *testing.T) {
	m := openExample(t)
	for _, c := range []struct {
		options ctxnorm.LinkOptions
		field   string
	}{
		{ctxnorm.LinkOptions{Method: "vote"}, "Method"},
		{ctxnorm.LinkOptions{TopK: -1}, "TopK"},
		{ctxnorm.LinkOptions{MinProbability: 2}, "MinProbability"},
		{ctxnorm.LinkOptions{Coverage: -.1}, "Coverage"},
		{ctxnorm.LinkOptions{Coverage: .5, MinProbability: .1}, "Coverage"},
		{ctxnorm.LinkOptions{Coverage: .5, Method: ctxnorm.MethodLexical}, "Coverage"},
		{ctxnorm.LinkOptions{MinProbability: .9, Method: ctxnorm.MethodLexical}, "MinProbability"},
		{ctxnorm.LinkOptions{Neighbors: 5}, "Neighbors"},
		{ctxnorm.LinkOptions{Method: "count", Neighbors: -1}, "Neighbors"},
	} {
		_, err := m.LinkText(t.Context(), "a [ENT] b [/ENT]", c.options)
		var option *ctxnorm.OptionError
		if !errors.As(err, &option) || option.Field != c.field {
			t.Errorf("%+v: error is %v, want an OptionError of %s", c.options, err, c.field)
		}
	}
	if _, err := m.LinkText(t.Context(), "a [ENT] b [/ENT]", ctxnorm.LinkOptions{Method: "count"}); !errors.Is(err, ctxnorm.ErrNoVectors) {
		t.Errorf("counting contexts of a model without an encoder: error is %v, want ErrNoVectors", err)
	}
	if _, err := m.LinkText(t.Context(), "a [ENT] b", ctxnorm.LinkOptions{}); err == nil || !strings.Contains(err.Error(), "[ENT] at character 3 is not closed") {
		t.Errorf("a mark that is not closed: error is %v", err)
	}
}

func TestLinkRefusesSpansOutsideTheText(t *testing.T) {
	m := openExample(t)
	for _, span := range []ctxnorm.Span{{Start: -1, End: 2}, {Start: 2, End: 2}, {Start: 3, End: 1}, {Start: 0, End: 9}, {Start: 1, End: 3}} {
		doc := &ctxnorm.Document{ID: "7", Text: "aäü", Mentions: []ctxnorm.Mention{{Span: span}}}
		_, err := m.Link(t.Context(), []*ctxnorm.Document{doc}, ctxnorm.LinkOptions{})
		if wants := span == (ctxnorm.Span{Start: 1, End: 3}); wants != (err == nil) { // the bytes of ä
			t.Errorf("span %v: error is %v", span, err)
		}
	}
}

func TestTrainChecksOptionsFirst(t *testing.T) {
	dict := exampleOptions("").Dictionary
	for _, c := range []struct {
		change func(*ctxnorm.TrainOptions)
		field  string
	}{
		{func(o *ctxnorm.TrainOptions) { o.Dictionary = nil }, "Dictionary"},
		{func(o *ctxnorm.TrainOptions) { o.Corpus, o.EncoderKind = "", ctxnorm.TrainedEncoder }, "Corpus"},
		{func(o *ctxnorm.TrainOptions) { o.Model = "" }, "Model"},
		{func(o *ctxnorm.TrainOptions) { o.DictionaryFraction = 5 }, "DictionaryFraction"},
		{func(o *ctxnorm.TrainOptions) { o.ExemplarsPerConcept = -1 }, "ExemplarsPerConcept"},
		{func(o *ctxnorm.TrainOptions) { o.Index = "tree" }, "Index"},
		{func(o *ctxnorm.TrainOptions) { o.EncoderKind = "lstm" }, "EncoderKind"},
		{func(o *ctxnorm.TrainOptions) { o.Run.Device = "tpu" }, "Device"},
		{func(o *ctxnorm.TrainOptions) { o.Run.Workers = -1 }, "Workers"},
	} {
		o := ctxnorm.DefaultTrainOptions()
		o.Dictionary, o.Corpus, o.Model = dict, "nowhere", filepath.Join(t.TempDir(), "model")
		o.EncoderKind = ctxnorm.NoEncoder
		o.BaseModel = "http://localhost.invalid/never-fetched"
		c.change(&o)
		err := ctxnorm.Train(t.Context(), o)
		var option *ctxnorm.OptionError
		if !errors.As(err, &option) || option.Field != c.field {
			t.Errorf("error is %v, want an OptionError of %s", err, c.field)
		}
	}
}

func TestBuildCorpusChecksOptionsFirst(t *testing.T) {
	good := ctxnorm.BuildCorpusOptions{Options: corpus.Options{Dir: filepath.Join(t.TempDir(), "corpus"), Inputs: []string{"missing.xml"}, Dictionary: exampleOptions("").Dictionary}}
	for _, c := range []struct {
		change func(*ctxnorm.BuildCorpusOptions)
		field  string
	}{
		{func(o *ctxnorm.BuildCorpusOptions) { o.Dir = "" }, "Dir"},
		{func(o *ctxnorm.BuildCorpusOptions) { o.Inputs = nil }, "Inputs"},
		{func(o *ctxnorm.BuildCorpusOptions) { o.Dictionary = nil }, "Dictionary"},
		{func(o *ctxnorm.BuildCorpusOptions) { o.SentencesPerName = -1 }, "SentencesPerName"},
		{func(o *ctxnorm.BuildCorpusOptions) { o.Workers = -1 }, "Workers"},
	} {
		o := good
		c.change(&o)
		_, err := ctxnorm.BuildCorpus(t.Context(), o)
		var option *ctxnorm.OptionError
		if !errors.As(err, &option) || option.Field != c.field {
			t.Errorf("error is %v, want an OptionError of %s", err, c.field)
		}
	}
	if _, err := ctxnorm.BuildCorpus(t.Context(), good); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing input file: error is %v, want os.ErrNotExist", err)
	}
}

// BuildCorpus reports its progress to the caller's function in place of the Observer's.
func TestBuildCorpusProgress(t *testing.T) {
	called := false
	_, err := ctxnorm.BuildCorpus(t.Context(), ctxnorm.BuildCorpusOptions{Options: corpus.Options{
		Dir: filepath.Join(t.TempDir(), "corpus"), Inputs: []string{"examples/pubmed"}, Dictionary: exampleOptions("").Dictionary,
		Progress: func(corpus.Progress) { called = true },
	}})
	if err != nil || !called {
		t.Errorf("the caller's Progress was called: %v, %v", called, err)
	}
}

func TestOpenErrors(t *testing.T) {
	var damaged *ctxnorm.DamagedError
	if _, err := ctxnorm.Open(t.Context(), t.TempDir(), ctxnorm.OpenOptions{}); !errors.As(err, &damaged) {
		t.Errorf("an empty folder: error is %v, want a DamagedError", err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ctxnorm.Open(canceled, exampleModel, ctxnorm.OpenOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled context: error is %v, want context.Canceled", err)
	}
	var option *ctxnorm.OptionError
	if _, err := ctxnorm.Open(t.Context(), exampleModel, ctxnorm.OpenOptions{Encoder: ctxnorm.EncoderOptions{Precision: "half"}}); !errors.As(err, &option) {
		t.Errorf("an unknown precision: error is %v, want an OptionError", err)
	}
}

// Linkers are safe for concurrent use, and one model serves several settings.
func TestLinkConcurrently(t *testing.T) {
	m := openExample(t)
	var wg sync.WaitGroup
	for _, method := range []ctxnorm.Method{ctxnorm.MethodRanked, ctxnorm.MethodLexical, ctxnorm.MethodTFIDF, ctxnorm.MethodExact} {
		for range 4 {
			wg.Go(func() {
				linked, err := m.LinkText(t.Context(), "a case of [ENT] gouty arthritis [/ENT]", ctxnorm.LinkOptions{Method: method})
				if err != nil {
					t.Error(err)
				} else if c := linked.Mentions[0].Candidates; len(c) == 0 || c[0].Concept != "EX:034" {
					t.Errorf("%s links gouty arthritis to %+v, want EX:034", method, c)
				}
			})
		}
	}
	wg.Wait()
}
