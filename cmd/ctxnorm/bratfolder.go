package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// bratFolder is a folder that link writes texts and annotations of BRAT to. It replaces only
// files that are as link wrote them: those that people have annotated since are theirs. The
// work folder of the folder has a list with a line for each content that was about to be
// written:
//
//	{"name":"note.ann","sha256":"…","crc32c":"…"}
type bratFolder struct {
	path    string
	list    *artifact.AppendFile
	written map[bratFile]bool // what the list has
}

type bratFile struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// openBRATFolder opens the folder at path, which it creates unless it is there. The caller holds its lock.
func openBRATFolder(path string) (b *bratFolder, err error) {
	work, err := linkedFolder.Open(path)
	if err != nil {
		return nil, err
	}
	listPath := filepath.Join(work, "brat.jsonl")
	data, err := artifact.ReadFile(listPath)
	if errors.Is(err, fs.ErrNotExist) {
		_ = artifact.RemoveStale(listPath) // of runs that were killed; what cannot be removed is not in the way
		err = artifact.WriteFile(listPath, nil)
	}
	if err != nil {
		return nil, err
	}
	b = &bratFolder{path: path, written: make(map[bratFile]bool)}
	var file bratFile
	for line := range bytes.Lines(data) {
		object, ok := artifact.CheckLine(line)
		if ok && json.Unmarshal(object, &file) == nil { // what a damaged line lists is taken for the user's
			b.written[file] = true
		}
	}
	// which a process that was killed may have been writing
	if file.Name != "" && filepath.Base(file.Name) == file.Name {
		_ = artifact.RemoveStale(filepath.Join(path, file.Name)) // what cannot be removed is not in the way
	}
	whole := bytes.LastIndexByte(data, '\n') + 1 // a process that was killed may have left the start of a line
	b.list, err = artifact.OpenAppend(listPath, int64(whole))
	return b, err
}

// write writes a file. A [*files.ForeignError] reports that the user's is in its place.
func (b *bratFolder) write(name, content string) error {
	path := filepath.Join(b.path, name)
	digest := artifact.NewDigester()
	_, _ = digest.Write([]byte(content)) // a digest takes all it is given
	file := bratFile{name, digest.Digest().SHA256}
	switch found, err := artifact.DigestFile(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return pathError("output", path, err)
	case found.SHA256 == file.SHA256:
		return nil
	case !b.written[bratFile{name, found.SHA256}]:
		return outputHint(path, &files.ForeignError{Path: path, Folder: b.path})
	}
	if !b.written[file] {
		line, err := artifact.AppendCheckedLine(nil, file)
		if err != nil {
			return err
		}
		if err := b.list.Append(line); err != nil {
			return err
		}
		b.written[file] = true
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

// close flushes the folder to disk.
func (b *bratFolder) close() error { return errors.Join(artifact.SyncFolder(b.path), b.list.Close()) }
