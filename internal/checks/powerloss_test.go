//go:build unix

package checks

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/memory"
)

// losePower records work in a folder that prepare has filled, and calls check with the states that a loss of power at
// each moment may leave, in the given ways.
func losePower(
	t *testing.T, ways []int, prepare func(dir string), work func(dir string, r *recording),
	check func(dir string, moment, way int) error,
) {
	t.Helper()
	dir := t.TempDir()
	prepare(dir)
	r := must.Get(startRecording(dir))
	work(dir, r)
	moments := must.Get(r.stop())
	for moment := range moments {
		for _, way := range ways {
			state := t.TempDir()
			err := r.restore(state, moment, way, rand.New(rand.NewPCG(uint64(moment), uint64(way))))
			if err == nil {
				err = check(state, moment, way)
			}
			must.Succeed(t, err, "power lost at moment", moment, moments, "way", way)
		}
	}
	t.Logf("%d states", moments*len(ways))
}

var allWays = []int{0, 1, 2, 3, 4, 5}

// TestFilesAfterPowerLoss checks that a file is either the old or the new one, and the new one once writing it has
// returned. This includes files in folders created for them.
func TestFilesAfterPowerLoss(t *testing.T) {
	old, long := strings.Repeat("old ", 1000), strings.Repeat("the new content ", 1000)
	done := make(map[string]int)
	paths := map[string]string{"file": long, filepath.Join("new", "folder", "file"): "short"}
	losePower(t, allWays, func(dir string) {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, "file"), []byte(old), 0o666))
	}, func(dir string, r *recording) {
		for path, content := range paths {
			path = filepath.Join(dir, path)
			must.Succeed(t, errors.Join(artifact.MkdirAll(filepath.Dir(path)), artifact.WriteFile(path, []byte(content))))
			done[content] = r.moment()
		}
	}, func(dir string, moment, _ int) error {
		for path, content := range paths {
			data, err := os.ReadFile(filepath.Join(dir, path))
			isOld := content == long && string(data) == old || content != long && errors.Is(err, fs.ErrNotExist)
			if string(data) != content && (!isOld || moment >= done[content]) {
				return fmt.Errorf("%s has %d bytes, %v; it was written at moment %d", path, len(data), err, done[content])
			}
		}
		return nil
	})
}

// TestFoldersAfterPowerLoss checks that a folder is either the complete old one or the complete new one, and the new
// one once it is committed. A removed folder is either complete or gone.
func TestFoldersAfterPowerLoss(t *testing.T) {
	must.SkipShort(t)
	files := func(dir, name string) map[string]string {
		content := make(map[string]string)
		for i := range 2 {
			content[filepath.Join(dir, fmt.Sprint(name, i))] = strings.Repeat(name, 100*i)
			content[filepath.Join(dir, "below", fmt.Sprint(name, i))] = name
		}
		return content
	}
	write := func(dir, name string) {
		for path, content := range files(dir, name) {
			must.Succeed(t, errors.Join(artifact.MkdirAll(filepath.Dir(path)), artifact.WriteFile(path, []byte(content))))
		}
	}
	has := func(dir, name string) bool {
		for path, content := range files(dir, name) {
			if data, err := os.ReadFile(path); err != nil || string(data) != content {
				return false
			}
		}
		return true
	}
	isGone := func(dir string) bool {
		_, err := os.Stat(dir)
		return errors.Is(err, fs.ErrNotExist)
	}
	var done map[string]int
	losePower(t, allWays, func(dir string) {
		write(filepath.Join(dir, "model"), "old")
		write(filepath.Join(dir, "work"), "work")
	}, func(dir string, r *recording) {
		done = make(map[string]int)
		for _, name := range []string{"model", "another"} {
			folder := must.Get(artifact.CreateFolder(filepath.Join(dir, name)))
			write(folder.Path(), "new")
			must.Succeed(t, folder.Commit())
			done[name] = r.moment()
		}
		must.Succeed(t, artifact.RemoveFolder(filepath.Join(dir, "work")))
	}, func(dir string, moment, _ int) error {
		for name := range done {
			path := filepath.Join(dir, name)
			if err := artifact.RemoveStale(path); err != nil {
				return err
			}
			isOld := name == "model" && has(path, "old") || name != "model" && isGone(path)
			if !has(path, "new") && (!isOld || moment >= done[name]) {
				names, _ := filepath.Glob(filepath.Join(path, "*"))
				return fmt.Errorf("%s has the files %q; it was replaced at moment %d", name, names, done[name])
			}
		}
		if work := filepath.Join(dir, "work"); !has(work, "work") && !isGone(work) {
			return errors.New("a part of the removed folder is there")
		}
		return nil
	})
}

