package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

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
