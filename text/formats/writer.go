package formats

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/ctxnorm/ctxnorm/text/linked"
)

// Writer writes linked documents in a format. A document that was read in the same format is
// written as it was, with the concepts filled in.
type Writer interface {
	// Write writes a record with its linked mentions. It may buffer nothing of it, so that a reader at the end of
	// a pipe sees it, unless the format has to be written as a whole.
	Write(*Record, *linked.Document) error
	// Close writes the end of the file. It does not close what the writer writes to.
	Close() error
}

// NewWriter returns a writer of a format to w. BRAT, which has files for each document, has
// [NewBRATWriter] and [NewBRATArchive]; XLSX and Parquet have package sheet.
func NewWriter(w io.Writer, format Format) (Writer, error) {
	out := newOutput(w)
	switch format {
	case JSONL:
		return &jsonlWriter{out}, nil
	case PubTator:
		return &pubtatorWriter{out}, nil
	case BioC:
		return &biocWriter{output: out}, nil
	case BioCJSON:
		return &biocJSONWriter{output: out}, nil
	case CoNLL:
		return &conllWriter{out}, nil
	case TSV, CSV:
		return NewTableWriter(w, format, TableOptions{})
	case HTML:
		return &htmlWriter{output: out}, nil
	}
	return nil, fmt.Errorf("document format %q: want one that is written to one file without package sheet", format)
}

// output is where a writer writes to.
type output struct{ *bufio.Writer }

func newOutput(w io.Writer) *output { return &output{bufio.NewWriterSize(w, 1<<16)} }

// Close implements [Writer] for formats without an end.
func (o *output) Close() error { return o.Flush() }

// write writes s and flushes it.
func (o *output) write(s string) error {
	if _, err := o.WriteString(s); err != nil {
		return err
	}
	return o.Flush()
}

// FormatOf returns the format of output that the extension of a path names, or the empty format:
// .xml is BioC's, the only XML that is written, and .json may be BioC's or lines of JSON.
func FormatOf(path string) Format {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".jsonl":
		return JSONL
	case ".xml":
		return BioC
	case ".pubtator":
		return PubTator
	case ".conll":
		return CoNLL
	case ".tsv":
		return TSV
	case ".csv":
		return CSV
	case ".xlsx":
		return XLSX
	case ".parquet":
		return Parquet
	case ".html", ".htm":
		return HTML
	}
	return ""
}
