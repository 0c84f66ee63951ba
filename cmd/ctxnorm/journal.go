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

// journalExtension is appended to the path of an output to name its journal.
const journalExtension = ".partial"

// journal stores the results of link until the output is complete, so that the same command can continue where it was
// stopped. It is a file beside the output, in the same form for every output format, with a line for each batch of
// documents. At most the last batch is lost, and a batch that is linked again has the same documents as before. Each
// line has a checksum; a batch whose line is damaged is linked again.
type journal struct {
	file   *os.File
	lines  *bufio.Reader // lines of earlier batches; nil once they are used up
	offset int64         // end of the lines in use
}

type journalBatch struct {
	Batch  string             `json:"batch"` // hash of everything that the results depend on
	Linked []*linked.Document `json:"linked"`
}

// journalStart is the beginning of every journal. It distinguishes a journal from a file of the user.
const journalStart = `{"batch":"`

// openJournal opens the journal at path. It returns a [*files.ForeignError] if the file is not a journal.
func openJournal(path string) (*journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	isJournal, err := artifact.Begins(file, journalStart)
	if err == nil && !isJournal {
		err = &files.ForeignError{Path: path, Folder: path, Reason: "is not a journal of link"}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &journal{file: file, lines: bufio.NewReaderSize(file, 1<<16)}, nil
}

// next returns the documents of a batch if it is the next one of the earlier run, else nil. dropped reports that the
// whole journal belongs to something else.
func (j *journal) next(batch string) (docs []*linked.Document, dropped bool, err error) {
	if j.lines == nil {
		return nil, false, nil
	}
	line, err := j.lines.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	var earlier journalBatch
	object, isWhole := artifact.CheckLine(line)
	if isWhole && json.Unmarshal(object, &earlier) == nil && earlier.Batch == batch && len(earlier.Linked) > 0 {
		j.offset += int64(len(line))
		return earlier.Linked, false, nil
	}
	j.lines = nil
	return nil, j.offset == 0 && err == nil, nil
}

// add appends a batch after the lines in use, and drops the lines that follow them.
func (j *journal) add(batch string, docs []*linked.Document) error {
	line, err := artifact.AppendCheckedLine(nil, journalBatch{batch, docs})
	if err != nil {
		return err
	}
	if err := j.file.Truncate(j.offset); err != nil {
		return err
	}
	n, err := j.file.WriteAt(line, j.offset)
	j.offset += int64(n)
	return err
}

// close closes the journal. It removes the file if the output is complete or the journal has no batch.
func (j *journal) close(complete bool) error {
	info, err := j.file.Stat()
	complete = complete || err == nil && info.Size() == 0
	err = j.file.Close()
	if complete {
		err = errors.Join(err, artifact.Remove(j.file.Name())) // unless another run to this output did
	}
	return err
}

// hashBatch returns a hash of the settings and of everything in the records that results depend on.
func hashBatch(settings string, records []*formats.Record) string {
	h := sha256.New()
	encoder := json.NewEncoder(h)
	_ = encoder.Encode(settings) // writing to a hash never fails
	for _, r := range records {
		_ = encoder.Encode([]any{r.ID, r.Text, r.Mentions, r.Annotations})
	}
	return hex.EncodeToString(h.Sum(nil))
}
