package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

func TestSettings(t *testing.T) {
	s, err := parseSettings([]string{"-quick", "-model", "m", "-dict", "names.tsv", "-steps", "5"})
	if err != nil {
		t.Fatal(err)
	}
	if s.Steps != 5 || s.Records != 500 || !slices.Equal(s.widths, []int{1, 3}) || s.Fraction != .02 {
		t.Errorf("%d steps, %d records, dictionaries %v, fraction %g: want 5, which were given, and a quick run's 500, 1 and 3, .02",
			s.Steps, s.Records, s.widths, s.Fraction)
	}
	for want, args := range map[string][]string{
		"-times is 3,1, want":    {"-times", "3,1"},
		"-names is 2, want two":  {"-names", "2"},
		"-times is 1,x, want":    {"-times", "1,x"},
		"there is no base model": {"-model", ""},
	} {
		if _, err := parseSettings(append([]string{"-dict", "d", "-model", "m"}, args...)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: error %v, want %s…", args, err, want)
		}
	}
}

// TestUsersFiles checks that a shard has as many files as the largest size allows.
func TestUsersFiles(t *testing.T) {
	for _, c := range []struct {
		files, each int
	}{{10, 1}, {29, 2}, {30, 3}} {
		files := map[string]string{}
		for i := range c.files {
			files[fmt.Sprintf("%03d.xml", i)] = ""
		}
		dir := write(t, files)
		s, err := parseSettings([]string{"-model", "m", "-dict", "d", "-pubmed", filepath.Join(dir, "*.xml")})
		if err != nil {
			t.Fatal(err)
		}
		if s.Files != c.each {
			t.Errorf("of %d files %d per shard, want %d", c.files, s.Files, c.each)
		}
		if all := s.newTexts().first(s.largest()); len(all) != s.largest()*c.each {
			t.Errorf("the largest size has %d files, want %d", len(all), s.largest()*c.each)
		}
	}
	in := texts{shards: splitRoundRobin([]string{"a", "b", "c", "d", "e", "f"}, 3)}
	if diff := cmp.Diff([]string{"a", "d", "b", "e"}, in.first(2)); diff != "" {
		t.Errorf("files of two shards (-want +got):\n%s", diff)
	}
}

// TestEveryJob checks that names are distinct, and that every job has two sizes or more,
// given or read.
func TestEveryJob(t *testing.T) {
	s, err := parseSettings([]string{"-model", "m", "-dict", "d"})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*job{}
	for _, j := range s.jobs() {
		if found[j.name] != nil {
			t.Errorf("two jobs are called %s", j.name)
		}
		found[j.name] = j
		isAxis := false
		for _, axis := range axes {
			isAxis = isAxis || axis.name == j.by
		}
		if len(j.runs) < 2 || !isAxis || j.same == "" {
			t.Errorf("%s: %d sizes by %q, the same is %q", j.name, len(j.runs), j.by, j.same)
		}
		for _, p := range j.runs {
			if (p.n > 0) == (p.size != "") {
				t.Errorf("%s: size %g and its field %q, want one of them", j.name, p.n, p.size)
			}
		}
	}
}

