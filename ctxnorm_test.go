package ctxnorm_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
)

// Folders made from examples/ by internal/checks: the whole dictionary, no encoder.
const (
	exampleCorpus = "testdata/v0.1.0/corpus"
	exampleModel  = "testdata/v0.1.0/model"
)

// exampleOptions returns options to train on the corpus of examples/ into dir/model, without an encoder and a
// recognizer.
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
	m := must.Get(ctxnorm.Open(t.Context(), exampleModel, ctxnorm.OpenOptions{}))
	t.Cleanup(func() { m.Close() })
	return m
}

// TestDefaultThreshold checks that a mention without a fitting concept is NIL by the calibrated threshold, unless that
// is turned off.
func TestDefaultThreshold(t *testing.T) {
	m := openExample(t)
	const marked = "The printer had [ENT] xylophone trouble [/ENT] again."
	linked := must.Get(m.LinkText(t.Context(), marked, ctxnorm.LinkOptions{}))
	if c := linked.Mentions[0].Candidates; len(c) != 0 {
		t.Errorf("a mention of nothing has the candidates %+v, want none", c)
	}
	always := must.Get(m.LinkText(t.Context(), marked, ctxnorm.LinkOptions{MinProbability: ctxnorm.AlwaysAnswer}))
	if len(always.Mentions[0].Candidates) == 0 {
		t.Error("with AlwaysAnswer a mention has no candidates")
	}
}

// cell returns the document for a table cell to code.
func cell(s string) *ctxnorm.Document {
	return &ctxnorm.Document{Text: s, Mentions: []ctxnorm.Mention{{Span: ctxnorm.Span{End: len(s)}}}}
}

// TestStatementsOfCells checks that a cell is treated as a statement: its status is marked, and the rest is linked.
// Without [ctxnorm.LinkOptions].Assertion a cell that negates its mention, or refers to another person, is NIL.
func TestStatementsOfCells(t *testing.T) {
	words := map[string]ctxnorm.ConceptID{"hypertension": "EX:013", "heart attack": "EX:014", "Crohn's disease": "EX:002",
		"acid reflux": "EX:005"}
	named := map[string]ctxnorm.ConceptID{"history of stroke": "X:1", "h/o stroke": "X:1", "Hx of stroke": "X:1", "no known allergies": "X:2", "screening for gout": "X:3",
		"non-insulin-dependent diabetes": "EX:009"}
	table := "id\tname\nX:1\thistory of stroke\nX:2\tno known allergies\nX:3\tscreening for gout\n"
	names := filepath.Join(t.TempDir(), "names.tsv")
	must.Succeed(t, os.WriteFile(names, []byte(table), 0o600))
	m, _, err := ctxnorm.OpenDictionaries(t.Context(), []string{"examples/dictionary.tsv", names}, ctxnorm.DictionaryOptions{})
	must.Succeed(t, err)
	defer m.Close()
	for _, kind := range []struct{ form, status string }{
		{"%s", ""}, {"no evidence of %s", "negated"}, {"denies %s", "negated"}, {"%s: no", "negated"}, {"?%s", "uncertain"},
		{"r/o %s", "uncertain"}, {"h/o %s", "historical"}, {"s/p %s", "historical"},
		{"family history of %s", "other_person"}, {"Mother had a %s.", "other_person"}, {"kein %s", "negated"}, {"pas de %s", "negated"},
		{"%s, no complications", ""}, {"%s; denies heart attack", ""}, {"%s without acid reflux", ""}, {"%s. No asthma.", ""},
		{"%s, unspecified", ""}, {"Unspecified %s", ""}, {"%s NOS", ""}, {"%s (disorder)", ""}, {"I10.9 - %s", ""}, {"195967001 %s", ""}, {"The %s", ""},
		{"patient with newly diagnosed %s since 03/2019", ""}, {"%s (known)", ""}, {"2. Severe %s, stable", ""}, {"CC: %s", ""}, {"denies severe %s", "negated"}, {"known h/o %s x 3 yrs", "historical"}, {"%s ED 2015", ""},
		{"Asymptomatic %s, on treatment", ""}, {"%s (R), at age 45", ""}, {"Diagnoses: right-sided %s [I10] #2", ""}, {"%s 5 years ago", "historical"}, {"%s in remission, referred to Dr X", ""},
	} {
		for word, id := range words {
			asked := cell(fmt.Sprintf(kind.form, word))
			for _, o := range []ctxnorm.LinkOptions{{Assertion: true}, {}} {
				docs := must.Get(m.Link(t.Context(), []*ctxnorm.Document{asked}, o))
				got := docs[0].Mentions[0]
				isNIL := !o.Assertion && (kind.status == "negated" || kind.status == "other_person")
				best := got.Candidates
				if isNIL {
					best = got.Suggested
				}
				if got.Text != asked.Text || len(best) == 0 || best[0].Concept != id || isNIL != (len(got.Candidates) == 0) ||
					strings.Join(got.Attributes(), " ") != kind.status {
					t.Errorf("%q with %+v: %+v, want %s, %q", asked.Text, o.Assertion, got, id, kind.status)
				}
			}
		}
	}
	for name, id := range named { // names of the dictionary with words that elsewhere express a status
		docs := must.Get(m.Link(t.Context(), []*ctxnorm.Document{cell(name)}, ctxnorm.LinkOptions{Assertion: true}))
		if got := docs[0].Mentions[0]; len(got.Attributes()) > 0 || got.Candidates[0].Concept != id {
			t.Errorf("%q is %+v, want %s without a status", name, got, id)
		}
	}
}

