package main

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	--answers) cp answers.jsonl "$2" ;;
	--model) mkdir -p "$2" ;;
	esac
	shift
done
`

// answers are those of [fakeProgram] on the gold: the first is right, and the second is wrong.
const answers = `{"document": "1", "start": 0, "end": 5, "text": "Sprue", "type": "Disease", "candidates": [{"id": "C1"}]}
{"document": "2", "start": 0, "end": 7, "text": "Rickets", "type": "Disease", "candidates": [{"id": "C1"}]}
`

const gold = "1|t|Sprue.\n1|a|\n1\t0\t5\tSprue\tDisease\tC1\n\n2|t|Rickets.\n2|a|\n2\t0\t7\tRickets\tDisease\tC2\n\n"

func write(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

func newSettings(t *testing.T) *settings {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "ctxnorm"), fakeProgram, 0o777)
	write(t, filepath.Join(dir, "answers.jsonl"), answers, 0o666)
	write(t, filepath.Join(dir, "dict.tsv"), "id\tname\nC1\tsprue\nC2\trickets\n", 0o666)
	write(t, filepath.Join(dir, "dev.pubtator"), gold, 0o666)
	f, err := os.Create(filepath.Join(dir, "train.pubtator.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := gzip.NewWriter(f)
	if _, err := z.Write([]byte(strings.ReplaceAll(gold, "\n", "\r\n"))); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return &settings{Data: dir, Program: filepath.Join(dir, "ctxnorm"), Out: filepath.Join(dir, "out"), Seed: 1}
}

func testExperiment() *experiment {
	return &experiment{
		name: "test", title: "Test", dict: []string{"dict.tsv"}, train: "train.pubtator.gz", dev: "dev.pubtator", policy: "strict", paperPolicy: "biosyn",
		systems: func() []system {
			return []system{
				{name: "a", title: "A", model: "b", link: "tfidf"},
				{name: "b", title: "B", own: true, train: []string{"--encoder", "none"}, labels: 1, link: "ranked", paper: ".9", refined: ".7"},
				{name: "c", title: "C", link: "ranked"},
			}
		},
	}
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
	s, e := newSettings(t), testExperiment()
	row := func(name string) (bool, error) {
		systems := e.systems()
		return s.runRow(t.Context(), e, systems[slices.IndexFunc(systems, func(y system) bool { return y.name == name })])
	}
	write(t, filepath.Join(s.Data, "fail"), "", 0o666)
	if _, err := row("b"); err == nil || !strings.Contains(err.Error(), "ctxnorm train") {
		t.Errorf("error %v, want one that names the command", err)
	}
	if err := os.Remove(filepath.Join(s.Data, "fail")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := row("a"); err != nil { // with the model of b
			t.Fatal(err)
		}
	}
	want := []string{"train", "train", "eval", "eval"}
	if diff := cmp.Diff(want, s.calls(t)); diff != "" {
		t.Fatalf("calls (-want +got):\n%s", diff)
	}
	s.Seed = 2
	if ran, err := row("b"); err != nil || !ran {
		t.Errorf("with another seed it ran: %v, error %v", ran, err)
	}
	if diff := cmp.Diff(append(want, "train", "eval"), s.calls(t)); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

func TestTable(t *testing.T) {
	s, e := newSettings(t), testExperiment()
	s.Corpus = "with"
	args := []string{"eval", s.Data + "/dev.pubtator", "without"}
	for _, y := range e.systems()[:2] {
		write(t, filepath.Join(s.folder(e, y.name), answerFile), answers, 0o666)
		made := row{Eval: &step{Args: args, Shown: s.show(args), Version: "v1"}}
		if err := s.writeRow(e, y.name, made); err != nil {
			t.Fatal(err)
		}
	}
	text, err := s.section(e)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"The lead is that of *B*.",
		"| A | .500 | 1/2 | .000 to 1.000 | .000 (.000 to .000) | 1.000, 1.000 | .500, 1/2 |  |  |",
		"| B | .500 | 1/2 | .000 to 1.000 |  |  | .500, 1/2 | .9 |  |",
		"| C | not run |",
		"Refined dev set: 0 mentions",
		"| B | .000 | 0/0 | .000 to .000 |  |  | .000, 0/0 | .7 |  |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	e.paperPolicy = ""
	if plain, err := s.section(e); err != nil || strings.Contains(plain, paperCount) || !strings.Contains(plain, "| A | .500 | 1/2 | .000 to 1.000 | .000 (.000 to .000) | 1.000, 1.000 |  |  |\n") {
		t.Errorf("without the papers' count: %v\n%s", err, plain)
	}
	if strings.Contains(text, s.Data) || !strings.Contains(text, "    ctxnorm eval $CTXNORM_DATA/dev.pubtator without\n") {
		t.Errorf("a folder of this machine is in\n%s", text)
	}
}

func TestFirstDocuments(t *testing.T) {
	s, e := newSettings(t), testExperiment()
	for range 2 {
		path, err := s.labels(e, 1)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if want := gold[:strings.Index(gold, "2|t|")]; string(data) != want {
			t.Errorf("%q, want %q", data, want)
		}
	}
	if got := firstDocuments(gold, 5); got != gold {
		t.Errorf("%q, want all of it", got)
	}
}

// TestExperiments: names are folders and must be distinct, and the owners of models must be there.
func TestExperiments(t *testing.T) {
	seen := make(map[string]bool)
	for _, e := range experiments {
		for _, y := range e.systems() {
			if name := e.name + "/" + y.name; seen[name] {
				t.Errorf("%s: is there twice", name)
			} else {
				seen[name] = true
			}
		}
		for _, y := range e.systems() {
			if y.model != "" && !seen[e.name+"/"+y.model] {
				t.Errorf("%s/%s: has the model of %s, which is not there", e.name, y.name, y.model)
			}
			if y.model == "" && len(y.train) == 0 && !y.own && !y.given || y.link == "" {
				t.Errorf("%s/%s: trains with %q and links with %q", e.name, y.name, y.train, y.link)
			}
			if y.labels != 0 && e.train == "" {
				t.Errorf("%s/%s: has labels, and the experiment none", e.name, y.name)
			}
		}
	}
}
