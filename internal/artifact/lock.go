package artifact

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/ctxnorm/ctxnorm/files"
)

// Lock is the right of one process to write a folder or file: a lock of the operating system (flock) on the file
// PATH.lock beside it. The lock ends with the process, however that ends. Readers take no lock.
type Lock struct {
	path   string
	shared bool // with other shared locks
	file   *os.File
	once   sync.Once
}

const (
	lockSuffix = ".lock"
	lockKind   = "ctxnorm lock"
	lockPoll   = 100 * time.Millisecond // how often a waiting process checks whether the lock is free
)

// errLocked is the error of lockFile if the lock is held.
var errLocked = errors.New("locked by another process")

// LockFolder locks the folder or file at path, which need not exist, for writing. If another process has locked it,
// LockFolder returns a [*files.LockedError]. If waiting is not nil, LockFolder instead calls it once with that error,
// and waits for the lock until ctx is done; at a deadline of ctx, it returns that error, too.
//
// On a file system without locks LockFolder does nothing.
func LockFolder(ctx context.Context, path string, waiting func(*files.LockedError)) (*Lock, error) {
	return lockFolder(ctx, path, false, waiting)
}

// LockFolderShared is like [LockFolder] for one of several processes that write the folder together: they exclude
// callers of LockFolder, but not each other.
func LockFolderShared(ctx context.Context, path string, waiting func(*files.LockedError)) (*Lock, error) {
	return lockFolder(ctx, path, true, waiting)
}

// LockPath returns the path of the file that [LockFolder] locks for path.
func LockPath(path string) (string, error) {
	target, err := targetOf(path)
	return target + lockSuffix, err
}

func lockFolder(ctx context.Context, path string, shared bool, waiting func(*files.LockedError)) (*Lock, error) {
	lockPath, err := LockPath(path)
	if err != nil {
		return nil, err
	}
	if err := MkdirAll(filepath.Dir(lockPath)); err != nil {
		return nil, err
	}
	l := &Lock{path: lockPath, shared: shared}
	for said := false; ; {
		got, err := l.try()
		if err != nil {
			return nil, err
		}
		if got {
			return l, nil
		}
		held := &files.LockedError{Path: path, Holder: l.holder()}
		// A shared lock that blocks another shared one is about to be removed: see isLast.
		brief := shared && held.Holder.PID == 0
		if waiting == nil && !brief {
			return nil, held
		}
		if !said && !brief {
			waiting(held)
			said = true
		}
		select {
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return nil, held
			}
			return nil, ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}

// try takes the lock if it is free, and reports whether it was.
func (l *Lock) try() (bool, error) {
	var file *os.File
	err := step("create", l.path, func() (err error) {
		file, err = os.OpenFile(l.path, os.O_RDWR|os.O_CREATE, 0o666)
		return err
	})
	if err != nil {
		return false, err
	}
	switch err := lockFile(file, l.shared); {
	case errors.Is(err, errLocked):
		return false, file.Close()
	case errors.Is(err, errors.ErrUnsupported):
		err := file.Close()
		if info, statErr := os.Stat(l.path); statErr == nil && info.Size() == 0 {
			err = errors.Join(err, Remove(l.path))
		}
		return true, err
	case err != nil:
		return false, errors.Join(fmt.Errorf("%s: lock: %w", l.path, err), file.Close())
	}
	// The previous holder of the lock removes the file when it ends, perhaps after this process opened it. Then the
	// lock is on a deleted file.
	opened, err := file.Stat()
	if err == nil {
		var same bool
		if same, err = l.isAtPath(opened); err == nil && !same {
			return false, file.Close()
		}
	}
	if err == nil {
		if err = l.describe(file); err != nil && opened.Size() == 0 && !l.shared {
			_ = Remove(l.path) // a full disk: the error above is the one to report
		}
	}
	if err != nil {
		return false, errors.Join(err, file.Close())
	}
	l.file = file
	return true, nil
}

// isAtPath reports whether the opened file is still the one at the lock's path.
func (l *Lock) isAtPath(opened fs.FileInfo) (bool, error) {
	now, err := os.Lstat(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(opened, now), err
}

// lockStart is the beginning of every lock file.
const lockStart = `{"kind":"` + lockKind + `"`

// describe writes the holder of the lock into the file. It rejects a file that is not a lock.
func (l *Lock) describe(file *os.File) error {
	switch ok, err := Begins(file, lockStart); {
	case err != nil:
		return err
	case !ok:
		return &files.ForeignError{Path: l.path, Folder: l.path, Reason: "is not a lock of ctxnorm"}
	}
	holder := files.Holder{Kind: lockKind}
	if !l.shared {
		host, _ := os.Hostname() // empty if unknown
		holder = files.Holder{
			Kind: lockKind, PID: os.Getpid(), Host: host,
			Command: strings.Join(os.Args, " "), Since: time.Now().Truncate(time.Second),
		}
	}
	data, err := json.Marshal(holder)
	if err != nil {
		return err
	}
	return step("write", l.path, func() error {
		// The file is first overwritten by one write, and then truncated, so that it is never empty and begins with one
		// complete object at every moment.
		n, err := file.WriteAt(append(data, '\n'), 0)
		if err == nil {
			err = file.Truncate(int64(n))
		}
		return err
	})
}

// Begins reports whether a file begins with start, is a prefix of it, or begins with zeros, which a loss of power can
// leave in a file that was not flushed to disk.
func Begins(file io.ReaderAt, start string) (bool, error) {
	found := make([]byte, len(start))
	n, err := file.ReadAt(found, 0)
	if err != nil && err != io.EOF {
		return false, err
	}
	found = found[:n]
	return strings.HasPrefix(start, string(found)) || len(bytes.Trim(found, "\x00")) == 0, nil
}

// holder returns the holder of the lock according to the file, or zero if the file does not name it.
func (l *Lock) holder() (h files.Holder) {
	file, err := os.Open(l.path)
	if err != nil {
		return files.Holder{}
	}
	defer file.Close()
	if json.NewDecoder(file).Decode(&h) != nil || h.Kind != lockKind {
		return files.Holder{}
	}
	return h
}

// isLast reports whether no other process holds the shared lock. It may give up the lock.
func (l *Lock) isLast() bool {
	if lockFile(l.file, false) != nil {
		return false
	}
	opened, err := l.file.Stat()
	if err != nil {
		return false
	}
	same, err := l.isAtPath(opened)
	return same && err == nil
}

// Release removes the lock. It may be called several times, and on nil.
func (l *Lock) Release() {
	if l == nil || l.file == nil {
		return
	}
	l.once.Do(func() {
		// A file that stays after an error is a free lock.
		if runtime.GOOS == "windows" { // where an open file cannot be removed
			_ = l.file.Close()
			_ = Remove(l.path)
			return
		}
		if !l.shared || l.isLast() {
			_ = Remove(l.path) // first, because after Close it may belong to another process
		}
		_ = l.file.Close()
	})
}
