package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// journalExtension is appended to the path of an output for its journal.
const journalExtension = ".partial"

// journal keeps the results of link until its output is complete, so that the same command
// goes on where it was stopped. It is a file beside the output, whatever the output's format:
//
//	{"settings": "…"}                         the run that it belongs to
//	{"documents": "…", "mentions": [[…], …]}   a batch: the hash of its documents, and their mentions
//
// A batch is one line, so at most the batch at hand is lost, and a batch that is linked again
// has the same documents as before.
type journal struct {
	file   *os.File
	lines  *bufio.Reader // of earlier batches; nil when they are used up
	offset int64         // end of the lines that are in use
	reused int           // batches that an earlier run linked
}

// journalStart is how a journal begins, by which it is told from a file of the user.
const journalStart = `{"settings":"`

type journalHeader struct {
	Settings string `json:"settings"`
}

type journalBatch struct {
	Documents string                    `json:"documents"`
	Mentions  [][]formats.LinkedMention `json:"mentions"`
}

// openJournal opens the journal at path and keeps its batches if they were linked with the
// same settings. other reports that it held batches of other settings, which are dropped. The error is
// a [*ctxnorm.ForeignError] if there is a file that is no journal.
func openJournal(path, settings string) (j *journal, other bool, err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, false, err
	}
	j = &journal{file: file, lines: bufio.NewReaderSize(file, 1<<16)}
	// What a killed process left may be cut off.
	if head, _ := j.lines.Peek(len(journalStart)); !strings.HasPrefix(journalStart, string(head)) {
		file.Close()
		return nil, false, &ctxnorm.ForeignError{Path: path, Folder: path, Reason: "is not a journal of link"}
	}
	var header journalHeader
	switch found, err := j.read(&header); {
	case err != nil:
		file.Close()
		return nil, false, err
	case found && header.Settings == settings:
		return j, false, nil
	default:
		other = found
	}
	j.offset = 0
	if err := j.append(journalHeader{settings}); err != nil {
		file.Close()
		return nil, false, err
	}
	return j, other, nil
}

// read reads the next line, and reports false at the end or at a line that is not complete.
func (j *journal) read(value any) (found bool, err error) {
	line, err := j.lines.ReadBytes('\n')
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if json.Unmarshal(line, value) != nil {
		return false, nil
	}
	j.offset += int64(len(line))
	return true, nil
}

// next returns the mentions of the batch with this hash if it is the next of the earlier run.
func (j *journal) next(documents string) (mentions [][]formats.LinkedMention, ok bool, err error) {
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
		j.reused++
		return batch.Mentions, true, nil
	}
	j.lines, j.offset = nil, before // the rest is of another input
	return nil, false, nil
}

// add appends a batch.
func (j *journal) add(documents string, mentions [][]formats.LinkedMention) error {
	return j.append(journalBatch{documents, mentions})
}

// append writes a line after those in use, and drops what is behind it.
func (j *journal) append(value any) error {
	j.lines = nil
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if err := j.file.Truncate(j.offset); err != nil {
		return err
	}
	n, err := j.file.WriteAt(append(line, '\n'), j.offset)
	j.offset += int64(n)
	return err
}

// close closes the journal, and removes it once the output is complete.
func (j *journal) close(complete bool) error {
	err := j.file.Close()
	if complete {
		err = errors.Join(err, os.Remove(j.file.Name()))
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
