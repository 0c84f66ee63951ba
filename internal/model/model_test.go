package model

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

// buildGut builds an uncalibrated model of three concepts in a new folder and returns the folder. change, if not nil,
// changes the options.
func buildGut(t testing.TB, encoder *fixtures.BagOfWords, change func(*BuildOptions)) string {
	t.Helper()
	o := gutOptions(t, filepath.Join(t.TempDir(), "model"))
	if encoder != nil {
		o.Encoder, o.EncoderDir = encoder, fixtures.EncoderDir(t)
	}
	if change != nil {
		change(&o)
	}
	must.Get(Build(t.Context(), o))
	return o.Dir
}

// gutOptions returns the options of a model of three concepts in dir.
func gutOptions(t testing.TB, dir string) BuildOptions {
	t.Helper()
	tagger, _, err := matcher.NewTagger(fixtures.GutDictionary(), matcher.DefaultNameFilter())
	must.Succeed(t, err)
	return BuildOptions{
		Dir: dir, Dictionary: fixtures.GutDictionary(), Tagger: tagger,
		DictionaryInfo: DictionaryInfo{Source: "gut.tsv", Fraction: 1, Seed: 1},
		Contexts:       fixtures.GutContexts(t), PerConcept: 25, Index: "flat",
	}
}

// open opens a model and closes it at the end of the test.
func open(t testing.TB, dir string, encoder text.Encoder) *Model {
	t.Helper()
	m := must.Get(Open(dir, func(string, string) (text.Encoder, error) { return encoder, nil }))
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// exemplars returns the exemplars of rows.
func exemplars(t testing.TB, rows *ExemplarIndex) []text.Exemplar {
	t.Helper()
	return must.Get(rows.Exemplars())
}

func TestMinedNamesAreApart(t *testing.T) {
	mined := []mine.Synonym{
		{Concept: "G1", Text: "Coeliac Disease", Count: 9, Origin: text.Origin{Mined: "gloss"}}, // a name of the dictionary
		{Concept: "G2", Text: "children belly", Count: 2, Origin: text.Origin{Mined: "also known as"}},
	}
	encoder := fixtures.GutEncoder()
	dir := buildGut(t, encoder, func(o *BuildOptions) { o.CorpusSynonyms = mined })
	got := must.Get(artifact.ReadJSONLines[mine.Synonym](pathIn(dir, minedFile)))
	must.Equal(t, got, mined, "mined names")
	m := open(t, dir, encoder)
	if names, whole := m.Dictionary.CountNames(), m.Names.Len(); names != 3 || whole != 4 {
		t.Errorf("%d names in the dictionary and %d rows, want 3 and 4", names, whole)
	}
	rows := exemplars(t, &m.Names)
	if last := rows[len(rows)-1]; last.Text != "children belly" || last.Origin.Mined != "also known as" {
		t.Errorf("the last name is %q from %q, want the mined children belly", last.Text, last.Origin)
	}
}

func TestBuildReportsProgress(t *testing.T) {
	var got []string
	buildGut(t, fixtures.GutEncoder(), func(o *BuildOptions) {
		o.Progress = func(done, total int) { got = append(got, fmt.Sprintf("%d of %d", done, total)) }
	})
	// 3 names, then 4 contexts, then the sentences of these
	must.Equal(t, got, []string{"0 of 11", "3 of 11", "7 of 11", "11 of 11"})
}

func TestTaggerOfModel(t *testing.T) {
	dir := buildGut(t, nil, nil)
	tagger := must.Get(open(t, dir, nil).Tagger())
	text := "a gastric ulcer"
	mentions := tagger.Tag(nil, text)
	if len(mentions) != 1 || mentions[0].Of(text) != "gastric ulcer" {
		t.Errorf("mentions are %v, want gastric ulcer", mentions)
	}
	flip(t, dir, taggerFile)
	m := open(t, dir, nil) // does not read the tagger
	var fault *files.DamagedError
	if _, err := m.Tagger(); !errors.As(err, &fault) || !strings.HasSuffix(fault.Path, taggerFile) {
		t.Errorf("damaged tagger: %v, want an error about %s", err, taggerFile)
	}
}

func TestAnotherEncoderIsRefused(t *testing.T) {
	dir := buildGut(t, fixtures.GutEncoder(), nil)
	other := fixtures.GutEncoder()
	other.Name = "other"
	_, err := Open(dir, func(string, string) (text.Encoder, error) { return other, nil })
	var fault *files.DamagedError
	if !errors.As(err, &fault) || !strings.HasSuffix(fault.Path, encoderFolder) {
		t.Errorf("Open: %v, want an error about %s", err, encoderFolder)
	}
}

// buildAndDieIn is the environment variable that makes this program build a model in the folder that it names and exit
// halfway, like a killed build.
const buildAndDieIn = "MODEL_TEST_BUILD_AND_DIE_IN"

// TestKilledBuild builds in a place where a killed build has left its temporary folder.
func TestKilledBuild(t *testing.T) {
	if dir := os.Getenv(buildAndDieIn); dir != "" {
		buildGut(t, nil, func(o *BuildOptions) {
			o.Dir = dir
			o.Calibrate = func(context.Context, *Model) (*Calibration, error) { os.Exit(3); return nil, nil }
		})
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "model")
	child := exec.Command(os.Args[0], "-test.run=^TestKilledBuild$")
	child.Env = append(os.Environ(), buildAndDieIn+"="+dir)
	if out, err := child.CombinedOutput(); child.ProcessState.ExitCode() != 3 {
		t.Fatalf("the other process ended with %v: %s", err, out)
	}
	if left, err := filepath.Glob(dir + ".tmp-*"); err != nil || len(left) != 1 {
		t.Fatalf("the killed build left %v, %v, want one folder", left, err)
	}
	must.Succeed(t, CheckTarget(dir))
	buildGut(t, nil, func(o *BuildOptions) { o.Dir = dir })
	entries, err := os.ReadDir(parent)
	if err != nil || len(entries) != 1 || entries[0].Name() != "model" {
		t.Errorf("left are %v, %v, want the model alone", entries, err)
	}
	must.Get(Verify(dir))
}

func TestAbbreviationsInAModel(t *testing.T) {
	table := mine.AbbreviationTable{
		{Short: "CD", Long: []mine.LongForm{{Text: "Crohn's disease", Count: 6, Share: .6}, {Text: "celiac disease", Count: 4, Share: .4}}},
		{Short: "HIV", Long: []mine.LongForm{{Text: "human immunodeficiency virus", Count: 90, Share: .9}}},
	}
	build := func() string { return buildGut(t, nil, func(o *BuildOptions) { o.Abbreviations = table }) }
	dir := build()
	must.Equal(t, open(t, dir, nil).Abbreviations, table, "written and read")
	path := filepath.Join(dir, filepath.FromSlash(abbreviationsFile))
	first := must.Get(os.ReadFile(path))
	second := must.Get(os.ReadFile(filepath.Join(build(), filepath.FromSlash(abbreviationsFile))))
	must.Equal(t, string(first), string(second), "the files of two builds differ")
	must.Equal(t, len(open(t, buildGut(t, nil, nil), nil).Abbreviations), 0, "short forms in a model without")
	for _, damage := range []struct{ content, reason string }{
		{`{"short":"A","long":[{"text":"b","count":1,"share":1}]}` + "\n" + `{"short":`, "byte 56: line 2: want JSON, got an unfinished value"},
		{`{"short":"A","long":[]}`, `short form 1, "A", has no long form`},
		{`{"short":"B","long":[{}]}` + "\n" + `{"short":"A","long":[{}]}`, `short form 2, "A", comes after "B"`},
	} {
		must.Succeed(t, os.WriteFile(path, []byte(damage.content), 0o666))
		_, err := Open(dir, nil)
		must.Fail(t, err, "abbreviations.jsonl: has", "Open", damage.content, "which the manifest does not list")
		seal(t, dir)
		_, err = Open(dir, nil)
		must.Equal(t, fmt.Sprint(err), path+": "+damage.reason, damage.content)
	}
}

func TestAbstentionAt(t *testing.T) {
	a := &Abstention{Rows: []ThresholdRow{{MinProbability: 0}, {MinProbability: .4}, {MinProbability: .8}}}
	for _, tc := range []struct{ minProbability, row float64 }{{0, 0}, {.39, 0}, {.4, .4}, {.79, .4}, {1, .8}} {
		must.Equal(t, a.At(tc.minProbability).MinProbability, tc.row, "At", tc.minProbability)
	}
}

// writeManifest writes a manifest that lists the files in dir as they are.
func writeManifest(dir string, m *Manifest) error {
	m.Files = must.Get(artifact.DigestFolder(dir, manifestFile))
	return artifact.WriteCheckedJSON(filepath.Join(dir, manifestFile), m)
}

// seal updates the manifest to match the files of a model, as if they had been written like that.
func seal(t testing.TB, dir string) {
	t.Helper()
	m := must.Get(ReadManifest(dir))
	must.Succeed(t, writeManifest(dir, m))
}

// flip changes one bit of the last byte of a file.
func flip(t *testing.T, dir, name string) {
	t.Helper()
	path := filepath.Join(dir, name)
	data := must.Get(os.ReadFile(path))
	data[len(data)-1] ^= 1
	must.Succeed(t, os.WriteFile(path, data, 0o666))
}

// TestThresholdFor works out the share of correct results for 80 mentions with a concept in the dictionary and 20
// others.
func TestThresholdFor(t *testing.T) {
	a := &Abstention{Queries: 100, NIL: 20, Rows: []ThresholdRow{
		{MinProbability: 0, Correct: 64},                  // .8 and 0
		{MinProbability: .2, Correct: 60, NILCorrect: 10}, // .75 and .5
		{MinProbability: .5, Correct: 40, NILCorrect: 18}, // .5 and .9
		{MinProbability: .9, Correct: 8, NILCorrect: 20},  // .1 and 1
		{MinProbability: .95, Correct: 8, NILCorrect: 20}, // same as the row before
	}}
	for coverage, want := range map[float64]float64{
		1:   0,
		.95: 0,  // .76 of all results; .7375 at .2
		.8:  .2, // .64, .7, .58, .28
		.5:  .5, // .4, .625, .7, .55
		.1:  .9, // .08, .525, .86, .91
		0:   .9,
	} {
		if got, ok := a.thresholdFor(coverage); !ok || got != want {
			t.Errorf("coverage %g: %g (%t), want %g", coverage, got, ok, want)
		}
	}
	var none *Abstention
	for name, a := range map[string]*Abstention{
		"none": none, "no rows": {Queries: 100, NIL: 50}, "few without a concept": {Queries: 100, NIL: 9, Rows: a.Rows},
		"few with one": {Queries: 100, NIL: 91, Rows: a.Rows},
	} {
		if p, ok := a.thresholdFor(.5); ok {
			t.Errorf("%s: threshold %g, want none", name, p)
		}
	}
}

func TestBestThreshold(t *testing.T) {
	row := func(minProbability float64, correct, nilCorrect int) ThresholdRow {
		return ThresholdRow{MinProbability: minProbability, Correct: correct, NILCorrect: nilCorrect}
	}
	for _, tc := range []struct {
		name string
		a    *Abstention
		want float64
	}{
		{"half of the highest that loses 1 %", &Abstention{Queries: 200, Rows: []ThresholdRow{
			row(0, 100, 0), row(.1, 100, 2), row(.2, 99, 3), row(.3, 98, 5),
		}}, .1},
		{"the lowest with as many NIL", &Abstention{Queries: 20, Rows: []ThresholdRow{
			row(0, 12, 0), row(.2, 12, 2), row(.3, 12, 2), row(.4, 9, 4),
		}}, .1},
		{"no less than .05", &Abstention{Queries: 20, Rows: []ThresholdRow{row(0, 12, 0), row(.06, 12, 2), row(.1, 9, 4)}}, .05},
		{"no more than what loses 1 %", &Abstention{Queries: 20, Rows: []ThresholdRow{row(0, 12, 0), row(.04, 12, 2), row(.1, 9, 4)}}, .04},
		{"every threshold loses more", &Abstention{Queries: 20, Rows: []ThresholdRow{row(0, 12, 0), row(.05, 11, 3)}}, 0},
		{"too few queries", &Abstention{Queries: 19, Rows: []ThresholdRow{row(0, 12, 0), row(.05, 12, 2)}}, 0},
		{"rows of formats before 3", &Abstention{Queries: 20, Rows: []ThresholdRow{row(0, 12, 0), row(.05, 12, 0), row(.1, 11, 0)}}, 0},
		{"no rows", &Abstention{Queries: 20}, 0},
		{"no abstention", nil, 0},
	} {
		must.Equal(t, tc.a.BestThreshold(), tc.want, tc.name)
	}
}
