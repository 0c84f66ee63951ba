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

// CreateFolder creates an empty temporary folder that [Folder.Commit] renames to path. It
// also creates the parents of path and calls [RemoveStale]. It is used like [Create].
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

// Path returns the path of the temporary folder, to which the content is written.
func (f *Folder) Path() string { return f.temporary }

// Commit renames the folder to its target and removes the old folder there. A crash
// between the two leaves the old folder under the temporary name with ".old" appended.
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
