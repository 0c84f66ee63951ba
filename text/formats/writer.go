package formats

import (
	"bufio"
	"io"

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

// documentWriter writes each document as a text of its own.
type documentWriter struct {
	*output
	options WriterOptions
	textOf  func(*linkedRecord, *WriterOptions) (string, error)
}

// eachDocument returns what makes a writer of the texts of documents.
func eachDocument(textOf func(*linkedRecord, *WriterOptions) (string, error)) func(io.Writer, WriterOptions) Writer {
	return func(w io.Writer, o WriterOptions) Writer { return &documentWriter{newOutput(w), o, textOf} }
}

// Write implements [Writer].
func (w *documentWriter) Write(r *Record, d *linked.Document) error {
	s, err := w.textOf(newLinkedRecord(r, d), &w.options)
	if err != nil {
		return err
	}
	return w.write(s)
}
