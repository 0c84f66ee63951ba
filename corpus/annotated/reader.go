package annotated

import (
	"bufio"
	"fmt"
	"io"

	"ctxnorm"
	"ctxnorm/corpus/internal/input"
)

// Options say how documents are read.
type Options struct {
	// Format forces a format; empty recognises it by content.
	Format Format
}

// RecordError is a record that is left out: a line, a mention or a whole
// document, as the reason says.
type RecordError struct {
	File   string
	Line   int // from 1
	Reason string
}

func (e *RecordError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason) }

// Reader reads documents one by one. It is not safe for concurrent use.
type Reader struct {
	name       string
	opts       Options
	source     io.Reader // until the first Next, nil after it
	closer     io.Closer // nil where the source is not ours to close
	parser     parser
	queue      []result // read and not yet given out
	final      error    // what ends the file, once the queue is empty
	duplicates int
}

// result is what one call of Next gives.
type result struct {
	doc *ctxnorm.Document
	err error
}

// parser reads a format.
type parser interface {
	// next gives the next document with the errors of its records before it. Its
	// error is final, io.EOF at the end.
	next() ([]result, error)
}

// NewReader reads documents from r. The name stands in errors.
func NewReader(r io.Reader, name string, opts Options) *Reader {
	return &Reader{name: name, opts: opts, source: r}
}

// Open opens the file at path, "-" for stdin.
func Open(path string, opts Options) (*Reader, error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, err
	}
	r := NewReader(nil, input.Name(path), opts)
	r.closer = file
	if err := r.start(file.Reader); err != nil {
		file.Close()
		return nil, err
	}
	return r, nil
}

// Close closes the file that Open opened.
func (r *Reader) Close() error {
	if r.closer == nil {
		return nil
	}
	return r.closer.Close()
}

// Duplicates counts the documents left out so far because they were there
// before, with the same identifier and text. Only formats in which identifiers
// name documents are looked at: PubTator and BioC.
func (r *Reader) Duplicates() int { return r.duplicates }

// Next is the next document, the caller's to keep. It returns io.EOF at the
// end, and a *[RecordError], after which it can be called again, for a record
// that is left out. Any other error is final.
func (r *Reader) Next() (*ctxnorm.Document, error) {
	if r.source != nil {
		source := r.source
		r.source = nil
		buffered, err := input.NewReader(source)
		if err == nil {
			err = r.start(buffered)
		} else {
			err = fmt.Errorf("%s: %w", r.name, err)
		}
		r.final = err
	}
	for len(r.queue) == 0 && r.final == nil {
		r.queue, r.final = r.parser.next()
		if r.final != nil && r.final != io.EOF {
			r.final = fmt.Errorf("%s: %w", r.name, r.final)
		}
	}
	if len(r.queue) == 0 {
		return nil, r.final
	}
	first := r.queue[0]
	r.queue = r.queue[1:]
	return first.doc, first.err
}

// start recognises the format.
func (r *Reader) start(source *bufio.Reader) error {
	format := r.opts.Format
	if format == "" {
		head, err := source.Peek(source.Size())
		if err != nil && err != io.EOF {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		format = detect(head)
	}
	switch format {
	case PubTator:
		r.parser = &pubtatorParser{file: r.name, lines: input.NewLines(source), seen: newSeen(&r.duplicates)}
	case BioC:
		r.parser = newBioCParser(r.name, source, newSeen(&r.duplicates))
	case JSONL:
		r.parser = &jsonlParser{file: r.name, lines: input.NewLines(source)}
	case Text:
		r.parser = &textParser{file: r.name, lines: input.NewLines(source)}
	default:
		return fmt.Errorf("%s: document format %q: want one of %v", r.name, format, Formats())
	}
	return nil
}
