package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// testLab returns a lab for commands of the shell.
func testLab(t *testing.T, seconds float64, megabytes int) *lab {
	t.Helper()
	return &lab{ctx: context.Background(), settings: &settings{Limit: seconds, Memory: megabytes, Seed: 1}, root: t.TempDir()}
}

func TestFault(t *testing.T) {
	for _, test := range []struct{ name, script, want string }{
		{"success", "echo fine", ""},
		{"an error with a message", "echo 'ctxnorm: no such file' >&2; exit 2", ""},
		{"an error without a message", "exit 2", "without a message"},
		{"another exit status", "echo no >&2; exit 3", "exit status 3, want 0, 1 or 2: no"},
		{"a panic in Go", "echo 'panic: runtime error: index out of range [5]' >&2; exit 2", "crashed: panic: runtime error"},
		{"a panic in Rust", "echo \"thread '<unnamed>' panicked at src/lib.rs:1\" >&2; exit 2", "crashed: thread"},
		{"the word panic in a message", "echo 'ctxnorm: name \"panic: disorder\" is unknown' >&2; exit 2", ""},
		{"a signal", "kill -SEGV $$", "ended by the signal segmentation fault"},
		{"too long", "sleep 20", "not done after 1 s"},
		{"too much memory", "exec tail /dev/zero", "the limit is 100"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l := testLab(t, 1, 100)
			if strings.Contains(test.name, "memory") {
				l.settings.Limit = 20
			}
			o, err := l.run(command{args: []string{"/bin/bash", "-c", test.script}})
			if err != nil {
				t.Fatal(err)
			}
			switch err := o.fault(); {
			case test.want == "" && err != nil:
				t.Errorf("fault is %v, want none", err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("fault is %v, want %s", err, test.want)
			}
		})
	}
}