// TestPowerLoss checks that, whenever power is lost while a corpus or a model is replaced, it is either the complete
// old one or the complete new one, and the new one once the function that made it has returned.
func TestPowerLoss(t *testing.T) {
	must.SkipShort(t)
	dict := exampleDictionary(t)
	for name, write := range map[string]func(dir string, nth int) error{
		"corpus": func(dir string, nth int) error {
			_, err := ctxnorm.BuildCorpus(t.Context(), corpus.Options{
				Dir: filepath.Join(dir, "corpus"), Inputs: []string{fmt.Sprintf("examples/pubmed/example%02d.xml", nth)},
				Dictionary: dict, DictionaryPath: exampleDictionaryFile,
			}, ctxnorm.Observer{})
			return err
		},
		"model": func(dir string, nth int) error {
			o := exampleOptions(t, dir)
			o.DictionaryFraction, o.Seed = .5, uint64(nth)
			err := ctxnorm.Train(t.Context(), o)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after map[string]string
			done := 0
			losePower(t, []int{0, 2, 3}, func(dir string) {
				must.Succeed(t, write(dir, 1))
				before = filesBelow(t, filepath.Join(dir, name))
			}, func(dir string, r *recording) {
				must.Succeed(t, write(dir, 2))
				done = r.moment()
				if after = filesBelow(t, filepath.Join(dir, name)); cmp.Equal(before, after) {
					t.Fatal("nothing changes")
				}
			}, func(dir string, moment, _ int) error {
				found := filesBelow(t, filepath.Join(dir, name))
				if isNew := cmp.Equal(found, after); !isNew && (moment >= done || !cmp.Equal(found, before)) {
					return fmt.Errorf("%d files, neither the old ones nor the new ones", len(found))
				}
				return nil
			})
		})
	}
}

// TestMemoryAfterPowerLoss checks that, whenever power is lost while entries are added, undone and imported, the log
// can be opened and continued. It has the acknowledged entries, and all or none of the addition in progress.
func TestMemoryAfterPowerLoss(t *testing.T) {
	must.SkipShort(t)
	const name = "m.memory"
	gut := kb.NewDictionary([]kb.Concept{{ID: "G1", Name: "coeliac disease"}, {ID: "G2", Name: "gastric ulcer"}})
	nameEntry := func(name string) memory.Entry {
		return memory.Entry{Kind: memory.KindName, Concept: "G1", Name: name, By: "ann"}
	}
	sizes, since := []int{0}, []int{0} // of the log after each addition, and the moments of their acknowledgment
	var want []memory.Entry
	losePower(t, allWays, func(string) {}, func(dir string, r *recording) {
		random := rand.New(rand.NewPCG(1, 1))
		l := must.Get(memory.Open(filepath.Join(dir, name), gut))
		for i := range 12 {
			text := fmt.Sprint("A bad belly", i, strings.Repeat(" hurts", random.IntN(200)))
			var err error
			switch random.IntN(4) {
			case 0:
				_, err = l.Add(t.Context(), nameEntry(fmt.Sprint("name", i)), false)
			case 1:
				e := memory.Entry{Kind: memory.KindContext, Concept: "G1", Text: text, Start: 2, End: 5}
				_, err = l.Add(t.Context(), e, false)
			case 2:
				var several []memory.Entry
				for j := range 30 {
					several = append(several, nameEntry(fmt.Sprint("several ", i, " ", j)))
				}
				_, _, err = l.Import(t.Context(), several, false)
			case 3:
				if len(l.State().Active()) == 0 {
					continue
				}
				_, err = l.Undo(t.Context(), l.State().Active()[0].Number, "ann")
			}
			must.Succeed(t, err)
			sizes, since = append(sizes, len(l.State().All())), append(since, r.moment())
		}
		want = l.State().All()
	}, func(dir string, moment, way int) error {
		log, err := memory.Open(filepath.Join(dir, name), gut)
		if err != nil {
			return err
		}
		got := log.State().All()
		acknowledged := 0
		for i := range sizes {
			if moment >= since[i] {
				acknowledged = sizes[i]
			}
		}
		same := func(a, b memory.Entry) bool { return fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b) }
		if !slices.Contains(sizes, len(got)) || len(got) < acknowledged || !slices.EqualFunc(got, want[:len(got)], same) {
			return fmt.Errorf("the log has %d entries, want the first %d, or all of the next addition, too: %d", len(got), acknowledged, sizes)
		}
		if way != 2 {
			return nil
		}
		added, err := log.Add(t.Context(), memory.Entry{Kind: memory.KindName, Concept: "G2", Name: "last"}, false)
		if err != nil {
			return err
		}
		again, err := memory.Open(filepath.Join(dir, name), gut)
		if err == nil && (added.Number != len(got)+1 || len(again.State().All()) != len(got)+1) {
			err = fmt.Errorf("one more entry has the number %d, want %d", added.Number, len(got)+1)
		}
		return err
	})
}

// filesBelow returns the contents of the files below a folder by path, except temporary files and work folders.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	must.Succeed(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
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
	}))
	return files
}
