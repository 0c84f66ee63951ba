//go:build unix

package artifact_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/artifact/powerloss"
)

// losePower records work in a folder that prepare has filled, and calls check with the states that a loss of power
// may leave at each moment.
func losePower(
	t *testing.T, prepare func(dir string), work func(dir string, recording *powerloss.Recording),
	check func(dir string, moment int) error,
) {
	t.Helper()
	dir := t.TempDir()
	prepare(dir)
	recording, err := powerloss.Start(dir)
	if err != nil {
		t.Fatal(err)
	}
	work(dir, recording)
	moments, err := recording.Stop()
	if err != nil {
		t.Fatal(err)
	}
	const ways = 6
	for moment := range moments {
		for way := range ways {
			state := t.TempDir()
			err := recording.Restore(state, moment, way, rand.New(rand.NewPCG(uint64(moment), uint64(way))))
			if err == nil {
				err = check(state, moment)
			}
			if err != nil {
				t.Errorf("power lost at moment %d of %d, way %d: %v", moment, moments, way, err)
			}
		}
	}
	t.Logf("%d states", moments*ways)
}

// A file is the old one or the new one, and the new one once its writing has returned, in folders made for it, too.
func TestFilesAfterPowerLoss(t *testing.T) {
	old, long := strings.Repeat("old ", 1000), strings.Repeat("the new content ", 1000)
	done := make(map[string]int)
	paths := map[string]string{"file": long, filepath.Join("new", "folder", "file"): "short"}
	losePower(t, func(dir string) {
		if err := os.WriteFile(filepath.Join(dir, "file"), []byte(old), 0o666); err != nil {
			t.Fatal(err)
		}
	}, func(dir string, recording *powerloss.Recording) {
		for path, content := range paths {
			path = filepath.Join(dir, path)
			if err := errors.Join(artifact.MkdirAll(filepath.Dir(path)), artifact.WriteFile(path, []byte(content))); err != nil {
				t.Fatal(err)
			}
			done[content] = recording.Moment()
		}
	}, func(dir string, moment int) error {
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

// A folder is the old one or the new one, whole, and the new one once it is committed. One that is removed is there
// whole or not at all.
func TestFoldersAfterPowerLoss(t *testing.T) {
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
			if err := errors.Join(artifact.MkdirAll(filepath.Dir(path)), artifact.WriteFile(path, []byte(content))); err != nil {
				t.Fatal(err)
			}
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
	losePower(t, func(dir string) {
		write(filepath.Join(dir, "model"), "old")
		write(filepath.Join(dir, "work"), "work")
	}, func(dir string, recording *powerloss.Recording) {
		done = make(map[string]int)
		for _, name := range []string{"model", "another"} {
			folder, err := artifact.CreateFolder(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			write(folder.Path(), "new")
			if err := folder.Commit(); err != nil {
				t.Fatal(err)
			}
			done[name] = recording.Moment()
		}
		if err := artifact.RemoveFolder(filepath.Join(dir, "work")); err != nil {
			t.Fatal(err)
		}
	}, func(dir string, moment int) error {
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

// A file that grows has what was appended when AppendWhole returned, and all or nothing of what was not.
func TestAppendAfterPowerLoss(t *testing.T) {
	done := make(map[int]int) // moments by sizes
	opened := 0
	line := strings.Repeat("x", 700)
	losePower(t, func(dir string) {
		if err := os.WriteFile(filepath.Join(dir, "log"), []byte("start, and half a li"), 0o666); err != nil {
			t.Fatal(err)
		}
	}, func(dir string, recording *powerloss.Recording) {
		f, err := artifact.OpenAppend(filepath.Join(dir, "log"), int64(len("start")))
		if err != nil {
			t.Fatal(err)
		}
		opened = recording.Moment()
		for i := range 5 {
			if err := f.AppendWhole([]byte(line)); err != nil {
				t.Fatal(err)
			}
			done[len("start")+(i+1)*len(line)] = recording.Moment()
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}, func(dir string, moment int) error {
		data, err := os.ReadFile(filepath.Join(dir, "log"))
		for size, since := range done {
			want := "start" + strings.Repeat("x", size-len("start"))
			if moment >= since && !strings.HasPrefix(string(data), want) {
				return fmt.Errorf("the file has %d bytes, %v; %d were there at moment %d", len(data), err, size, since)
			}
		}
		for at := len("start"); moment >= opened && at < len(data) && artifact.IsFinished(data[at:]); at += len(line) {
			if !strings.HasPrefix(string(data[at:]), line) {
				return fmt.Errorf("what is at %d was not finished", at)
			}
		}
		return nil
	})
}
