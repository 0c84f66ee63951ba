package artifact

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
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

// AppendWhole writes data at the end of the file and flushes it to disk. If it fails, it takes back what it wrote. All is
// there after a loss of power, or nothing, which [IsFinished] tells: until all other bytes are on disk the first one is 0.
func (f *AppendFile) AppendWhole(data []byte) error {
	first := min(1, len(data))
	err := f.writeAt(data[first:], f.size+int64(first))
	if err == nil {
		err = f.writeAt(data[:first], f.size)
	}
	if err != nil {
		return errors.Join(err, f.cut())
	}
	f.size += int64(len(data))
	return nil
}

// writeAt writes data at an offset and flushes the file to disk.
func (f *AppendFile) writeAt(data []byte, offset int64) error {
	err := step("append", f.path, func() error {
		_, err := f.file.WriteAt(data, offset)
		return err
	})
	if err == nil {
		err = step("sync", f.path, f.file.Sync)
	}
	return err
}

// Begins reports whether a file begins with start, or with a part of it that is all of the file, or has zeros there,
// which a loss of power leaves of a file that was not flushed to disk.
func Begins(file io.ReaderAt, start string) (bool, error) {
	found := make([]byte, len(start))
	n, err := file.ReadAt(found, 0)
	if err != nil && err != io.EOF {
		return false, err
	}
	found = found[:n]
	return strings.HasPrefix(start, string(found)) || len(bytes.Trim(found, "\x00")) == 0, nil
}

// IsFinished reports whether [AppendFile.AppendWhole] has written all of data, which is what follows earlier appends.
func IsFinished(data []byte) bool { return len(data) > 0 && data[0] != 0 }

// cut removes what is after the size of the file.
func (f *AppendFile) cut() error {
	return step("truncate", f.path, func() error { return errors.Join(f.file.Truncate(f.size), f.file.Sync()) })
}

// Close closes the file.
func (f *AppendFile) Close() error { return f.file.Close() }

// SyncFolder flushes the entries of a folder to disk, so that the files in it are found after a
// loss of power. It does nothing on systems that cannot, and for a folder that may not be listed.
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
