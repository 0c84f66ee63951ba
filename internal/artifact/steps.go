package artifact

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
)

// All changes of the file system go through this file, so that a test can stop a program before any of them or make it
// fail: see [Intercept].

// Step is one change of the file system that is about to happen.
type Step struct {
	// "mkdir", "create", "write", "sync", "chmod", "link", "rename", "exchange", "remove" or "touch"
	Op   string
	Path string // the file or folder that is changed or replaced
}

var interceptor atomic.Pointer[func(Step) error]

// ErrSkip leaves out a step as if it had succeeded: see [Intercept].
var ErrSkip = errors.New("skipped")

// Intercept calls f before each step. If f returns an error other than [ErrSkip], the step is skipped and fails with
// that error. It is for tests; nil ends it.
func Intercept(f func(Step) error) {
	if f == nil {
		interceptor.Store(nil)
		return
	}
	interceptor.Store(&f)
}

// step makes one change of the file system.
func step(op, path string, change func() error) error {
	if f := interceptor.Load(); f != nil {
		if err := (*f)(Step{op, path}); errors.Is(err, ErrSkip) {
			return nil
		} else if err != nil {
			return &fs.PathError{Op: op, Path: path, Err: err}
		}
	}
	return change()
}

// Missing returns the folders of a path that do not exist, innermost first, and the one that they would be created in.
func Missing(path string) (folders []string, existing string) {
	for existing = filepath.Clean(path); ; existing = filepath.Dir(existing) {
		if _, err := os.Stat(existing); !errors.Is(err, fs.ErrNotExist) || existing == filepath.Dir(existing) {
			return folders, existing
		}
		folders = append(folders, existing)
	}
}

// MkdirAll is [os.MkdirAll] with permissions 0o777. The folders that it creates are on disk when it returns.
func MkdirAll(path string) error {
	missing, _ := Missing(path)
	if len(missing) == 0 {
		return os.MkdirAll(path, 0o777) // returns an error if it is not a folder
	}
	err := step("mkdir", path, func() error { return os.MkdirAll(path, 0o777) })
	for _, folder := range missing {
		if err == nil {
			err = SyncFolder(filepath.Dir(folder))
		}
	}
	return err
}

// SyncFolder flushes the entries of a folder to disk, so that its files are found after a loss of power. It does
// nothing on systems that do not support that, and for a folder that may not be listed.
func SyncFolder(path string) error {
	folder, err := os.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	defer folder.Close()
	return step("sync", filepath.Clean(path), func() error {
		if err := folder.Sync(); runtime.GOOS != "windows" && !errors.Is(err, syscall.EINVAL) {
			return err
		}
		return nil // folders cannot be flushed there
	})
}

func rename(from, to string) error {
	return step("rename", to, func() error { return os.Rename(from, to) })
}

// Touch sets the modification time of a file or folder to now, if that is permitted.
func Touch(path string) {
	now := time.Now()
	_ = step("touch", path, func() error { return os.Chtimes(path, now, now) })
}

// Remove removes a file or an empty folder. It returns nil if there is none.
func Remove(path string) error {
	return ignoreMissing(step("remove", path, func() error { return os.Remove(path) }))
}

// removeAll is [os.RemoveAll] in single steps.
func removeAll(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return ignoreMissing(err)
	}
	if !info.IsDir() {
		return Remove(path)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return ignoreMissing(err)
	}
	var errs []error
	for _, entry := range entries {
		errs = append(errs, removeAll(filepath.Join(path, entry.Name())))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return Remove(path)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
