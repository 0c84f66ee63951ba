package artifact

import (
	"errors"
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

// CreateFolder begins an empty folder that will replace the one at path, makes the
// parents of path and removes what killed programs left of earlier attempts
// ([RemoveStale]). Its use is that of [Create].
func CreateFolder(path string) (*Folder, error) {
	path = filepath.Clean(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	_ = RemoveStale(path) // what cannot be removed is not in the way
	for {
		temporary := temporaryName(path)
		switch err := os.Mkdir(temporary, 0o777); {
		case err == nil:
			return &Folder{target: path, temporary: temporary}, nil
		case !errors.Is(err, fs.ErrExist):
			return nil, renamed(err, path)
		}
	}
}

// Path returns where the content is to be written.
func (f *Folder) Path() string { return f.temporary }

// Commit renames the folder to its target, whose old content is removed. A crash in
// between leaves the old folder as TEMPORARY.old.
func (f *Folder) Commit() error {
	old := f.temporary + oldSuffix
	switch err := os.Rename(f.target, old); {
	case errors.Is(err, fs.ErrNotExist):
		err := os.Rename(f.temporary, f.target)
		f.ended = err == nil
		return err
	case err != nil:
		return err
	}
	if err := os.Rename(f.temporary, f.target); err != nil {
		return errors.Join(err, os.Rename(old, f.target))
	}
	f.ended = true
	return os.RemoveAll(old)
}

// Discard removes the folder. After [Folder.Commit] it does nothing.
func (f *Folder) Discard() {
	if !f.ended {
		f.ended = true
		_ = os.RemoveAll(f.temporary) // its content is not wanted
	}
}