func TestRunKills(t *testing.T) {
	l := testLab(t, 20, 1000)
	o, err := l.run(command{args: []string{"/bin/sh", "-c", "sleep 15 & sleep 15"}, kill: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if o.signal == 0 || o.seconds > 10 {
		t.Errorf("signal %v after %.1f s, want a kill after 0.05 s", o.signal, o.seconds)
	}
}

func TestMutate(t *testing.T) {
	data := []byte("id\tname\nC1\tasthma\nC2\thypertension 12\n")
	seen := map[string]bool{}
	for seed := range uint64(500) {
		for _, isText := range []bool{true, false} {
			how, got := mutate(rand.New(rand.NewPCG(seed, 1)), data, isText)
			again, same := mutate(rand.New(rand.NewPCG(seed, 1)), data, isText)
			if how != again || !bytes.Equal(got, same) {
				t.Fatalf("seed %d: two mutations: %s and %s", seed, how, again)
			}
			if !bytes.Equal(got, data) {
				seen[strings.Map(func(r rune) rune {
					if r >= '0' && r <= '9' {
						return '#'
					}
					return r
				}, how)] = true
			}
		}
		mutateGzip(rand.New(rand.NewPCG(seed, 1)), data)
		mutate(rand.New(rand.NewPCG(seed, 1)), nil, true)
	}
	if string(data) != "id\tname\nC1\tasthma\nC2\thypertension 12\n" {
		t.Error("mutate changed its input")
	}
	if len(seen) < 14 {
		t.Errorf("%d kinds of mutations, want 14 or more: %v", len(seen), seen)
	}
}

// TestSealFile changes files that manifests list, those of this version and of earlier ones.
func TestSealFile(t *testing.T) {
	const name = "index/a.bin"
	type list []map[string]any
	for _, test := range []struct {
		manifest string
		files    func(d artifact.Digest) any
		write    func(path string, v any) error
	}{
		{"of a model", func(d artifact.Digest) any { return artifact.Digests{name: d} }, artifact.WriteCheckedJSON},
		{"of a model without checksums of blocks", func(d artifact.Digest) any {
			return artifact.Digests{name: {Size: d.Size, SHA256: d.SHA256}}
		}, artifact.WriteJSON},
		{"of a corpus", func(d artifact.Digest) any {
			return list{{"name": "b"}, {"name": name, "bytes": d.Size, "sha256": d.SHA256}}
		}, artifact.WriteCheckedJSON},
		{"of a corpus without a checksum", func(d artifact.Digest) any {
			return list{{"name": name, "bytes": d.Size, "sha256": d.SHA256}}
		}, artifact.WriteJSON},
	} {
		for change, contents := range map[string][2]string{"longer": {"a", "bcd"}, "empty": {"a", ""}, "no longer empty": {"", "a"}} {
			t.Run(test.manifest+", "+change, func(t *testing.T) {
				write := func(dir, content string) artifact.Digest {
					path := filepath.Join(dir, name)
					err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644))
					digest, digestErr := artifact.DigestFile(path)
					if err := errors.Join(err, digestErr); err != nil {
						t.Fatal(err)
					}
					return digest
				}
				manifest := func(dir string) map[string]any {
					data, err := os.ReadFile(filepath.Join(dir, manifestFile))
					if err != nil {
						t.Fatal(err)
					}
					if _, err := artifact.CheckJSON(data); err != nil {
						t.Fatal(err)
					}
					fields := map[string]any{}
					if err := json.Unmarshal(data, &fields); err != nil {
						t.Fatal(err)
					}
					delete(fields, "crc32c") // which depends on the order of the fields
					return fields
				}
				sealed, want := t.TempDir(), t.TempDir()
				err := test.write(filepath.Join(sealed, manifestFile), map[string]any{"format": 5, "files": test.files(write(sealed, contents[0]))})
				write(sealed, contents[1])
				err = errors.Join(err, sealFile(sealed, name),
					test.write(filepath.Join(want, manifestFile), map[string]any{"format": 5, "files": test.files(write(want, contents[1]))}))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(manifest(want), manifest(sealed)); diff != "" {
					t.Errorf("manifest (-as if written so +sealed):\n%s", diff)
				}
			})
		}
	}
	dir := t.TempDir()
	err := errors.Join(artifact.WriteJSON(filepath.Join(dir, manifestFile), map[string]any{"files": map[string]any{}}), os.WriteFile(filepath.Join(dir, "b"), nil, 0o644))
	if err == nil {
		err = sealFile(dir, "b")
	}
	if !errors.As(err, new(skipError)) {
		t.Errorf("error of a file that is not listed is %v, want a skip", err)
	}
}

func TestFloodIsOneGzipFile(t *testing.T) {
	f := flood{head: "head ", unit: "0123456789abcdef", tail: " tail"}
	path := filepath.Join(t.TempDir(), "flood.gz")
	if err := f.write(path); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	start := make([]byte, 1<<20)
	if _, err := r.Read(start[:5]); err != nil || string(start[:5]) != "head " {
		t.Fatalf("starts with %q, %v", start[:5], err)
	}
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 64<<20 {
		t.Errorf("the file has %d bytes, want a few megabytes", info.Size())
	}
}

