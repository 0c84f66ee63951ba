//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestUmask runs each command that writes files under several umasks. All resulting files and folders must have the
// permissions 0o666 and 0o777 minus the umask.
func TestUmask(t *testing.T) {
	if ctxnorm.CanTrain {
		t.Skip("run in the build in pure Go, which need not load libtorch a hundred times")
	}
	examples := must.Get(filepath.Abs(filepath.Join("..", "..", "examples")))
	self := must.Get(os.Executable())
	program := filepath.Join(t.TempDir(), "ctxnorm") // testscript.Main goes by the name
	must.Succeed(t, os.Symlink(self, program))
	dict, gold := filepath.Join(examples, "dictionary.tsv"), filepath.Join(examples, "gold.jsonl")
	xml := func(n int) string { return filepath.Join(examples, "pubmed", fmt.Sprintf("example%02d.xml", n)) }
	commands := []struct {
		args   []string
		writes []string
	}{
		{[]string{"build-corpus", "--dict", dict, "--corpus", "first", xml(1)}, []string{"first/manifest.json"}},
		{[]string{"build-corpus", "--dict", dict, "--corpus", "second", "--shard", "1/2", xml(2), xml(3)}, []string{"second/shards"}},
		{[]string{"build-corpus", "--dict", dict, "--corpus", "second", "--shard", "2/2", xml(2), xml(3)}, nil},
		{[]string{"build-corpus", "--dict", dict, "--corpus", "second", xml(2), xml(3)}, []string{"second/manifest.json"}},
		{[]string{"corpus", "merge", "--corpus", "corpus", "first", "second"}, []string{"corpus/manifest.json"}},
		{[]string{"train", "--encoder", "none", "--dict", dict}, []string{"model/manifest.json"}},
		{[]string{"calibrate", "--gold", gold}, nil},
		{[]string{"memory", "add", "--name", "gouty pain", "--concept", "EX:001"}, []string{"model.memory"}},
		{[]string{"link", "--input", gold, "--output", "linked.jsonl"}, []string{"linked.jsonl"}},
		{[]string{"link", "--input", gold, "--output", "linked.xlsx", "--format", "xlsx"}, []string{"linked.xlsx"}},
		{[]string{"link", "--input", gold, "--output", "linked.parquet", "--format", "parquet"}, []string{"linked.parquet"}},
		{[]string{"link", "--input", gold, "--output", "linked/"}, []string{"linked"}},
		{[]string{"link", "--input", gold, "--output", "brat", "--format", "brat"}, []string{"brat"}},
		{[]string{"eval", "--gold", gold, "--errors", "errors.tsv", "--answers", "answers.jsonl"}, []string{"errors.tsv", "answers.jsonl"}},
		{[]string{"word-vectors", "train", "--corpus", "corpus", "--dim", "8", "--epochs", "1"}, []string{"word-vectors"}},
	}
	for _, umask := range []fs.FileMode{0o002, 0o027, 0o077} {
		t.Run(fmt.Sprintf("%03o", umask), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "work")
			must.Succeed(t, os.Mkdir(dir, 0o777))
			for _, c := range commands {
				name := strings.Join(c.args, " ")
				command := exec.Command("sh", append([]string{"-c", fmt.Sprintf(`umask %03o && exec "$0" "$@"`, umask), program}, c.args...)...)
				command.Dir = dir
				if out, err := command.CombinedOutput(); err != nil {
					t.Fatalf("ctxnorm %s: %v: %s", name, err, out)
				}
				for _, path := range c.writes {
					if _, err := os.Stat(filepath.Join(dir, path)); err != nil {
						t.Errorf("ctxnorm %s: %v", name, err)
					}
				}
				checkModes(t, dir, umask, name)
			}
		})
	}
}

// checkModes compares the permissions of everything below dir with those that the umask leaves.
func checkModes(t *testing.T, dir string, umask fs.FileMode, after string) {
	t.Helper()
	must.Succeed(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		want := 0o666 &^ umask
		if entry.IsDir() {
			want = 0o777 &^ umask
		}
		must.Equal(t, info.Mode().Perm(), want, "after ctxnorm", after, "the permissions", path)
		return nil
	}))
}