// write makes files in a new folder and returns the folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestReadFolder(t *testing.T) {
	corpus := write(t, map[string]string{
		"manifest.json":     `{"format": 2, "settings": {"dictionary": {"names": 7}}, "inputs": [{"bytes": 10}], "totals": {"records": 3}}`,
		"sentences.parquet": "12345",
	})
	model := write(t, map[string]string{
		"manifest.json":        `{"format": 2, "dictionary": {"names": 8, "hash": "h"}, "index": {"contexts": 9}}`,
		"training/curve.jsonl": `{"step": 1, "seconds": 2} {"step": 2, "seconds": 2.5} {"step": 3, "seconds": 3.5}`,
	})
	size := func(dir, file string) float64 {
		info, err := os.Stat(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		return float64(info.Size())
	}
	l, err := readFolder(corpus)
	want := harness.Line{"format": 2., "settings.dictionary.names": 7., "totals.records": 3., "sentences.parquet": 5., "manifest.json": size(corpus, "manifest.json"), "bytes": 5 + size(corpus, "manifest.json")}
	if diff := cmp.Diff(want, l); err != nil || diff != "" {
		t.Errorf("corpus: %v (-want +got):\n%s", err, diff)
	}
	l, err = readFolder(model, corpus)
	want["dictionary.names"], want["index.contexts"] = 8., 9.
	want["bytes"] = size(model, "manifest.json") + size(model, "training/curve.jsonl")
	want["manifest.json"], want["curve.jsonl"] = size(model, "manifest.json"), size(model, "training/curve.jsonl")
	want["step_ms"] = 750. // (3.5 - 2)/2 s
	if diff := cmp.Diff(want, l); err != nil || diff != "" {
		t.Errorf("model: %v (-want +got):\n%s", err, diff)
	}
	for name, dir := range map[string]string{"no manifest": t.TempDir(), "broken": write(t, map[string]string{"manifest.json": "{"})} {
		if l, err := readFolder(dir); err == nil {
			t.Errorf("%s: read as %v", name, l)
		}
	}
}

// TestReport projects 1 + n/10,000 s of records: 1 + 36,000,000/10,000 s = 3,601 s. Of 300 MB, with the exponent
// log(300/230)/log(100/30) = .2207, they come to at most 300·360^.2207 = 1,100.
func TestReport(t *testing.T) {
	j := &job{name: "build-corpus", by: "records", same: "the rest", runs: []*process{{}}}
	for _, p := range [][3]float64{{10_000, 2, 210}, {30_000, 4, 230}, {100_000, 11, 300}} {
		j.lines = append(j.lines, []harness.Line{{"n": p[0], "wall_seconds": p[1], "peak_mb": p[2]}})
	}
	got := markdown("today", "settings", []*job{j, {name: "train", by: "records", failed: "no model"}})
	for _, want := range []string{
		"| build-corpus: time | 10,000: 2.00 s, 30,000: 4.00 s, 100,000: 11.0 s | 0 % | 1.00 s | 0.1000 s | 1.00 | 1h0m1s |",
		"| 1.00 | at most 1.1 GiB |", "- train failed: no model",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in the report:\n%s", want, got)
		}
	}
}

// TestMeasure checks that runs go size by size, that what they need is made once, and
// that a failure does not show the user's folders.
func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	shell := func(script string) *process {
		return &process{Process: harness.Process{Args: []string{"/bin/sh", "-c", "cd " + dir + " && " + script}, Threads: 1, Read: harness.FirstLine}}
	}
	need := shell(`echo made >> log; echo '{}'`)
	sized := func(n string) *process {
		p := shell("echo " + n + ` >> log; echo '{"n": ` + n + `}'`)
		p.size, p.needs = "n", []*process{need}
		return p
	}
	redact := strings.NewReplacer(dir, "DIR")
	j := &job{name: "j", runs: []*process{sized("1"), sized("3")}}
	if j.measure(t.Context(), 2, redact); j.failed != "" {
		t.Fatal(j.failed)
	}
	if log, err := os.ReadFile(filepath.Join(dir, "log")); err != nil || string(log) != "made\n1\n3\n1\n3\n" {
		t.Errorf("the runs were %q (%v)", log, err)
	}
	points, _ := j.points("n")
	if diff := cmp.Diff([]point{{1, 1}, {3, 3}}, points, near); diff != "" {
		t.Errorf("points (-want +got):\n%s", diff)
	}
	unsized, needy, odd := shell("echo '{}'"), shell("true"), shell("true")
	unsized.size, needy.needs = "n", []*process{shell("exit 4")}
	odd.Read = func([]byte) (harness.Line, error) { return nil, errors.New("odd") }
	for want, p := range map[string]*process{
		"/bin/sh -c cd DIR && echo no >&2; exit 1: exit status 1: no": shell("echo no >&2; exit 1"),
		"exit status 4": needy, "there is no field n": unsized, ": odd": odd,
	} {
		j := &job{runs: []*process{p}}
		if j.measure(t.Context(), 1, redact); !strings.Contains(j.failed, want) {
			t.Errorf("failed %q, want %q", j.failed, want)
		}
	}
}