func TestTreeIgnoresTimes(t *testing.T) {
	write := func(files map[string]string) string {
		dir := t.TempDir()
		for name, text := range files {
			path := filepath.Join(dir, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	want := write(map[string]string{"manifest.json": `{"seconds": 1, "files": {"a": {"size": 1}, "training/curve.jsonl": {"size": 5}}, "crc32c": "0f1e2d3c"}`, "a": "x", "training/curve.jsonl": "1"})
	same := write(map[string]string{"manifest.json": `{"seconds": 2, "files": {"a": {"size": 1}, "training/curve.jsonl": {"size": 6}}, "crc32c": "4b5a6978"}`, "a": "x", "training/curve.jsonl": "2"})
	if err := sameTree(same, want); err != nil {
		t.Errorf("times count: %v", err)
	}
	other := write(map[string]string{"manifest.json": `{"seconds": 1, "files": {"a": {"size": 2}}}`, "b": "x"})
	err := sameTree(other, want)
	if err == nil || err.Error() != "a is missing, b is left over, manifest.json differs" {
		t.Errorf("differences are %v", err)
	}
}

func TestCountLog(t *testing.T) {
	log := "10  renameat(AT_FDCWD, \"a\", AT_FDCWD, \"b\") = 0\n11  renameat(AT_FDCWD, \"c\", AT_FDCWD, \"d\" <unfinished ...>\n" +
		"10  fsync(3) = 0\n11  <... renameat resumed>) = 0\n11  renameat(AT_FDCWD, \"e\", AT_FDCWD, \"f\") = 0\n10  +++ exited with 0 +++\n"
	if diff := cmp.Diff(map[string]int{"renameat": 2, "fsync": 1}, countLog([]byte(log))); diff != "" {
		t.Errorf("countLog (-want +got):\n%s", diff)
	}
}

// TestRunKeepsLittle runs a command that prints more than is kept.
func TestRunKeepsLittle(t *testing.T) {
	l := &lab{ctx: t.Context(), settings: &settings{Limit: 60, Memory: 2048}}
	o, err := l.run(command{args: []string{"head", "-c", strconv.Itoa(2 * keepOutput), "/dev/zero"}})
	if err != nil || o.exit != 0 || len(o.stdout) != keepOutput {
		t.Errorf("%v, exit status %d, %d bytes of output kept, want %d", err, o.exit, len(o.stdout), keepOutput)
	}
}

func TestJournalDocuments(t *testing.T) {
	output := filepath.Join(t.TempDir(), "linked.jsonl")
	if n, err := journalDocuments(output); n != 0 || err != nil {
		t.Errorf("%d documents without a journal, %v, want none", n, err)
	}
	journal := `{"settings":"s"}` + "\n" + `{"documents":"h","mentions":[[],[{}]]}` + "\n" + `{"documents":"h","mentions":[[]]}` + "\n" + `{"documents":"h","men`
	if err := os.WriteFile(output+".partial", []byte(journal), 0o644); err != nil {
		t.Fatal(err)
	}
	if n, err := journalDocuments(output); n != 3 || err != nil {
		t.Errorf("%d documents, %v, want those of the lines that have an end, 3", n, err)
	}
}

func TestResults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.jsonl")
	first := result{Program: "p", Seed: 1, Class: "flood", Case: "tsv", Outcome: outcomePassed, Seconds: 1.5}
	other := result{Program: "q", Seed: 1, Class: "flood", Case: "csv", Outcome: outcomeFailed, Why: "2100 MiB <of> memory"}
	var b bytes.Buffer
	for _, r := range []result{first, other} {
		if err := writeResult(&b, r); err != nil {
			t.Fatal(err)
		}
	}
	whole := b.String()
	if err := os.WriteFile(path, []byte(whole+`{"program":"p","se`), 0o644); err != nil {
		t.Fatal(err)
	}
	done, err := readResults(path, "p", 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]result{"flood/tsv": first}, done); diff != "" {
		t.Errorf("results of the program (-want +got):\n%s", diff)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != whole {
		t.Errorf("the line that has no end is still there: %q, %v", data, err)
	}
	if done, err = readResults(path, "p", 2); err != nil || len(done) != 0 {
		t.Errorf("results of another seed: %v, %v", done, err)
	}
	if _, err := readResults(filepath.Join(t.TempDir(), "none"), "", 1); err == nil {
		t.Error("results to compare with that are missing are no error")
	}
}

func TestCompareTable(t *testing.T) {
	before := map[string]result{}
	var after []result
	for i, outcomes := range [][2]string{{outcomeFailed, outcomePassed}, {outcomePassed, outcomePassed}, {outcomeSkipped, outcomeFailed}, {outcomePassed, outcomeFailed}} {
		name := fmt.Sprint(i)
		before["flood/"+name] = result{Class: "flood", Case: name, Outcome: outcomes[0]}
		after = append(after, result{Class: "flood", Case: name, Outcome: outcomes[1]})
	}
	after = append(after, result{Class: "clock", Case: "new", Outcome: outcomePassed})
	want := "| case | tried | before | after |\n| --- | ---: | ---: | ---: |\n| flood | 3 | 2 | 2 |\n| all | 3 | 2 | 2 |\n"
	if got := compareTable(before, after); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
