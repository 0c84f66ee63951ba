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

// CheckListed returns an error unless the folder dir can be replaced as a whole, see [CheckReplaceable]. It must either
// be empty, or contain only the manifest and the files that list reads from it.
func CheckListed(dir, manifest string, list func(dir string) (owned []string, err error), work ...WorkFolder) error {
	path := filepath.Join(dir, manifest)
	if _, err := os.Lstat(path); err != nil { // all files belong to the user
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

// CheckReplaceable returns an error unless the folder at path can be replaced as a whole without loss of the user's
// files. The folder may be missing. Otherwise it may contain only the listed files, given as slash-separated paths
// relative to it, temporary files of killed processes that were writing those, and work folders with the given names.
// For anything else, it returns a [*files.ForeignError].
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

// walk calls visit for everything below a folder, with its slash-separated path relative to the folder. If dir is a
// link, it calls visit for the link only.
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

// WithoutTemporary returns the slash-separated path with the temporary names in it replaced by those of their targets.
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

// WorkFolder is the name of a command's work folders in their parents. A work folder contains what the command needs to
// resume after an interruption. A marker file declares that the folder and everything in it belongs to ctxnorm.
type WorkFolder string

// markerName is the marker file of a work folder.
const markerName = "ctxnorm-work-folder.txt"

const marker = `This folder holds what ctxnorm needs to go on with work that was stopped.
It belongs to ctxnorm with everything in it.
`

// Check returns a [*files.ForeignError] if the work folder in the folder parent does not belong to ctxnorm. It may be
// missing.
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
	if err != nil && hasMarker() { // another process has just started to work here
		return nil
	}
	return err
}

// Open creates the work folder in the folder parent if needed, and returns its path. It returns a [*files.ForeignError]
// if the folder exists and does not belong to ctxnorm.
func (w WorkFolder) Open(parent string) (string, error) {
	dir := filepath.Join(parent, string(w))
	_ = RemoveStale(dir) // files that cannot be removed do no harm
	if err := w.Check(parent); err != nil {
		return "", err
	}
	// A folder without the marker is empty. So if the program is killed between these two steps, the next run takes the
	// folder over.
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
