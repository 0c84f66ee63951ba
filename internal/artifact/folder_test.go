package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// replaceVariable makes the test program replace the folder that it names by one with the file "new", and kill itself
// before the step whose number follows a colon. The word "two" after a second colon simulates a system that cannot
// exchange folders.
const replaceVariable = "ARTIFACT_TEST_REPLACE"

func replaceAndDie(setting string) {
	fields := strings.Split(setting, ":")
	at, err := strconv.Atoi(fields[1])
	if err != nil {
		panic(err)
	}
	steps := 0
	Intercept(func(s Step) error {
		if len(fields) > 2 && s.Op == "exchange" {
			return errors.ErrUnsupported
		}
		if steps++; steps == at {
			if self, err := os.FindProcess(os.Getpid()); err == nil {
				_ = self.Kill()
			}
			select {}
		}
		return nil
	})
	if err := replaceFolder(fields[0]); err != nil {
		panic(err)
	}
}

// replaceFolder replaces the folder at path by one with the file "new".
func replaceFolder(path string) error {
	folder, err := CreateFolder(path)
	if err != nil {
		return err
	}
	defer folder.Discard()
	if err := WriteFile(filepath.Join(folder.Path(), "new"), []byte("new")); err != nil {
		return err
	}
	return folder.Commit()
}

// TestFolderKilled kills a process before each step of replacing a folder. A reader must find either the old folder or
// the new one complete, and the next process must leave nothing but its own.
func TestFolderKilled(t *testing.T) {
	program := must.Get(os.Executable())
	for _, way := range []string{"", ":two"} {
		states := make(map[string]bool)
		for at, ended := 1, false; !ended; at++ {
			dir := t.TempDir()
			path := filepath.Join(dir, "model")
			write(t, filepath.Join(path, "old"), "old")
			write(t, filepath.Join(path, "older"), "old")
			child := exec.Command(program)
			child.Env = append(os.Environ(), fmt.Sprintf("%s=%s:%d%s", replaceVariable, path, at, way))
			out, err := child.CombinedOutput()
			if ended = err == nil; !ended && child.ProcessState.ExitCode() != -1 {
				t.Fatalf("step %d: %v: %s", at, err, out)
			}
			names, err := ReadFolder(path, listFiles)
			must.Succeed(t, err, "step", at, way)
			state := strings.Join(names, " ")
			if state != "old older" && state != "new" || ended && state != "new" {
				t.Errorf("step %d%s: a reader finds %q", at, way, state)
			}
			states[state] = true
			must.Succeed(t, replaceFolder(path), "step", at, way)
			checkFiles(t, dir, map[string]string{"model/new": "new"})
		}
		must.Equal(t, len(states), 2, "the states found", states)
	}
}

// TestFolderOnAFullDisk checks that a failing step, for example on a full disk, leaves the old folder.
func TestFolderOnAFullDisk(t *testing.T) {
	defer Intercept(nil)
	for at, failed := 1, true; failed; at++ {
		dir := t.TempDir()
		path := filepath.Join(dir, "model")
		write(t, filepath.Join(path, "old"), "old")
		steps, committed := 0, false
		Intercept(func(s Step) error {
			if s.Op == "remove" {
				return nil
			}
			if steps++; steps == at {
				return syscall.ENOSPC
			}
			committed = committed || s.Op == "exchange" || s.Op == "rename" && s.Path == path
			return nil
		})
		err := replaceFolder(path)
		failed = err != nil
		if failed && !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("step %d: %v, want the error of the disk", at, err)
		}
		want := map[string]string{"model/old": "old"}
		if committed {
			want = map[string]string{"model/new": "new"}
			if err := RemoveStale(path); err != nil { // the old one stays if the new one may not be on disk
				t.Error(err)
			}
		}
		checkFiles(t, dir, want)
	}
}

// TestFolderBehindALink checks that a folder behind a symbolic link is replaced in its real place.
func TestFolderBehindALink(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "disk", "real", "old"), "old")
	link := filepath.Join(dir, "model")
	must.Succeed(t, os.Symlink(filepath.Join("disk", "real"), link))
	must.Succeed(t, replaceFolder(link))
	must.Equal(t, must.Get(os.Readlink(link)), filepath.Join("disk", "real"), "the link leads to")
	must.Equal(t, must.Get(listFiles(filepath.Join(dir, "disk"))), []string{"real/new"}, "the disk holds")
}

