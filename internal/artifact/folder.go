package artifact

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Folder is a folder under construction. It has a temporary name beside its target until [Folder.Commit].
type Folder struct {
	target, temporary string
	ended             bool // committed or discarded
}

// CreateFolder creates an empty temporary folder that [Folder.Commit] renames to path. It also creates the parents of
// path and calls [RemoveStale]. It is used like [Create]. If path is a symbolic link, the target is the folder it leads
// to.
func CreateFolder(path string) (*Folder, error) {
	path, err := targetOf(path)
	if err != nil {
		return nil, err
	}
	if err := MkdirAll(filepath.Dir(path)); err != nil {
		return nil, err
	}
	_ = RemoveStale(path) // files that cannot be removed do no harm
	for {
		temporary := temporaryName(path)
		err := step("mkdir", temporary, func() error { return os.Mkdir(temporary, 0o700) }) // see Commit
		switch {
		case err == nil:
			return &Folder{target: path, temporary: temporary}, nil
		case !errors.Is(err, fs.ErrExist):
			releaseName(temporary)
			return nil, renamed(err, path)
		}
		releaseName(temporary)
	}
}

// ReplaceFolder replaces the folder at path in one step, see [Folder.Commit]. It calls write with the path of a
// temporary folder, which becomes the new one. check returns an error if the folder at path must not be replaced. It is
// called again at the end, because the user may have added files in the meantime.
func ReplaceFolder(path string, check, write func(path string) error) error {
	if err := check(path); err != nil {
		return err
	}
	folder, err := CreateFolder(path)
	if err != nil {
		return err
	}
	defer folder.Discard()
	if err := write(folder.Path()); err != nil {
		return err
	}
	if err := check(path); err != nil {
		return err
	}
	return folder.Commit()
}

// CheckEmpty returns an error if there is a folder at path that is not empty.
func CheckEmpty(path string) error {
	entries, err := os.ReadDir(path)
	if len(entries) > 0 {
		return fmt.Errorf("%s: the folder is not empty", path)
	}
	return ignoreMissing(err)
}

// targetOf returns the real path of the folder to replace: it ends in the name of the folder and is not a symbolic
// link.
func targetOf(path string) (string, error) {
	path = filepath.Clean(path)
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return "", err
		}
	}
	if base := filepath.Base(path); base == "." || base == ".." {
		return filepath.Abs(path)
	}
	return path, nil
}

// Path returns the path of the temporary folder, to which the content must be written.
func (f *Folder) Path() string { return f.temporary }

// Commit replaces the folder at the target, if there is one, and deletes the old content. The caller must have checked
// with [CheckReplaceable] that all of it may be deleted.
//
// The two folders are exchanged in one step, so that the target is either the old or the new folder at every moment.
// This also holds after a loss of power: the new folder is on disk before the exchange, and the exchange is on disk
// before the old folder is removed. On systems without such a step, the old folder is renamed to the temporary name
// with ".old" appended, and then the new one takes its place. If the program ends between the two, [RemoveStale] and
// [ReadFolder] put the old folder back.
func (f *Folder) Commit() error {
	// Flush its entries, and those of the folders below it, to disk. It gets the permissions of any new folder.
	info, err := os.Stat(f.temporary)
	if err == nil {
		mode := 0o777&^umask | info.Mode()&fs.ModeSetgid // which is inherited from the parent
		err = step("chmod", f.temporary, func() error { return os.Chmod(f.temporary, mode) })
	}
	if err == nil {
		err = filepath.WalkDir(f.temporary, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.IsDir() {
				return err
			}
			return SyncFolder(path)
		})
	}
	if err != nil {
		return renamed(err, f.target)
	}
	old := f.temporary // once the folders are exchanged
	err = exchange(f.temporary, f.target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = rename(f.temporary, f.target)
	case errors.Is(err, errors.ErrUnsupported):
		old += oldSuffix
		err = f.renameBoth(old)
	}
	if err != nil {
		return err
	}
	f.ended = true
	defer releaseName(f.temporary)
	if err := SyncFolder(filepath.Dir(f.target)); err != nil {
		return err
	}
	return removeAll(old)
}

// renameBoth renames the folder at the target to old, if there is one, and then the new folder to the target.
func (f *Folder) renameBoth(old string) error {
	moved := rename(f.target, old)
	if ignoreMissing(moved) != nil {
		return moved
	}
	err := rename(f.temporary, f.target)
	if err != nil && moved == nil {
		err = errors.Join(err, rename(old, f.target))
	}
	return err
}

