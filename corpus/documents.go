package corpus

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/pubmed"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// recordReader reads the records of an input file: PubMed XML or documents in another format.
type recordReader interface {
	// Next returns the next record. The error is io.EOF at the end. After a [*pubmed.SyntaxError] or a
	// [*brokenDocument], Next can be called again. Any other error is final.
	Next() (*pubmed.Record, error)
	// Position returns the number of bytes of the file, as stored, that have been read.
	Position() int64
	// Deleted returns the PMIDs that the file deletes. Call it after reading all records.
	Deleted() []string
	Close() error
}

// brokenDocument is the error for a place in a file of documents that cannot be read.
type brokenDocument struct{ Problem }

func (e *brokenDocument) Error() string { return e.Reason }

// textSection is the section of a document that is not from PubMed.
const textSection = "text"

// documentReader reads documents as records of one section. It ignores annotations in the file.
type documentReader struct {
	*formats.Reader
	task *task
	seen map[string]int // identifier -> number of documents with it so far
	kept int64          // memory of seen
	err  error          // final
}

// seenSize is the memory, in bytes, that an identifier in a map takes in addition to its text.
const seenSize = 64

// Next implements [recordReader]. A record has the identifier of the document or, if the file has none, the name of the
// file and a number: "notes.txt:12". A second document with the same identifier gets a number, so it is not taken for
// another version of the first: "P7#2".
func (d *documentReader) Next() (*pubmed.Record, error) {
	if d.err != nil {
		return nil, d.err
	}
	record, err := d.Reader.Next()
	var bad *formats.RecordError
	var file *fs.PathError
	switch {
	case err == io.EOF, errors.As(err, &file):
		return nil, err
	case errors.As(err, &bad):
		return nil, &brokenDocument{Problem{Offset: -1, Line: bad.Line, Reason: bad.Reason}}
	case err != nil: // the rest of the file cannot be read
		d.err = io.EOF
		return nil, &brokenDocument{Problem{Offset: -1,
			Reason: strings.TrimPrefix(err.Error(), input.Name(d.task.path)+": ")}}
	}
	id := record.IDIn(d.task.name)
	if d.seen[id]++; d.seen[id] > 1 {
		id = fmt.Sprintf("%s#%d", id, d.seen[id])
	} else if d.kept += seenSize + int64(len(id)); d.task.Limits.CheckInMemory("the identifiers of a file", d.kept) != nil {
		return nil, d.task.Limits.CheckInMemory("the identifiers of a file", d.kept)
	}
	return &pubmed.Record{PMID: id, Version: 1, Sections: []pubmed.Section{{Label: textSection,
		Text: record.Text}}}, nil
}

// Deleted implements [recordReader].
func (d *documentReader) Deleted() []string { return nil }

// recognize returns the format of an input file: o.Format if it is set, otherwise the format found by its content. XML
// that is damaged at its very start is left to the reader of PubMed XML, which reports the place. The error is a
// [*formats.UnknownError] if the file cannot be an input of a corpus.
func recognize(path string, o *Options) (formats.Format, error) {
	if o.Format != "" {
		return o.Format, nil
	}
	reader, err := formats.Open(path, o.Options)
	if err != nil {
		if _, ok := errors.AsType[*formats.UnknownError](err); ok {
			return "", err
		}
		return formats.PubMed, nil // its reader reports the damage
	}
	defer reader.Close()
	format := reader.Format()
	switch isXML := format == formats.PubMed || format == formats.BioC || format == formats.JATS; {
	case format == formats.BRAT: // its annotations are ignored
		return formats.Plain, nil
	case !isXML && strings.HasSuffix(input.TrimCompression(path), ".xml"):
		return formats.PubMed, nil
	}
	return format, nil
}