// twoReads holds what was read from a folder; closed counts the closed ones.
type twoReads struct {
	first, second string
	closed        *int
}

func (r *twoReads) Close() error {
	*r.closed++
	return nil
}

// TestReadFolder checks that a reader reads again if the folder was replaced between its files.
func TestReadFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model")
	write(t, filepath.Join(path, "new"), "old")
	reads := 0
	closed := 0
	read, err := ReadFolder(path, func(path string) (*twoReads, error) {
		reads++
		a, err := os.ReadFile(filepath.Join(path, "new"))
		if reads == 1 {
			err = errors.Join(err, replaceFolder(path))
		}
		b, err2 := os.ReadFile(filepath.Join(path, "new"))
		return &twoReads{string(a), string(b), &closed}, errors.Join(err, err2)
	})
	if err != nil || reads != 2 || closed != 1 || read.first != "new" || read.second != "new" {
		t.Errorf("read %+v in %d attempts, %v, %d closed; want the new folder in two, the first closed", read, reads, err, closed)
	}
	missing := errors.New("nothing here")
	_, err = ReadFolder(filepath.Join(path, "none"), func(string) (int, error) { return 0, missing })
	if err != missing {
		t.Errorf("error is %v, want that of the reader", err)
	}
}

// TestHeldFolder checks that the reader of a held folder gets an error if another folder has taken its place, even if
// the reader itself failed.
func TestHeldFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model")
	write(t, filepath.Join(path, "new"), "old")
	folder := must.Get(HoldFolder(path))
	defer folder.Close()
	wrong := errors.New("wrong")
	if err := folder.Read(func() error { return wrong }); err != wrong {
		t.Errorf("error is %v, want that of the reader", err)
	}
	must.Succeed(t, replaceFolder(path))
	for _, own := range []error{nil, wrong} {
		err := folder.Read(func() error { return own })
		if err == nil || !strings.HasPrefix(err.Error(), path+" was replaced") {
			t.Errorf("error is %v, want that the folder was replaced", err)
		}
	}
}

func TestRemoveFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "work", "a", "b"), "")
	for range 2 {
		must.Succeed(t, RemoveFolder(filepath.Join(dir, "work")))
		checkFiles(t, dir, nil)
	}
}

func TestLinkFile(t *testing.T) {
	defer Intercept(nil)
	for _, links := range []bool{true, false} {
		dir := t.TempDir()
		from, to := filepath.Join(dir, "from"), filepath.Join(dir, "sub", "to")
		write(t, from, "content")
		Intercept(func(s Step) error {
			if s.Op == "link" && !links {
				return syscall.EPERM
			}
			return nil
		})
		must.Succeed(t, LinkFile(to, from))
		checkFiles(t, dir, map[string]string{"from": "content", "sub/to": "content"})
		a, _ := os.Stat(from)
		b, _ := os.Stat(to)
		must.Equal(t, os.SameFile(a, b), links, "one file")
	}
}

// TestTemporaryPermissions checks that only the owner can read files, and the content of folders, while they are
// written.
func TestTemporaryPermissions(t *testing.T) {
	dir := t.TempDir()
	f := must.Get(Create(filepath.Join(dir, "file")))
	defer f.Discard()
	folder := must.Get(CreateFolder(filepath.Join(dir, "folder")))
	defer folder.Discard()
	for path, want := range map[string]fs.FileMode{f.Name(): 0o600, folder.Path(): 0o700} {
		info := must.Get(os.Stat(path))
		must.Equal(t, info.Mode().Perm(), want, path, "has permissions")
		must.Equal(t, filepath.Dir(path), dir, path, "is not in the folder of its target")
	}
}

// TestReadFolderOfTheSameNumber replaces a folder, while it is read, by one with the inode number of the first.
func TestReadFolderOfTheSameNumber(t *testing.T) {
	path := filepath.Join(t.TempDir(), "folder")
	replace := func() os.FileInfo {
		must.Succeed(t, errors.Join(os.RemoveAll(path), os.Mkdir(path, 0o777)))
		return must.Get(os.Stat(path))
	}
	first := replace()
	calls := 0
	if _, err := ReadFolder(path, func(string) (int, error) {
		if calls++; calls == 1 {
			for range 10 { // some file systems give a free number to the next folder
				if os.SameFile(replace(), first) {
					break
				}
			}
		}
		return calls, nil
	}); err != nil || calls != 2 {
		t.Errorf("%d calls, %v, want a second one of the folder in its place", calls, err)
	}
}
