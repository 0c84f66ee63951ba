package artifact

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/ctxnorm/ctxnorm/files"
)

// CheckListed returns an error unless the folder dir can be replaced as a whole, see [CheckReplaceable]: it has no
// manifest, and nothing else, or nothing but what list reads from the manifest.
func CheckListed(dir, manifest string, list func(dir string) (owned []string, err error), work ...WorkFolder) error {
	path := filepath.Join(dir, manifest)
	if _, err := os.Lstat(path); err != nil { // what there is, is not ctxnorm's
		return CheckReplaceable(dir, nil, work...)
	}
	owned, err := list(dir)
	if err != nil {
		reason := err.Error()
		if damaged, ok := errors.AsType[*files.DamagedError](err); ok {
			reason = damaged.Reason
		}
		return &files.ForeignError{Path: path, Folder: dir, Reason: reason}
	}
	return CheckReplaceable(dir, owned, work...)
}

// CheckReplaceable returns an error unless the folder at path can be replaced as a whole and
// nothing but ctxnorm's own is lost. There may be no folder; else it holds nothing but the
// listed files, which are slash-separated paths relative to it, the temporary files of killed
// processes that were writing those, and work folders of the given names. The error for
// anything else is a [*files.ForeignError].
func CheckReplaceable(path string, owned []string, work ...WorkFolder) error {
	dir, err := targetOf(path)
	if err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &fs.PathError{Op: "replace", Path: path, Err: syscall.ENOTDIR}
	}
	if here, err := os.Stat("."); err == nil && os.SameFile(here, info) {
		return fmt.Errorf("%s: is the current folder, which cannot be replaced as a whole; name a folder in it", path)
	}
	if isMountPoint(dir) {
		return fmt.Errorf("%s: is the root of a mounted file system, which cannot be replaced as a whole; name a "+
			"folder in it", path)
	}
	return walk(dir, func(at, name string, entry fs.DirEntry) error {
		isOwn := func(file string) bool { return file == name || file == WithoutTemporary(name) }
		if entry.IsDir() {
			if slices.Contains(work, WorkFolder(name)) {
				return cmp.Or(WorkFolder(name).Check(dir), fs.SkipDir)
			}
			isOwn = func(file string) bool { return strings.HasPrefix(file, name+"/") }
		}
		if slices.ContainsFunc(owned, isOwn) {
			return nil
		}
		return &files.ForeignError{Path: at, Folder: path}
	})
}

// walk calls visit for all that is below a folder, with its slash-separated path relative to the folder, and for a link
// to a folder in its place.
func walk(dir string, visit func(at, name string, entry fs.DirEntry) error) error {
	return filepath.WalkDir(dir, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || at == dir && entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, at)
		if err != nil {
			return err
		}
		return visit(at, filepath.ToSlash(name), entry)
	})
}

// WithoutTemporary returns the slash-separated path of which name is the temporary one, or name itself.
// Any element of the path may be temporary.
func WithoutTemporary(name string) string {
	elements := strings.Split(name, "/")
	for i, element := range elements {
		target, process, ok := strings.Cut(element, temporaryMark)
		if last := strings.LastIndexByte(process, '-'); ok && last >= 0 && isNumber(process[last+1:]) {
			elements[i] = target
		}
	}
	return strings.Join(elements, "/")
}

// WorkFolder is the name, in their parents, of the work folders of a command: folders with what it needs to go on
// when it is stopped. A marker file says that such a folder is ctxnorm's with all it holds.
type WorkFolder string

// markerName is the marker file of a work folder.
const markerName = "ctxnorm-work-folder.txt"

const marker = `This folder holds what ctxnorm needs to go on with work that was stopped.
It belongs to ctxnorm with everything in it.
`

// Check returns a [*files.ForeignError] if the work folder in the folder parent is not ctxnorm's.
// There may be none.
func (w WorkFolder) Check(parent string) error {
	dir := filepath.Join(parent, string(w))
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &files.ForeignError{Path: dir, Folder: dir, Reason: "is not a folder"}
	}
	hasMarker := func() bool {
		info, err := os.Lstat(filepath.Join(dir, markerName))
		return err == nil && info.Mode().IsRegular()
	}
	if hasMarker() {
		return nil
	}
	err = walk(dir, func(at, name string, entry fs.DirEntry) error {
		if entry.IsDir() || WithoutTemporary(name) == markerName {
			return nil
		}
		return &files.ForeignError{Path: at, Folder: dir, Reason: "was not written by ctxnorm, and there is no " +
			markerName}
	})
	if err != nil && hasMarker() { // another process has just begun to work here
		return nil
	}
	return err
}

// Open creates the work folder in the folder parent, unless it is there, and returns its path.
// The error is a [*files.ForeignError] if it is there and not ctxnorm's.
func (w WorkFolder) Open(parent string) (string, error) {
	dir := filepath.Join(parent, string(w))
	_ = RemoveStale(dir) // what cannot be removed is not in the way
	if err := w.Check(parent); err != nil {
		return "", err
	}
	// A folder without the marker is empty, so it is taken over the next time if the program is
	// killed between these two.
	if err := MkdirAll(dir); err != nil {
		return "", err
	}
	path := filepath.Join(dir, markerName)
	_ = RemoveStale(path) // as above
	if _, err := os.Lstat(path); err == nil {
		return dir, nil
	}
	return dir, WriteFile(path, []byte(marker))
}
