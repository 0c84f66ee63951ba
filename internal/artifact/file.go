package artifact

// Atomic replacement is implemented here rather than with google/renameio, which does not build on Windows and whose
// temporary names do not identify the process that made them.

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a file under construction. It has a temporary name beside its target until [File.Commit], and is open for
// reading and writing.
type File struct {
	*os.File
	target string
	ended  bool // committed or discarded
}

// Create creates a temporary file that [File.Commit] renames to path. The usual form is
//
//	f, err := artifact.Create(path)
//	if err != nil { … }
//	defer f.Discard()
//	… write to f …
//	return f.Commit()
func Create(path string) (*File, error) {
	for {
		name := temporaryName(path)
		var file *os.File
		err := step("create", path, func() (err error) {
			// Commit gives it the permissions of any new file
			file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
			return err
		})
		if err == nil {
			return &File{File: file, target: path}, nil
		}
		releaseName(name)
		if !errors.Is(err, fs.ErrExist) {
			return nil, renamed(err, path)
		}
	}
}

// Write implements [io.Writer]. Its errors name the target.
func (f *File) Write(p []byte) (n int, err error) {
	err = step("write", f.target, func() (err error) {
		n, err = f.File.Write(p)
		return err
	})
	return n, renamed(err, f.target)
}

// Commit flushes the file to disk and renames it to its target. When Commit returns, it is on disk under that name; in
// a [Folder], once that is committed.
func (f *File) Commit() error {
	if err := f.Place(); err != nil {
		return err
	}
	if slashed := filepath.ToSlash(f.target); WithoutTemporary(slashed) != slashed {
		return nil
	}
	return SyncFolder(filepath.Dir(f.target))
}

// Place is like [File.Commit], except that a loss of power may bring the old file back until [SyncFolder] is called.
// Use it for many files in one folder.
func (f *File) Place() error {
	// without a sync, a power failure after the rename may leave an empty file
	if err := step("sync", f.target, f.Sync); err != nil {
		return renamed(err, f.target)
	}
	f.ended = true
	defer releaseName(f.Name())
	err := step("chmod", f.target, func() error { return f.Chmod(0o666 &^ umask) })
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = rename(f.Name(), f.target)
	}
	if err != nil {
		_ = Remove(f.Name()) // the error above is the one to report
		return renamed(err, f.target)
	}
	return nil
}

// Discard closes and removes the file. After [File.Commit] it has no effect.
func (f *File) Discard() {
	if f.ended {
		return
	}
	f.ended = true
	_ = f.Close() // its content is not needed
	_ = Remove(f.Name())
	releaseName(f.Name())
}

// renamed returns err with the temporary path replaced by that of the target.
func renamed(err error, path string) error {
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: pathError.Op, Path: path, Err: pathError.Err}
	}
	return err
}

// Write atomically replaces the content of the file at path with what write writes to a buffered writer. If write
// fails, the old file stays and Write returns the error prefixed with path.
func Write(path string, write func(io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	buffer := bufio.NewWriterSize(f, 1<<16)
	if err := write(buffer); err != nil {
		if pathError, ok := err.(*fs.PathError); ok && pathError.Path == path { // an error of f, which names it
			return err
		}
		return WithPath(path, err)
	}
	if err := buffer.Flush(); err != nil {
		return err
	}
	return f.Commit()
}

// WriteFile atomically replaces the content of the file at path with data.
func WriteFile(path string, data []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