// Discard removes the folder. After [Folder.Commit] it has no effect.
func (f *Folder) Discard() {
	if !f.ended {
		f.ended = true
		_ = removeAll(f.temporary) // its content is not needed
		releaseName(f.temporary)
	}
}

// RemoveFolder removes the folder at path with its content. It renames the folder first, so that the folder is either
// complete or gone, even after a loss of power. It returns nil if there is no folder.
func RemoveFolder(path string) error {
	path = filepath.Clean(path)
	_ = RemoveStale(path) // files that cannot be removed do no harm
	temporary := temporaryName(path)
	defer releaseName(temporary)
	if err := rename(path, temporary); err != nil {
		return ignoreMissing(err)
	}
	if err := SyncFolder(filepath.Dir(path)); err != nil {
		return err
	}
	return removeAll(temporary)
}

// CopyFile copies the file from to the new file to.
func CopyFile(to, from string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	return Write(to, func(w io.Writer) error {
		// through File.Write, whose errors name the target
		_, err := io.Copy(struct{ io.Writer }{w}, struct{ io.Reader }{source})
		return err
	})
}

// CopyFolder copies the regular files and folders below from to the folder to, which it creates.
func CopyFolder(to, from string) error {
	if err := MkdirAll(to); err != nil {
		return err
	}
	return walk(from, func(path, name string, entry fs.DirEntry) error {
		if entry.IsDir() {
			return MkdirAll(pathIn(to, name))
		}
		return CopyFile(pathIn(to, name), path)
	})
}

// LinkFile makes the file from also available as to: by a hard link, or as a copy if the file system has no links.
// Afterwards neither may be modified, only replaced.
func LinkFile(to, from string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: is not a file", from)
	}
	if err := MkdirAll(filepath.Dir(to)); err != nil {
		return err
	}
	if from, err = filepath.EvalSymlinks(from); err != nil { // a link to a symbolic link would be one, too
		return err
	}
	if step("link", to, func() error { return os.Link(from, to) }) == nil {
		return nil
	}
	return CopyFile(to, from)
}

// ReadFolder returns the result of read, which reads files of the folder at path. If the folder was replaced in the
// meantime, it closes the result, if that is an [io.Closer], and calls read again, so that all files come from one
// folder. If the program that replaced the folder ended halfway, ReadFolder first puts the old one back.
func ReadFolder[T any](path string, read func(path string) (T, error)) (T, error) {
	const attempts = 10 // a folder is not replaced this often while it is read
	for attempt := 0; ; attempt++ {
		value, same, err := readOnce(path, read)
		if same || attempt == attempts {
			return value, err
		}
		if closer, ok := any(value).(io.Closer); ok && err == nil {
			if err := closer.Close(); err != nil {
				var none T
				return none, err
			}
		}
	}
}

// readOnce calls read and reports whether the folder at path is still the same.
func readOnce[T any](path string, read func(path string) (T, error)) (value T, same bool, err error) {
	folder, err := HoldFolder(path)
	if errors.Is(err, fs.ErrNotExist) && RemoveStale(path) == nil {
		folder, err = HoldFolder(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		value, err = read(path)
		_, gone := os.Stat(path)
		return value, gone != nil, err
	case err != nil:
		value, err = read(path)
		return value, true, err
	}
	defer folder.Close()
	value, err = read(path)
	return value, folder.isThere(), err
}

// HeldFolder identifies a folder, so that a later one at its path can be detected. It keeps the folder open, because
// otherwise the inode number would be free for the folder that replaces it.
type HeldFolder struct {
	path string
	open *os.File // nil for a folder that may not be listed, or if it is not a folder
	info fs.FileInfo
}

// HoldFolder returns the folder at path. It must be closed.
func HoldFolder(path string) (*HeldFolder, error) {
	f := &HeldFolder{path: path}
	var err error
	if f.info, err = os.Stat(path); err != nil || !f.info.IsDir() {
		return f, err // other files are not opened, because a named pipe would block
	}
	if f.open, err = os.Open(path); f.open != nil {
		f.info, err = f.open.Stat()
	} else if !errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Close closes the folder.
func (f *HeldFolder) Close() error {
	if f.open == nil {
		return nil
	}
	return f.open.Close()
}

func (f *HeldFolder) isThere() bool {
	now, err := os.Stat(f.path)
	return err == nil && os.SameFile(f.info, now)
}

// Read calls read, which opens files of the folder. It returns an error if another folder has taken its place.
func (f *HeldFolder) Read(read func() error) error {
	err := read()
	if !f.isThere() {
		return fmt.Errorf("%s was replaced or removed since it was opened: open it again", f.path)
	}
	return err
}
