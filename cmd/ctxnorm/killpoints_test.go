//go:build unix

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// recordStates runs the program in the current folder, and returns the folder as it was before each change of the file
// system and at the end. Creating or filling a temporary file does not count, nor does a flush to disk, because other
// processes cannot see these.
func recordStates(t *testing.T, args []string) (states []map[string]string) {
	t.Helper()
	var mu sync.Mutex // the program changes several files concurrently
	artifact.Intercept(func(s artifact.Step) error {
		switch s.Op {
		case "create", "write", "chmod", "sync":
			return fixtures.Unflushed(s)
		}
		mu.Lock()
		defer mu.Unlock()
		states = append(states, tree(t))
		return nil
	})
	defer artifact.Intercept(fixtures.Unflushed)
	runToEnd(t, args, "at first")
	return append(states, tree(t))
}

// runToEnd runs the program, which must succeed.
func runToEnd(t *testing.T, args []string, when ...any) {
	t.Helper()
	code, _, stderr := runArgs(t, args)
	must.Equal(t, code, exitDone, append(when, args, stderr)...)
}

// tree returns the content of all files below the current folder by path, and the paths of folders with a slash.
func tree(t *testing.T) map[string]string {
	t.Helper()
	for {
		files := make(map[string]string)
		err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() {
				files[path+"/"] = ""
				return nil
			}
			data, failed := os.ReadFile(path)
			files[filepath.ToSlash(path)] = string(data)
			return errors.Join(err, failed)
		})
		if !errors.Is(err, fs.ErrNotExist) { // another goroutine has just renamed or removed a file
			must.Succeed(t, err)
			return files
		}
	}
}

// restore makes the current folder as it was.
func restore(t *testing.T, files map[string]string) {
	t.Helper()
	for _, entry := range must.Get(os.ReadDir(".")) {
		must.Succeed(t, os.RemoveAll(entry.Name()))
	}
	for path, content := range files {
		if strings.HasSuffix(path, "/") {
			must.Succeed(t, os.MkdirAll(path, 0o777))
		} else {
			writeFile(t, path, content)
		}
	}
}

// below returns the files of the tree that are in a folder, without its work folders and the temporary files beside
// their targets.
func below(files map[string]string, folder string) map[string]string {
	found := make(map[string]string)
	for name, content := range files {
		rest, ok := strings.CutPrefix(name, folder+"/")
		isWork := strings.HasPrefix(rest, "shards/") || strings.HasPrefix(rest, ".ctxnorm/") || strings.Contains(rest, ".tmp-")
		if ok && !isWork && !strings.HasSuffix(name, "/") {
			found[rest] = content
		}
	}
	return found
}

// TestKillPoints takes the folder of each command as a kill before each of its changes of the file system leaves it. What
// the command writes must then be either the complete old one or the complete new one. Running the command again must
// end with the same bytes as a run that was not killed, and leave nothing else.
func TestKillPoints(t *testing.T) {
	must.SkipShort(t)
	examples := must.Get(filepath.Abs(filepath.Join("..", "..", "examples")))
	dict := filepath.Join(examples, "dictionary.tsv")
	xml := func(n int) string { return filepath.Join(examples, "pubmed", fmt.Sprintf("example%02d.xml", n)) }
	build := func(folder string, files ...string) []string {
		return append([]string{"build-corpus", "--dict", dict, "--corpus", folder}, files...)
	}
	train := []string{"train", "--encoder", "none", "--dict", dict}
	gold, texts := filepath.Join(examples, "gold.jsonl"), filepath.Join(examples, "sentences.jsonl")
	link := slices.Clip([]string{"link", "--dict", dict, "--input", texts, "--output"})
	model := [][]string{build("corpus", xml(1)), train}
	vectors := slices.Clip([]string{"word-vectors", "train", "--corpus", "corpus", "--dim"})
	shared := t.TempDir()
	few := filepath.Join(shared, "few.jsonl")
	writeFile(t, few, strings.Repeat(`{"text":"a case of [ENT] gout [/ENT]"}`+"\n", 4))
	entries := filepath.Join(shared, "entries.jsonl")
	writeFile(t, entries, `{"kind":"name","at":"2026-01-02T03:04:05Z","concept":"EX:013","name":"raised pressure"}`+"\n")
	for _, c := range []struct {
		name   string
		setup  [][]string
		args   []string
		folder string // folder that is replaced as a whole; empty if files are replaced one by one
	}{
		{"build-corpus", nil, build("corpus", xml(1), xml(2)), "corpus"},
		{"build-corpus over a corpus", [][]string{build("corpus", xml(3))}, build("corpus", xml(1)), "corpus"},
		{"corpus merge into a source", [][]string{build("a", xml(1)), build("b", xml(2))}, []string{"corpus", "merge", "--corpus", "a", "a", "b"}, "a"},
		{"train", [][]string{build("corpus", xml(1))}, train, "model"},
		{"train over a model", [][]string{build("corpus", xml(1)), train}, append(slices.Clip(train), "--seed", "2"), "model"},
		{"calibrate", model, []string{"calibrate", "--gold", gold}, "model"},
		{"word-vectors over others", [][]string{build("corpus", xml(1)), append(vectors, "4")}, append(vectors, "5"), "word-vectors"},
		{"link to a folder", nil, []string{"link", "--dict", dict, "--tag", "--input", xml(1), "--output", "linked/"}, "linked"},
		{"link to a file", nil, append(link, "linked.jsonl"), ""},
		{"link to BRAT", nil, []string{"link", "--dict", dict, "--input", few, "--output", "linked", "--format", "brat"}, ""},
		{"eval", model, []string{"eval", "--gold", gold, "--answers", "answers.jsonl", "--errors", "errors.txt"}, ""},
		{"memory import", model, []string{"memory", "import", entries}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, args := range c.setup {
				runToEnd(t, args, "setup")
			}
			before := tree(t)
			all := recordStates(t, c.args)
			want := all[len(all)-1]
			if cmp.Equal(before, want) {
				t.Fatal("the command changes nothing")
			}
			states := map[string]int{}
			for at, state := range all {
				switch found := below(state, c.folder); {
				case c.folder == "":
				case cmp.Equal(found, below(want, c.folder)):
					states["new"]++
				case cmp.Equal(found, below(before, c.folder)):
					states["old"]++
				default:
					t.Errorf("before change %d the folder is neither the old one nor the new one: it has %d files", at+1, len(found))
				}
				if at+1 < len(all) && (at == 0 || !cmp.Equal(state, all[at-1])) {
					restore(t, state)
					runToEnd(t, c.args, "after a kill before change", at+1)
					must.Equal(t, tree(t), want, "killed before change", at+1, "then run again")
				}
			}
			if len(all) < 3 || c.folder != "" && (len(all) < 7 || states["old"] == 0 || states["new"] < 2) {
				t.Errorf("%d changes found the folder %v, want the old and the new one", len(all), states)
			}
			t.Logf("%d changes: %v", len(all), states)
		})
	}
}
