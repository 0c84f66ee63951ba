package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// testLab returns a lab for commands of the shell.
func testLab(t *testing.T, seconds float64, megabytes int) *lab {
	return &lab{ctx: t.Context(), settings: &settings{Limit: seconds, Memory: megabytes, Seed: 1}, root: t.TempDir()}
}

func TestFault(t *testing.T) {
	for _, test := range []struct{ name, script, want string }{
		{"success", "echo fine", ""},
		{"an error with a message", "echo 'ctxnorm: no such file' >&2; exit 2", ""},
		{"an error without a message", "exit 2", "without a message"},
		{"another exit status", "echo no >&2; exit 3", "exit status 3, want exit status 0, 1 or 2: no"},
		{"a panic in Go", "echo 'panic: runtime error: index out of range [5]' >&2; exit 2", "crashed: panic: runtime error"},
		{"a panic in Rust", "echo \"thread '<unnamed>' panicked at src/lib.rs:1\" >&2; exit 2", "crashed: thread"},
		{"the word panic in a message", "echo 'ctxnorm: name \"panic: disorder\" is unknown' >&2; exit 2", ""},
		{"a signal", "kill -SEGV $$", "signal: segmentation fault"},
		{"too long", "sleep 20", "not done after 1 s"},
		{"too much memory", "exec tail /dev/zero", "the limit is 100"},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := testLab(t, 1, 100)
			if strings.Contains(test.name, "memory") {
				l.settings.Limit = 20
			}
			o := l.run(command{args: []string{"/bin/bash", "-c", test.script}})
			if err := o.fault(); (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("fault is %v, want %q", err, test.want)
			}
		})
	}
}

// TestRun kills a command with what it started, and keeps little of what a command prints.
func TestRun(t *testing.T) {
	l := testLab(t, 60, 1000)
	start := time.Now()
	o := l.run(command{args: []string{"/bin/sh", "-c", "sleep 15 & sleep 15"}, kill: 50 * time.Millisecond})
	if took := time.Since(start); o.end != "signal: killed" || took > 10*time.Second {
		t.Errorf("%s after %v, want a kill after 0.05 s", o.end, took)
	}
	o = l.run(command{args: []string{"head", "-c", strconv.Itoa(2 * keepOutput), "/dev/zero"}})
	if o.exit != 0 || len(o.stdout) != keepOutput {
		t.Errorf("exit status %d, %d bytes of output kept, want %d", o.exit, len(o.stdout), keepOutput)
	}
}

func TestMutate(t *testing.T) {
	const text = "id\tname\nC1\tasthma\nC2\thypertension 12\n"
	data, seen := []byte(text), map[string]bool{}
	for seed := range uint64(500) {
		for _, isText := range []bool{true, false} {
			how, got := mutate(rand.New(rand.NewPCG(seed, 1)), data, isText)
			again, same := mutate(rand.New(rand.NewPCG(seed, 1)), data, isText)
			if how != again || !bytes.Equal(got, same) {
				t.Fatalf("seed %d: two mutations: %s and %s", seed, how, again)
			}
			if !bytes.Equal(got, data) {
				seen[strings.Map(func(r rune) rune { return map[bool]rune{true: '#', false: r}[r >= '0' && r <= '9'] }, how)] = true
			}
		}
		mutateGzip(rand.New(rand.NewPCG(seed, 1)), data)
		mutate(rand.New(rand.NewPCG(seed, 1)), nil, true)
	}
	if string(data) != text || len(seen) < 14 {
		t.Errorf("%d kinds of mutations, want 14 or more: %v; the input is %q", len(seen), seen, data)
	}
}

// TestCases reads the files of cases: every row has its columns, and every flood can be made.
func TestCases(t *testing.T) {
	for _, row := range rows("files.txt") {
		must.Equal(t, len(row), 4, "files.txt", row)
	}
	l := testLab(t, 1, 1)
	for _, name := range []string{"dictionary.tsv", "sentences.jsonl", "gold.jsonl", "pubmed/example01.xml", "answers.jsonl", "dictionary.xlsx"} {
		write(t, l.root, map[string]string{name: "fixture"})
	}
	inputs := l.inputs()
	if len(inputs) < 40 {
		t.Errorf("%d inputs", len(inputs))
	}
	for _, in := range inputs {
		if in.line == "" || len(in.seed) == 0 {
			t.Errorf("input %+v", in)
		}
	}
	for _, row := range rows("floods.txt") {
		if data := floodData(append(row[2:], "", "")[:3]); len(data) > 64<<20 {
			t.Errorf("%s: %d bytes", row[0], len(data))
		}
	}
	data := floodData([]string{`"head "`, `3*"ab"`, `" tail"`})
	unpacked := must.Get(gzip.NewReader(bytes.NewReader(data)))
	var text bytes.Buffer
	if _, err := text.ReadFrom(unpacked); err != nil || text.String() != "head ababab tail" {
		t.Errorf("unpacked %q, %v", text.String(), err)
	}
}

func write(t *testing.T, dir string, files map[string]string) string {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Succeed(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

func TestTreeIgnoresTimes(t *testing.T) {
	want := write(t, t.TempDir(), map[string]string{"manifest.json": `{"seconds": 1, "files": {"a": {"size": 1}, "training/curve.jsonl": {"size": 5}}, "crc32c": "0f1e2d3c"}`, "a": "x", "training/curve.jsonl": "1"})
	same := write(t, t.TempDir(), map[string]string{"manifest.json": `{"seconds": 2, "files": {"a": {"size": 1}, "training/curve.jsonl": {"size": 6}}, "crc32c": "4b5a6978"}`, "a": "x", "training/curve.jsonl": "2"})
	sameTree(same, want)
	other := write(t, t.TempDir(), map[string]string{"manifest.json": `{"seconds": 1, "files": {"a": {"size": 2}}}`, "b": "x"})
	err := harness.Try(func() { sameTree(other, want) })
	for _, name := range []string{`"a"`, `"b"`, `"manifest.json"`} {
		must.Fail(t, err, name, "differences")
	}
}
