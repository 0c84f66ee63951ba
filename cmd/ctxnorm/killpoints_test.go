//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// killVariable makes the program kill itself before the change of the file system with that number, counted from 1.
// Creating or filling a temporary file does not count, nor does a flush to disk, because other processes cannot see
// these.
const killVariable = "CTXNORM_TEST_KILL_AT"

// mainOrDie is main with support for killVariable.
func mainOrDie() {
	if at, err := strconv.Atoi(os.Getenv(killVariable)); err == nil {
		var steps atomic.Int64 // the program changes several files concurrently
		artifact.Intercept(func(s artifact.Step) error {
			switch s.Op {
			case "create", "write", "chmod", "sync":
				return nil
			}
			if steps.Add(1) == int64(at) {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
			return nil
		})
	}
	main()
}

// killPoint runs the program in dir and kills it before the change with the given number; 0 does not kill it. It
// reports whether the program ended by itself.
func killPoint(t *testing.T, dir string, at int, args []string) (ended bool) {
	t.Helper()
	program := must.Get(os.Executable())
	command := exec.Command(program)
	command.Args = append([]string{"ctxnorm"}, args...)
	command.Dir = dir
	command.Env = append(os.Environ(), fmt.Sprintf("%s=%d", killVariable, at))
	out, err := command.CombinedOutput()
	if status, ok := command.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return false
	}
	must.Succeed(t, err, "ctxnorm", strings.Join(args, " "), "after a kill before change", at, string(out))
	return true
}

// tree returns the content of all files below dir by path.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	must.Succeed(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path) // path is below dir
		files[filepath.ToSlash(name)] = string(data)
		return err
	}))
	return files
}

// below returns the files of the tree that are in a folder, without its work folders and the temporary files beside
// their targets.
func below(files map[string]string, folder string) map[string]string {
	found := make(map[string]string)
	for name, content := range files {
		rest, ok := strings.CutPrefix(name, folder+"/")
		if ok && !strings.HasPrefix(rest, "shards/") && !strings.HasPrefix(rest, ".ctxnorm/") && !strings.Contains(rest, ".tmp-") {
			found[rest] = content
		}
	}
	return found
}

// TestKillPoints kills each command that writes a folder before each of its changes of the file system. The folder must
// then be either the complete old one or the complete new one. Running the command again must end with the same bytes
// as a run that was not killed, and leave nothing else.
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
			t.Parallel()
			start := t.TempDir()
			for _, args := range c.setup {
				killPoint(t, start, 0, args)
			}
			before := tree(t, start)
			fresh := func() string {
				dir := t.TempDir()
				must.Succeed(t, os.CopyFS(dir, os.DirFS(start)))
				return dir
			}
			undisturbed := fresh()
			killPoint(t, undisturbed, 0, c.args)
			want := tree(t, undisturbed)
			if cmp.Equal(before, want) {
				t.Fatal("the command changes nothing")
			}
			states := map[string]int{}
			at := 1
			for ended := false; !ended; at++ {
				dir := fresh()
				ended = killPoint(t, dir, at, c.args)
				switch found := below(tree(t, dir), c.folder); {
				case c.folder == "":
				case cmp.Equal(found, below(want, c.folder)):
					states["new"]++
				case cmp.Equal(found, below(before, c.folder)):
					states["old"]++
				default:
					t.Errorf("killed before change %d: the folder is neither the old one nor the new one: it has %d files", at, len(found))
				}
				if ended {
					continue
				}
				killPoint(t, dir, 0, c.args)
				must.Equal(t, tree(t, dir), want, "killed before change", at, "then run again")
			}
			if at < 4 || c.folder != "" && (at < 8 || states["old"] == 0 || states["new"] < 2) {
				t.Errorf("%d changes found the folder %v, want the old and the new one", at-1, states)
			}
			t.Logf("%d changes: %v", at-1, states)
		})
	}
}
