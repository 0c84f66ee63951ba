//go:build unix

package ctxnorm_test

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/artifact/powerloss"
)

// Wherever power is lost while a corpus or a model is replaced, it is the old one or the new one, whole; and the new
// one when the function that made it has returned.
func TestPowerLoss(t *testing.T) {
	dict := exampleCorpus()
	buildCorpus := func(dir, file string) error {
		_, err := ctxnorm.BuildCorpus(t.Context(), ctxnorm.BuildCorpusOptions{
			Dir: filepath.Join(dir, "corpus"), Inputs: []string{filepath.Join("examples", "pubmed", file)},
			Dictionary: dict, DictionaryPath: "examples/dictionary.tsv",
		})
		return err
	}
	train := func(dir string, seed uint64) error {
		o := exampleOptions(dir)
		o.DictionaryFraction, o.Seed = .5, seed
		_, err := ctxnorm.Train(t.Context(), o)
		return err
	}
	for name, write := range map[string][2]func(dir string) error{
		"corpus": {
			func(dir string) error { return buildCorpus(dir, "example01.xml") },
			func(dir string) error { return buildCorpus(dir, "example02.xml") },
		},
		"model": {
			func(dir string) error { return train(dir, 1) },
			func(dir string) error { return train(dir, 2) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := write[0](dir); err != nil {
				t.Fatal(err)
			}
			before := filesBelow(t, filepath.Join(dir, name))
			recording, err := powerloss.Start(dir)
			if err == nil {
				err = write[1](dir)
			}
			moments, stopped := recording.Stop()
			if err := errors.Join(err, stopped); err != nil {
				t.Fatal(err)
			}
			after := filesBelow(t, filepath.Join(dir, name))
			if cmp.Equal(before, after) {
				t.Fatal("nothing changes")
			}
			for moment := range moments {
				for _, way := range []int{moment % 4, 3} { // 3: any changes may have happened
					state := t.TempDir()
					if err := recording.Restore(state, moment, way, rand.New(rand.NewPCG(uint64(moment), uint64(way)))); err != nil {
						t.Fatal(err)
					}
					found := filesBelow(t, filepath.Join(state, name))
					if isNew := cmp.Equal(found, after); !isNew && (moment == moments-1 || !cmp.Equal(found, before)) {
						t.Errorf("power lost at moment %d of %d, way %d: %d files, neither the old ones nor the new ones", moment, moments, way, len(found))
					}
				}
			}
			t.Logf("%d moments", moments)
		})
	}
}

// filesBelow returns the content of the files below a folder by path, without temporary files and work folders.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, dir))
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "shards" || entry.Name() == ".ctxnorm"):
			return filepath.SkipDir
		case entry.IsDir(), artifact.WithoutTemporary(name) != name:
			return nil
		}
		data, err := os.ReadFile(path)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
