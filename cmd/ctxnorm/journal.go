package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// journalExtension is appended to the path of an output for its journal.
const journalExtension = ".partial"

// journal keeps the results of link until its output is complete, so that the same command
// goes on where it was stopped. It is a file beside the output, whatever the output's format:
//
//	{"settings":"…","crc32c":"…"}                         the run that it belongs to
//	{"documents":"…","linked":[{…}, …],"crc32c":"…"}       a batch: the hash of its documents, and these linked
//
// A batch is one line, so at most the batch at hand is lost, and a batch that is linked again
// has the same documents as before. Lines have checksums: batches that are not as they were written
// are linked again.
type journal struct {
	file   *os.File
	lines  *bufio.Reader // of earlier batches; nil when they are used up
	header int64         // end of the first line
	offset int64         // end of the lines that are in use
}

type journalHeader struct {
	Settings string `json:"settings"`
}

type journalBatch struct {
	Documents string             `json:"documents"`
	Linked    []*linked.Document `json:"linked"`
}

// journalStart is how a journal begins, by which it is told from a file of the user.
const journalStart = `{"settings":"`

// openJournal opens the journal at path and keeps its batches if they were linked with the
// same settings. dropped reports that it held something else. The error is an [*files.ForeignError] if the file is no
// journal.
func openJournal(path, settings string) (j *journal, dropped bool, err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, false, err
	}
	j = &journal{file: file, lines: bufio.NewReaderSize(file, 1<<16)}
	if dropped, err = j.open(path, settings); err != nil {
		return nil, false, errors.Join(err, file.Close())
	}
	j.header = j.offset
	return j, dropped, nil
}

// open reads the first line, or writes it anew.
func (j *journal) open(path, settings string) (dropped bool, err error) {
	switch ok, err := artifact.Begins(j.file, journalStart); {
	case err != nil:
		return false, err
	case !ok:
		return false, &files.ForeignError{Path: path, Folder: path, Reason: "is not a journal of link"}
	}
	var header journalHeader
	found, err := j.read(&header)
	if err != nil || found && header.Settings == settings {
		return false, err
	}
	dropped = !j.isEmpty(j.offset)
	j.offset = 0
	return dropped, j.append(journalHeader{settings})
}

// isEmpty reports whether the journal has nothing behind its first line, which ends at header.
func (j *journal) isEmpty(header int64) bool {
	info, err := j.file.Stat()
	return err == nil && info.Size() <= header
}

// read reads the next line, and reports false at the end or at a line that is not as it was
// written.
func (j *journal) read(value any) (found bool, err error) {
	line, err := j.lines.ReadBytes('\n')
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	object, ok := artifact.CheckLine(line)
	if !ok || json.Unmarshal(object, value) != nil {
		return false, nil
	}
	j.offset += int64(len(line))
	return true, nil
}

// next returns the documents of the batch with this hash if it is the next of the earlier run.
func (j *journal) next(documents string) (docs []*linked.Document, ok bool, err error) {
	if j.lines == nil {
		return nil, false, nil
	}
	var batch journalBatch
	before := j.offset
	found, err := j.read(&batch)
	if err != nil {
		return nil, false, err
	}
	if found && batch.Documents == documents {
		return batch.Linked, true, nil
	}
	j.lines, j.offset = nil, before // the rest is of another input
	return nil, false, nil
}

// add appends a batch.
func (j *journal) add(documents string, docs []*linked.Document) error {
	return j.append(journalBatch{documents, docs})
}

// append writes a line after those in use, and drops what is behind it.
func (j *journal) append(value any) error {
	line, err := artifact.AppendCheckedLine(nil, value)
	if err != nil {
		return err
	}
	j.lines = nil
	if err := j.file.Truncate(j.offset); err != nil {
		return err
	}
	n, err := j.file.WriteAt(line, j.offset)
	j.offset += int64(n)
	return err
}

// close closes the journal, and removes it once the output is complete, or if it has no batch.
func (j *journal) close(complete bool) error {
	complete = complete || j.isEmpty(j.header)
	err := j.file.Close()
	if complete {
		err = errors.Join(err, artifact.Remove(j.file.Name())) // unless another run to this output has
	}
	return err
}

// hashRecords returns a hash of everything in records that results depend on.
func hashRecords(records []*formats.Record) string {
	h := sha256.New()
	encoder := json.NewEncoder(h)
	for _, r := range records {
		_ = encoder.Encode([]any{r.ID, r.Text, r.Mentions, r.Annotations}) // a hash takes all it is given
	}
	return hex.EncodeToString(h.Sum(nil))
}
