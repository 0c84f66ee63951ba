package formats

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// Expand replaces each folder in paths by the document files in it and in its subfolders, sorted by name. It skips
// hidden files and BRAT's settings, and replaces BRAT annotation files by their text, so that each document occurs
// once. It also skips paths, files and folders for which leaveOut returns true; leaveOut may be nil. Expand returns an
// error for a folder without files, for annotations without a text, and for anything but a regular file in a folder: a
// pipe, a dangling link or a link to a folder.
func Expand(paths []string, leaveOut func(path string) bool) ([]string, error) {
	if leaveOut == nil {
		leaveOut = func(string) bool { return false }
	}
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if path == "-" || err == nil && !info.IsDir() {
			if path == "-" || !leaveOut(path) {
				files = append(files, path)
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		below, err := input.FilesBelow(path, leaveOut)
		if err != nil {
			return nil, err
		}
		if below = slices.DeleteFunc(below, func(at string) bool { return filepath.Ext(at) == ".conf" }); len(below) == 0 {
			return nil, fmt.Errorf("%s: no file in this folder", path)
		}
		for _, at := range below { // a link may lead anywhere
			if info, err := os.Stat(at); err != nil {
				return nil, err
			} else if !info.Mode().IsRegular() {
				return nil, fmt.Errorf("%s: is not a regular file, want it out of the folder, or as an input of its own", at)
			}
		}
		files = append(files, below...)
	}
	return textsOfAnnotations(files)
}

// textsOfAnnotations replaces each BRAT annotation file by its text, without repeating the text.
func textsOfAnnotations(files []string) ([]string, error) {
	named := make(map[string]bool)
	for _, path := range files {
		named[filepath.Clean(path)] = true
	}
	var texts []string
	for _, path := range files {
		base, isAnnotation := strings.CutSuffix(path, annExtension)
		if !isAnnotation {
			texts = append(texts, path)
			continue
		}
		content := base + txtExtension
		if !isFile(content) {
			return nil, noTextError(path)
		}
		if clean := filepath.Clean(content); !named[clean] {
			named[clean] = true
			texts = append(texts, content)
		}
	}
	return texts, nil
}

// isFile reports whether path is a regular file.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// ShortNames returns the shortest end of each path that distinguishes it from the others: its base name, with as many
// folders before it as needed. Equal paths get the same name.
func ShortNames(paths []string) []string {
	names := make([]string, len(paths))
	for n := 1; slices.Contains(names, ""); n++ {
		ends, files := make([]string, len(paths)), make(map[string]map[string]bool) // with this end
		for i, path := range paths {
			path = filepath.ToSlash(filepath.Clean(path))
			elements := strings.Split(path, "/")
			ends[i] = strings.Join(elements[max(0, len(elements)-n):], "/")
			if files[ends[i]] == nil {
				files[ends[i]] = make(map[string]bool)
			}
			files[ends[i]][path] = true
		}
		for i := range names {
			if names[i] == "" && len(files[ends[i]]) == 1 {
				names[i] = ends[i]
			}
		}
	}
	return names
}
