package artifact

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Folder is a folder under construction: it has a temporary name beside its target
// until [Folder.Commit].
type Folder struct {
	target, temporary string
	ended             bool // committed or discarded
}

// CreateFolder creates an empty temporary folder that [Folder.Commit] renames to path. It
// also creates the parents of path and calls [RemoveStale]. It is used like [Create]. If path
// is a symbolic link, the folder that it leads to is the target.
func CreateFolder(path string) (*Folder, error) {
	path, err := targetOf(path)
	if err != nil {
		return nil, err
	}
	if err := MkdirAll(filepath.Dir(path)); err != nil {
		return nil, err
	}
	_ = RemoveStale(path) // what cannot be removed is not in the way
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

// ReplaceFolder replaces the folder at path in one step, see [Folder.Commit], by one that write fills, given the path of
// a temporary folder. check says whether what is at path may go. It is asked again at the end: the user may have put
// something there meanwhile.
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

// CheckEmpty returns an error unless there is no folder at path, or an empty one.
func CheckEmpty(path string) error {
	entries, err := os.ReadDir(path)
	if len(entries) > 0 {
		return fmt.Errorf("%s: the folder is not empty", path)
	}
	return ignoreMissing(err)
}

// targetOf returns the path of the folder that is replaced where path is named: a path that
// ends in a name of the folder, and is no symbolic link.
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

// Path returns the path of the temporary folder, to which the content is written.
func (f *Folder) Path() string { return f.temporary }

// Commit replaces the folder at the target, if there is one, and removes what it held. The
// caller has checked with [CheckReplaceable] that all of it may go.
//
// The two folders are exchanged in one step, so that the target is the old folder or the new
// one at every moment, and after a loss of power, too: the new one is on disk before they are
// exchanged, and the exchange before the old one is removed. Where the system has no such
// step, the old folder is renamed to the temporary name with ".old" appended and the new one
// takes its place; if the program ends between the two, [RemoveStale] and [ReadFolder] put the old folder back.
func (f *Folder) Commit() error {
	// Its entries, and those of the folders below it, are flushed to disk. It gets the permissions of any new folder.
	info, err := os.Stat(f.temporary)
	if err == nil {
		mode := 0o777&^umask | info.Mode()&fs.ModeSetgid // that of its parent is inherited
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

// renameBoth renames the folder at the target to old, if there is one, and the new one to the target.
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

// Discard removes the folder. After [Folder.Commit] it does nothing.
func (f *Folder) Discard() {
	if !f.ended {
		f.ended = true
		_ = removeAll(f.temporary) // its content is not wanted
		releaseName(f.temporary)
	}
}

// RemoveFolder removes the folder at path and what it holds. The folder is renamed first, so
// that it is there whole or not at all, after a loss of power, too. It is no error if there is none.
func RemoveFolder(path string) error {
	path = filepath.Clean(path)
	_ = RemoveStale(path) // what cannot be removed is not in the way
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

// CopyFolder copies the files below the folder from to the folder to, which it creates. They
// are regular files and folders.
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

// LinkFile makes the file from appear as to, too: by a hard link, or as a copy where the file
// system has no links. Neither may be changed afterwards, only replaced.
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
	if from, err = filepath.EvalSymlinks(from); err != nil { // a link to a symbolic link would be one
		return err
	}
	if step("link", to, func() error { return os.Link(from, to) }) == nil {
		return nil
	}
	return CopyFile(to, from)
}

// ReadFolder returns what read makes of files of the folder at path. It calls read again if the folder was replaced
// meanwhile, so that all files are of one folder, and closes what read made before if that can be closed. If the program
// that replaced the folder ended halfway, ReadFolder first puts the old one back.
func ReadFolder[T any](path string, read func(path string) (T, error)) (T, error) {
	const attempts = 10 // a folder is not replaced as often as this while it is read
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

// readOnce calls read and reports whether the folder at path is the one from before.
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

// HeldFolder is a folder that a later one at its path is told from. It is open meanwhile: the number of its inode would
// else be free for one that replaces it.
type HeldFolder struct {
	path string
	open *os.File // nil for one that may not be listed, or is none
	info fs.FileInfo
}

// HoldFolder returns the folder at path. Close it.
func HoldFolder(path string) (*HeldFolder, error) {
	f := &HeldFolder{path: path}
	var err error
	if f.info, err = os.Stat(path); err != nil || !f.info.IsDir() {
		return f, err // what is no folder is not opened, since a named pipe would be waited for
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

// Read calls read, which opens files of the folder. The error says so if another folder is in its place.
func (f *HeldFolder) Read(read func() error) error {
	err := read()
	if !f.isThere() {
		return fmt.Errorf("%s was replaced or removed since it was opened: open it again", f.path)
	}
	return err
}
