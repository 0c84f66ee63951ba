package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// fakeProgram is a ctxnorm that notes how it is called, makes no model, and answers all mentions with
// C1; it fails while the file "fail" is there.
const fakeProgram = `#!/bin/sh
cd "$(dirname "$0")"
[ "$1" = --version ] && { echo ctxnorm version test; exit; }
echo "$1" >>calls
[ -e fail ] && exit 1
while [ $# -gt 0 ]; do
	case $1 in
	--answers) echo >"$2" ;;
	--json) cat report.json ;;
	esac
	shift
done
`

const gold = "1|t|Sprue.\n1|a|\n1\t0\t5\tSprue\tDisease\tC1\n\n2|t|Rickets.\n2|a|\n2\t0\t7\tRickets\tDisease\tC2\n\n"

func write(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o777))
	must.Succeed(t, os.WriteFile(path, []byte(content), mode))
}

// newSettings returns settings of one experiment: b is trained, and a and the reference c use its model.
func newSettings(t *testing.T) (*settings, *experiment) {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "ctxnorm"), fakeProgram, 0o777)
	write(t, filepath.Join(dir, "gold", "dev.pubtator.gz"), "", 0o666)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte("\n" + gold)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "gold", "train.pubtator.gz"), packed.String(), 0o666)
	e := &experiment{
		Name: "test", Title: "Test", Dict: "dict.tsv", Train: "train", Dev: "dev", Policy: "strict", PaperPolicy: "biosyn", Column: "T",
		systems: []*system{
			{Name: "a", Title: "A", Model: "b", Link: "tfidf", Differs: "smaller"},
			{Name: "b", Title: "B", Own: true, Train: "--encoder none {gold@1}", Link: "ranked", Budget: "--set steps=7", Paper: map[string]string{"T": ".9"}, Refined: map[string]string{"T": ".7"}},
			{Name: "c", Title: "C", Train: "{corpus}", Link: "ranked"},
		},
	}
	s := &settings{Data: dir, Program: filepath.Join(dir, "ctxnorm"), Out: filepath.Join(dir, "out"), Seed: 1, Only: regexp.MustCompile(""), all: []*experiment{e}}
	return s, e
}

func (s *settings) calls(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.Data, "calls"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Fields(string(data))
}

// TestRowsAreRunOnce: a row that was finished is not run again, one that failed is, and so is one
// whose commands have changed.
func TestRowsAreRunOnce(t *testing.T) {
	s, e := newSettings(t)
	write(t, filepath.Join(s.Data, "fail"), "", 0o666)
	must.Fail(t, harness.Try(func() { s.runRow(t.Context(), e, e.systems[1]) }), "ctxnorm train")
	must.Succeed(t, os.Remove(filepath.Join(s.Data, "fail")))
	for range 2 {
		if err := s.runAll(t.Context()); err != nil { // a with the model of b, and not c, as there is no corpus
			t.Fatal(err)
		}
	}
	want := []string{"train", "train", "eval", "eval", "eval", "eval"}
	if diff := cmp.Diff(want, s.calls(t)); diff != "" {
		t.Fatalf("calls (-want +got):\n%s", diff)
	}
	s.Seed = 2
	must.Equal(t, s.runRow(t.Context(), e, e.systems[1]), true, "with another seed it ran")
	must.Equal(t, s.calls(t), append(want, "train", "eval", "eval"), "calls")
}

// report is what the fake program's eval of the reference says: A has 1 of 2 right and B both.
const report = `{"mentions": 2, "outside": 1, "results": [
{"linker": "model: ranked", "policy": "strict", "metrics": [{"name": "Acc@1", "value": 1, "numerator": 2, "denominator": 2, "low": 1, "high": 1}]},
{"linker": "model: ranked", "policy": "biosyn", "metrics": [{"name": "Acc@1", "value": 1, "numerator": 1, "denominator": 1}]},
{"linker": "a.jsonl", "policy": "strict", "metrics": [{"name": "Acc@1", "value": 0.5, "numerator": 1, "denominator": 2, "low": 0, "high": 1}]},
{"linker": "a.jsonl", "policy": "biosyn", "metrics": [{"name": "Acc@1", "value": 0, "numerator": 0, "denominator": 1}]}],
"comparisons": [{"a": "model: ranked", "b": "a.jsonl", "policy": "strict", "slice": "all mentions", "bootstrap_p": 0.04, "mcnemar_p": 0.0001,
"difference": {"value": 0.5, "low": 0.25, "high": 0.75}}]}`

func TestTable(t *testing.T) {
	s, e := newSettings(t)
	write(t, filepath.Join(s.Data, "report.json"), report, 0o666)
	must.Succeed(t, s.runAll(t.Context()))
	text := s.section(t.Context(), e)
	for _, want := range []string{
		"The lead is that of *B*.", "1 of 2 mentions are outside the dictionary, and are right if the answer is NIL.",
		"| A | .500 | 1/2 | .000 to 1.000 | .500 (.250 to .750) | .040, <.001 | .000, 0/1 |  | smaller |",
		"| B | 1.000 | 2/2 | 1.000 to 1.000 |  |  | 1.000, 1/1 | .9 |  |",
		"| C | not run |", "Refined dev set: 2 mentions", "| 1.000, 1/1 | .7 |  |", "| A | as b |",
		"--gold $CTXNORM_DATA/gold/dev.pubtator.gz",
	} {
		must.Contain(t, text, want)
	}
	if strings.Contains(text, s.Data) {
		t.Errorf("the folders of this machine are in\n%s", text)
	}
}

func TestFirstDocuments(t *testing.T) {
	s, e := newSettings(t)
	for range 2 {
		data := must.Get(os.ReadFile(s.labels(e, 1)))
		must.Equal(t, string(data), gold[:strings.Index(gold, "2|t|")])
	}
}

// TestExperiments: names are folders and must be distinct, and the owners of models must be there, and known
// placeholders.
func TestExperiments(t *testing.T) {
	all := readExperiments(systemsFile)
	must.Equal(t, len(all), 10, "experiments")
	s := &settings{Data: "data", Corpus: "corpus", Vectors: "vectors", Model: "model", Base: "base", all: all, Out: t.TempDir()}
	for _, e := range all {
		names := map[string]bool{given: true}
		for _, y := range e.systems {
			if names[y.Name] {
				t.Errorf("%s/%s: is there twice", e.Name, y.Name)
			}
			names[y.Name] = true
		}
		for _, y := range e.systems {
			if y.Model != "" && !names[y.Model] || (y.Model == "") == (y.Train == "") || y.Link == "" {
				t.Errorf("%s/%s: has the model %q, trains with %q and links with %q", e.Name, y.Name, y.Model, y.Train, y.Link)
			}
			if strings.Contains(y.Train, "{gold") && e.Train == "" {
				t.Errorf("%s/%s: has labels, and the experiment none", e.Name, y.Name)
			}
			if err := harness.Try(func() { s.trainArgs(e, y) }); err != nil && !strings.Contains(y.Train, "{gold@") || e.systems == nil {
				t.Errorf("%s/%s: %v", e.Name, y.Name, err)
			}
			if args := s.evalArgs(e, y); y.Model == given != (args[2] == "model") {
				t.Errorf("%s/%s: %v", e.Name, y.Name, args)
			}
		}
	}
}
