package artifact

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// lockVariable makes the test program lock the folder that it names, report that, and wait to be killed.
const lockVariable = "ARTIFACT_TEST_LOCK"

func lockAndWait(path string) {
	lock, err := LockFolder(context.Background(), path, nil)
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString("locked\n")
	time.Sleep(time.Hour)
	lock.Release() // keeps the file open until then
}

func TestLockFolder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "deep", "model")
	first := must.Get(LockFolder(t.Context(), path, nil))
	var locked *files.LockedError
	if _, err := LockFolder(t.Context(), path+string(filepath.Separator), nil); !errors.As(err, &locked) || locked.Holder.PID != os.Getpid() {
		t.Errorf("a second lock: %v, want an error that names this process", err)
	}
	if other, err := LockFolder(t.Context(), path+"2", nil); err != nil {
		t.Errorf("another folder: %v", err)
	} else {
		other.Release()
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := LockFolder(ctx, path, func(*files.LockedError) { cancel() })
	must.FailWith(t, err, context.Canceled, "waiting ends")
	var said []string
	second, err := LockFolder(t.Context(), path, func(held *files.LockedError) {
		said = append(said, held.Error())
		first.Release()
	})
	if err != nil || len(said) != 1 || !strings.HasPrefix(said[0], path+string(filepath.Separator)) && !strings.HasPrefix(said[0], path+": process ") {
		t.Errorf("waiting: %v, and %q was said; want once who holds the lock", err, said)
	}
	second.Release()
	for content, free := range map[string]bool{
		"": true, lockStart: true, `{"kind":"ctx`: true, strings.Repeat("\x00", 700): true, // after a loss of power
		"mine": false, `{"kind":"mine"`: false, "\x00mine": false,
	} {
		write(t, path+lockSuffix, content)
		lock, err := LockFolder(t.Context(), path, nil)
		if _, foreign := errors.AsType[*files.ForeignError](err); free != (err == nil) || !free && !foreign {
			t.Errorf("a lock file of %.20q: %v, want that it is a lock: %t", content, err, free)
		}
		lock.Release()
		if !free {
			checkFiles(t, dir, map[string]string{"deep/model.lock": content}) // it stays
			must.Succeed(t, os.Remove(path+lockSuffix))
		}
	}
	second.Release()
	(*Lock)(nil).Release()
	checkFiles(t, dir, nil)
}

func TestLockFolderShared(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "corpus")
	shared := make([]*Lock, 3)
	for i := range shared {
		shared[i] = must.Get(LockFolderShared(t.Context(), path, nil))
	}
	for _, lock := range shared {
		var locked *files.LockedError
		if _, err := LockFolder(t.Context(), path, nil); !errors.As(err, &locked) || err.Error() != path+": another process is writing it" {
			t.Errorf("a lock beside a shared one: %v", err)
		}
		lock.Release()
		lock.Release()
	}
	checkFiles(t, dir, nil)
	alone := must.Get(LockFolder(t.Context(), path, nil))
	var locked *files.LockedError
	if _, err := LockFolderShared(t.Context(), path, nil); !errors.As(err, &locked) || locked.Holder.PID != os.Getpid() {
		t.Errorf("a shared lock beside one alone: %v, want an error that names this process", err)
	}
	alone.Release()
	checkFiles(t, dir, nil)
}

// TestLocksExclude lets many workers take and release locks, and checks that an exclusive lock is never held beside
// another one.
func TestLocksExclude(t *testing.T) {
	t.Parallel()
	for _, exclusive := range []int{2, 8} {
		locksExclude(t, exclusive)
	}
}

// locksExclude runs 8 workers; the first exclusive ones take exclusive locks.
func locksExclude(t *testing.T, exclusive int) {
	dir := t.TempDir()
	path := filepath.Join(dir, "corpus")
	var together, alone atomic.Int32
	var workers sync.WaitGroup
	wait := func(*files.LockedError) {}
	for i := range 8 {
		workers.Go(func() {
			for range 5 {
				lock, count := LockFolderShared, &together
				if i < exclusive {
					lock, count = LockFolder, &alone
				}
				l, err := lock(t.Context(), path, wait)
				if err != nil {
					t.Error(err)
					return
				}
				count.Add(1)
				time.Sleep(time.Millisecond)
				if a, b := alone.Load(), together.Load(); a > 1 || a == 1 && b > 0 {
					t.Errorf("%d hold the lock alone and %d together", a, b)
				}
				count.Add(-1)
				l.Release()
			}
		})
	}
	workers.Wait()
	checkFiles(t, dir, nil)
}

// TestLockOfAKilledProcess checks that the lock of a killed process is free, whatever its file contains.
func TestLockOfAKilledProcess(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	program := must.Get(os.Executable())
	child := exec.Command(program, "train", "--seed", "7")
	child.Env = append(os.Environ(), lockVariable+"="+path)
	stdout, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err == nil {
		_, err = stdout.Read(make([]byte, 16))
	}
	must.Succeed(t, err)
	_, err = LockFolder(t.Context(), path, nil)
	var locked *files.LockedError
	if !errors.As(err, &locked) || locked.Holder.PID != child.Process.Pid || !strings.HasSuffix(locked.Holder.Command, " train --seed 7") || time.Since(locked.Holder.Since) > time.Hour {
		t.Errorf("error is %v, want one that describes process %d", err, child.Process.Pid)
	}
	must.Succeed(t, child.Process.Kill())
	_ = child.Wait() // it was killed
	if _, err := os.Stat(path + lockSuffix); err != nil {
		t.Fatalf("the killed process left no file: %v", err)
	}
	lock := must.Get(LockFolder(t.Context(), path, nil))
	if h := lock.holder(); h.PID != os.Getpid() {
		t.Errorf("the holder is %+v, want this process", h)
	}
	lock.Release()
	checkFiles(t, dir, nil)
}
