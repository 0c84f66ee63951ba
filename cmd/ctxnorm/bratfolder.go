package main

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// bratFolder is a folder that link writes texts and annotations of BRAT to. It replaces only files that are as link
// wrote them: those that people have annotated since are theirs. The work folder has a record NAME.json of each.
type bratFolder struct{ path, work string }

// bratFile is the record of a file, which is written before the file.
type bratFile struct {
	Now string `json:"sha256"`
	Was string `json:"before,omitempty"` // the SHA-256 of what it replaces, also by link
}

// openBRATFolder opens the folder at path, which it creates unless it is there. The caller holds its lock.
func openBRATFolder(path string) (*bratFolder, error) {
	work, err := linkedFolder.Open(path)
	for _, folder := range []string{path, work} {
		stale, _ := filepath.Glob(filepath.Join(folder, "*.tmp-*")) // the pattern is right
		for _, name := range stale {
			_ = artifact.RemoveStale(artifact.WithoutTemporary(name)) // of runs that were killed; others are not in the way
		}
	}
	return &bratFolder{path, work}, err
}

// write writes a file. A [*files.ForeignError] reports that the user's is in its place.
func (b *bratFolder) write(name, content string) error {
	path := filepath.Join(b.path, name)
	record := filepath.Join(b.work, withExtension(name, ".json"))
	digest := artifact.NewDigester()
	_, _ = digest.Write([]byte(content)) // a digest takes all it is given
	file := bratFile{Now: digest.Digest().SHA256}
	found, err := artifact.DigestFile(path)
	var earlier bratFile
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return pathError("output", path, err)
	case found.SHA256 == file.Now:
		return nil
	case artifact.ReadCheckedJSON(record, &earlier) != nil, found.SHA256 != earlier.Now && found.SHA256 != earlier.Was:
		return &files.ForeignError{Path: path, Folder: b.path}
	default:
		file.Was = found.SHA256
	}
	if err := artifact.WriteCheckedJSON(record, file); err != nil {
		return err
	}
	f, err := artifact.Create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := io.WriteString(f, content); err != nil {
		return err
	}
	return f.Place()
}
