package artifact

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// AppendFile is a file that only grows, open to be appended to. It is for one writer: see
// [LockFolder].
type AppendFile struct {
	file *os.File
	path string
	size int64
}

// OpenAppend opens the file at path, of which the first size bytes are whole, and cuts what a
// killed process left after them.
func OpenAppend(path string, size int64) (*AppendFile, error) {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	f := &AppendFile{file, path, size}
	info, err := file.Stat()
	switch {
	case err != nil:
	case info.Size() < size:
		err = Damaged(path, "has %d bytes, and had %d before", info.Size(), size)
	case info.Size() > size:
		err = f.cut()
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return f, nil
}

// Append writes data at the end of the file and flushes it to disk. If it fails, it takes back
// what it wrote.
func (f *AppendFile) Append(data []byte) error {
	err := step("append", f.path, func() error {
		_, err := f.file.WriteAt(data, f.size)
		return err
	})
	if err == nil {
		err = step("sync", f.path, f.file.Sync)
	}
	if err != nil {
		return errors.Join(err, f.cut())
	}
	f.size += int64(len(data))
	return nil
}

// cut removes what is after the size of the file.
func (f *AppendFile) cut() error {
	return step("truncate", f.path, func() error { return errors.Join(f.file.Truncate(f.size), f.file.Sync()) })
}

// Close closes the file.
func (f *AppendFile) Close() error { return f.file.Close() }

// SyncFolder flushes the entries of a folder to disk, so that the files in it are found after a
// power failure. It does nothing on systems that cannot.
func SyncFolder(path string) error {
	folder, err := os.Open(path)
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

// ReadFrom returns the bytes of the file at path from an offset on. It returns a [*files.DamagedError] if
// the file is shorter, or no regular file: a named pipe would be waited for.
func ReadFrom(path string, offset int64) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, Damaged(path, "is no regular file")
	}
	file, size, err := openSized(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if size < offset {
		return nil, Damaged(path, "has %d bytes, and had %d before", size, offset)
	}
	data, err := io.ReadAll(io.NewSectionReader(file, offset, size-offset))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}