// TestCellsThatNameNothing checks that a cell without a name gets no concept, but a suggestion of the most similar one.
func TestCellsThatNameNothing(t *testing.T) {
	m := openExample(t)
	for _, junk := range []string{"pending", "PENDING", "see notes", "n/a", "unknown", "test", "none"} {
		docs := must.Get(m.Link(t.Context(), []*ctxnorm.Document{cell(junk)}, ctxnorm.LinkOptions{}))
		if got := docs[0].Mentions[0]; len(got.Candidates) > 0 {
			t.Errorf("%q is %+v, want NIL", junk, got.Candidates[0])
		}
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
	_, err := m.LinkText(t.Context(), "a [ENT] b [/ENT]", ctxnorm.LinkOptions{Method: "count"})
	must.FailWith(t, err, ctxnorm.ErrNoVectors, "counting contexts of a model without an encoder")
	_, err = m.LinkText(t.Context(), "a [ENT] b", ctxnorm.LinkOptions{})
	must.Fail(t, err, "[ENT] at character 3 is not closed", "a mark that is not closed")
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
	good := corpus.Options{Dir: filepath.Join(t.TempDir(), "corpus"), Inputs: []string{"missing.xml"}, Dictionary: exampleOptions("").Dictionary}
	for _, c := range []struct {
		change func(*corpus.Options)
		field  string
	}{
		{func(o *corpus.Options) { o.Dir = "" }, "Dir"},
		{func(o *corpus.Options) { o.Inputs = nil }, "Inputs"},
		{func(o *corpus.Options) { o.Dictionary = nil }, "Dictionary"},
		{func(o *corpus.Options) { o.SentencesPerName = -1 }, "SentencesPerName"},
		{func(o *corpus.Options) { o.Workers = -1 }, "Workers"},
	} {
		o := good
		c.change(&o)
		_, err := ctxnorm.BuildCorpus(t.Context(), o, ctxnorm.Observer{})
		var option *ctxnorm.OptionError
		if !errors.As(err, &option) || option.Field != c.field {
			t.Errorf("error is %v, want an OptionError of %s", err, c.field)
		}
	}
	_, err := ctxnorm.BuildCorpus(t.Context(), good, ctxnorm.Observer{})
	must.FailWith(t, err, os.ErrNotExist, "a missing input file")
}

// TestBuildCorpusProgress checks that BuildCorpus reports progress to the caller's function rather than the Observer's.
func TestBuildCorpusProgress(t *testing.T) {
	called := false
	_, err := ctxnorm.BuildCorpus(t.Context(), corpus.Options{
		Dir: filepath.Join(t.TempDir(), "corpus"), Inputs: []string{"examples/pubmed"}, Dictionary: exampleOptions("").Dictionary,
		Progress: func(corpus.Progress) { called = true },
	}, ctxnorm.Observer{})
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
	_, err := ctxnorm.Open(canceled, exampleModel, ctxnorm.OpenOptions{})
	must.FailWith(t, err, context.Canceled, "a canceled context")
	_, _, err = ctxnorm.ReadDictionaries(nil, ctxnorm.DictionaryOptions{})
	must.Fail(t, err, "paths is a list of 0, want at least one dictionary file", "no file")
	var option *ctxnorm.OptionError
	if _, err := ctxnorm.Open(t.Context(), exampleModel, ctxnorm.OpenOptions{Encoder: ctxnorm.EncoderOptions{Precision: "half"}}); !errors.As(err, &option) {
		t.Errorf("an unknown precision: error is %v, want an OptionError", err)
	}
}

// TestLinkConcurrently checks that linkers are safe for concurrent use, and that one model serves several settings.
func TestLinkConcurrently(t *testing.T) {
	m := openExample(t)
	var wg sync.WaitGroup
	for _, method := range []ctxnorm.Method{ctxnorm.MethodRanked, ctxnorm.MethodLexical, "tfidf", "exact"} {
		for range 4 {
			wg.Go(func() {
				docs := []*ctxnorm.Document{{Text: "No gout, and high blood pressure (HBP)."}, {Text: "HBP, gout and asthma."}}
				o := ctxnorm.LinkOptions{Method: method, Tag: true, Assertion: true, Evidence: method == ctxnorm.MethodRanked}
				all, err := m.Link(t.Context(), docs, o)
				if err != nil || len(all[0].Mentions) == 0 || len(all[1].Mentions) == 0 {
					t.Errorf("%s: %v, links %+v", method, err, all)
				}
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

const minKept = 5_000 // names: smaller dictionaries are not cached

// largeDictionary has just enough names to be cached. Its last concept is called last, and one row is malformed.
func largeDictionary(last string) []byte {
	var b bytes.Buffer
	b.WriteString("id\tname\tunused\n")
	for i := range minKept {
		fmt.Fprintf(&b, "D%d\tdisease of type %d\tx\n", i, i)
	}
	fmt.Fprintf(&b, "LAST\t%s\tx\n\tno id\tx\n", last)
	return b.Bytes()
}

// keptTest is a large dictionary with a cache.
type keptTest struct {
	t            *testing.T
	names, cache string
}

func newKeptTest(t *testing.T) keptTest {
	dir := t.TempDir()
	k := keptTest{t, filepath.Join(dir, "names.tsv"), filepath.Join(dir, "cache")}
	k.write("alpha fever")
	return k
}

func (k keptTest) write(last string) {
	k.t.Helper()
	must.Succeed(k.t, os.WriteFile(k.names, largeDictionary(last), 0o666))
}

// open opens the dictionary, and returns the messages to the observer and the concepts in a text.
func (k keptTest) open(ctx context.Context, o ctxnorm.DictionaryOptions) (said []string, linked []ctxnorm.ConceptID) {
	k.t.Helper()
	o.Observer = ctxnorm.Observer{
		Log:   func(message string) { said = append(said, message) },
		Error: func(err error) { said = append(said, fmt.Sprintf("%T %v", err, err)) },
	}
	m, report, err := ctxnorm.OpenDictionaries(ctx, []string{k.names}, o)
	if err != nil {
		k.t.Errorf("%v", err)
		return nil, nil
	}
	defer m.Close()
	if report.BadRows() != 1 || report.Names != minKept+1 {
		k.t.Errorf("%d bad rows and %d names, want 1 and %d", report.BadRows(), report.Names, minKept+1)
	}
	doc, err := m.Annotate(k.t.Context(), "Alpha fever, beta fever, and disease of type 17.", ctxnorm.LinkOptions{})
	if err != nil {
		k.t.Errorf("%v", err)
		return nil, nil
	}
	for _, mention := range doc.Mentions {
		linked = append(linked, mention.Candidates[0].Concept)
	}
	return said, linked
}

// entries returns the files in the cache, except temporary ones.
func (k keptTest) entries(pattern string) (found []string) {
	_ = filepath.WalkDir(k.cache, func(path string, entry os.DirEntry, err error) error {
		if matched, _ := filepath.Match(pattern, filepath.Base(path)); err == nil && matched && !entry.IsDir() {
			found = append(found, path)
		}
		return nil
	})
	return found
}

// wantSaid compares the messages to the observer with those of reading, and messages with the given beginnings.
func wantSaid(t *testing.T, reading, got []string, others ...string) {
	t.Helper()
	rest := slices.Clone(got)
	for _, other := range others {
		at := slices.IndexFunc(rest, func(message string) bool { return strings.Contains(message, other) })
		if at < 0 {
			t.Errorf("no message with %q in %q", other, got)
			continue
		}
		rest = slices.Delete(rest, at, at+1)
	}
	must.Equal(t, rest, reading, "messages")
}

func TestOpenDictionaries(t *testing.T) {
	must.SkipShort(t)
	k := newKeptTest(t)
	alpha := []ctxnorm.ConceptID{"LAST", "D17"}
	reading, linked := k.open(t.Context(), ctxnorm.DictionaryOptions{})
	must.Equal(t, linked, alpha, "without a cache")
	wantLinked := func(t *testing.T, got []ctxnorm.ConceptID) {
		t.Helper()
		must.Equal(t, got, linked, "links")
	}
	kept := ctxnorm.DictionaryOptions{Cache: k.cache}
	said, got := k.open(t.Context(), kept)
	wantSaid(t, reading, said, "kept for the next run")
	wantLinked(t, got)
	said, got = k.open(t.Context(), kept)
	wantSaid(t, reading, said)
	wantLinked(t, got)

	files := k.entries("*")
	if len(files) < 5 {
		t.Errorf("the cache has %q, want a model", files)
	}
	for i, path := range files { // package model tries every damage of each file
		how := []string{"flipped", "cut", "missing"}[i%3]
		t.Run(how+" "+filepath.Base(path), func(t *testing.T) {
			content := must.Get(os.ReadFile(path))
			switch middle := len(content) / 2; how {
			case "flipped":
				content[middle] ^= 4
			case "cut":
				content = content[:middle]
			}
			must.Succeed(t, os.WriteFile(path, content, 0o666))
			if how == "missing" {
				must.Succeed(t, os.Remove(path))
			}
			said, got := k.open(t.Context(), kept)
			wantSaid(t, reading, said, "it is made again", "kept for the next run")
			wantLinked(t, got)
			said, _ = k.open(t.Context(), kept)
			wantSaid(t, reading, said)
		})
	}

	t.Run("changed with the same size and time", func(t *testing.T) {
		before := must.Get(os.Stat(k.names))
		k.write("beta  fever")
		must.Succeed(t, os.Chtimes(k.names, before.ModTime(), before.ModTime()))
		if after, err := os.Stat(k.names); err != nil || after.Size() != before.Size() {
			t.Fatalf("%v, %v, want the size of before", after, err)
		}
		for range 2 {
			if _, got := k.open(t.Context(), kept); !slices.Equal(got, alpha) { // "beta fever" in place of "Alpha fever"
				t.Errorf("links %q, want %q", got, alpha)
			}
		}
	})
	t.Run("other options", func(t *testing.T) {
		other := kept
		other.Columns = []string{"id=id", "name=unused"}
		if m, _, err := ctxnorm.OpenDictionaries(t.Context(), []string{k.names}, other); err != nil || m.Dictionary().CountNames() != minKept+1 ||
			m.Name("D17") != "x" {
			t.Errorf("%v, want the names of another column", err)
		}
	})
}

// TestMemoryOfDictionaries checks that the default limit grows with the compressed size of the files.
func TestMemoryOfDictionaries(t *testing.T) {
	usual := files.DefaultLimits
	t.Cleanup(func() { files.DefaultLimits = usual })
	files.DefaultLimits.InMemory = 1000
	var names strings.Builder
	for i := range 100 {
		fmt.Fprintf(&names, "%d\t%s\n", i, strings.Repeat("a", 1000+i))
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	must.Get(io.WriteString(w, names.String()))
	must.Succeed(t, w.Close())
	for name, content := range map[string]string{"names.tsv": names.String(), "names.tsv.gz": packed.String()} {
		path := filepath.Join(t.TempDir(), name)
		must.Succeed(t, os.WriteFile(path, []byte(content), 0o666))
		_, _, err := ctxnorm.ReadDictionary(path, ctxnorm.DictionaryOptions{})
		if _, isTooLarge := errors.AsType[*files.LimitError](err); isTooLarge != (name != "names.tsv") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHugeDictionary checks that a file of 64 GB is not read for its digest, which takes over 30 s.
func TestHugeDictionary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "names.tsv")
	must.Succeed(t, os.WriteFile(path, nil, 0o666))
	must.Succeed(t, os.Truncate(path, 1<<36)) // takes no room
	started := time.Now()
	_, _, err := ctxnorm.OpenDictionaries(t.Context(), []string{path}, ctxnorm.DictionaryOptions{Cache: t.TempDir()})
	must.Equal(t, []bool{err != nil, time.Since(started) < 20*time.Second}, []bool{true, true}, "refused at once")
}

// TestKeepAtOnce checks that two processes can cache the same dictionary at once.
func TestKeepAtOnce(t *testing.T) {
	k := newKeptTest(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, got := k.open(t.Context(), ctxnorm.DictionaryOptions{Cache: k.cache}); !slices.Equal(got, []ctxnorm.ConceptID{"LAST", "D17"}) {
				t.Errorf("links %q", got)
			}
		})
	}
	all.Wait()
	if got := k.entries("manifest.json*"); len(got) != 1 {
		t.Errorf("manifests %q, want one", got)
	}
}

// TestKeepFails checks that the dictionary can be used even if it cannot be cached.
func TestKeepFails(t *testing.T) {
	must.SkipShort(t)
	k := newKeptTest(t)
	reading, want := k.open(t.Context(), ctxnorm.DictionaryOptions{})
	full := errors.New("no space left on device")
	for _, test := range []struct {
		name, cache string
		fails       string // step
	}{
		{"below a file", filepath.Join(k.names, "cache"), ""},
		{"read-only", k.cache, "mkdir"},
		{"full disk", k.cache, "write"},
		{"full disk at the end", k.cache, "sync"},
		{"no rename", k.cache, "rename"},
	} {
		t.Run(test.name, func(t *testing.T) {
			artifact.Intercept(func(s artifact.Step) error {
				if s.Op == test.fails {
					return full
				}
				return nil
			})
			defer artifact.Intercept(nil)
			said, got := k.open(t.Context(), ctxnorm.DictionaryOptions{Cache: test.cache})
			wantSaid(t, reading, said, "the next run reads the dictionary again")
			must.Equal(t, got, want, "links")
			if left := k.entries("*.idx"); left != nil {
				t.Errorf("left %q", left)
			}
		})
	}
}

// TestKeepStops stops building at each of its first steps and at some later ones. It must end within 4,096 names of
// each worker, and leave nothing behind.
func TestKeepStops(t *testing.T) {
	k := newKeptTest(t)
	const passes = 10
	growth := 2
	if testing.Short() {
		growth = 1
	}
	for at := 1; ; at += 1 + at/growth {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var counting sync.Mutex
		steps, parts := 0, 0.
		counted := parallel.WithCounter(ctx, func(part float64) {
			counting.Lock()
			defer counting.Unlock()
			if steps++; steps == at {
				cancel()
			}
			parts += part
		})
		m, _, err := ctxnorm.OpenDictionaries(counted, []string{k.names}, ctxnorm.DictionaryOptions{Cache: k.cache})
		if steps < at {
			if err != nil || math.Abs(parts-passes) > 1e-6 {
				t.Errorf("%v after %g passes, want %d", err, parts, passes)
			}
			m.Close()
			if steps < 2*passes {
				t.Errorf("%d steps, want %d at least", steps, 2*passes)
			}
			return
		}
		if !errors.Is(err, context.Canceled) || k.entries("*") != nil || steps > at+parallel.Workers(0)+1 {
			t.Errorf("stopped at step %d: %v after %d and %q, want %v and nothing", at, err, steps, k.entries("*"), context.Canceled)
		}
	}
}
