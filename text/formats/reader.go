package formats

import (
	"bufio"
	"fmt"
	"hash/maphash"
	"io"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text"
)

// Options configure a [Reader]. The zero value is ready to use.
type Options struct {
	// Format is the format of the file. If empty, it is detected from the content.
	Format Format
}

// RecordError is the error for a malformed record, which is skipped: a line, a mention
// or a whole document, as the reason says.
type RecordError struct {
	File   string
	Line   int // from 1
	Reason string
}

func (e *RecordError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason) }

// Reader reads documents one by one. It is not safe for concurrent use.
type Reader struct {
	name       string // for errors
	opts       Options
	source     io.Reader // nil after the first Next
	closer     io.Closer // nil if Close should not close the source
	parser     parser
	queue      []result // parsed and not yet returned
	err        error    // final, returned once the queue is empty
	duplicates int      // number of documents skipped as duplicates; read by tests only
}

// result is the result of one call of Next.
type result struct {
	doc *text.Document
	err error
}

// parser reads one format.
type parser interface {
	// next returns the next document, preceded by the errors of its records. Its own
	// error is final, io.EOF at the end of the file.
	next() ([]result, error)
}

// NewReader returns a reader of the documents in r. Errors refer to the file as name.
func NewReader(r io.Reader, name string, opts Options) *Reader {
	return &Reader{name: name, opts: opts, source: r}
}

// Open returns a reader of the documents in the file at path, or of stdin if path is "-".
// The caller calls [Reader.Close].
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

// Close closes the file if [Open] opened it.
func (r *Reader) Close() error {
	if r.closer == nil {
		return nil
	}
	return r.closer.Close()
}

// Next returns the next document, which the caller may keep. It returns io.EOF at the
// end of the file, and a [*RecordError], after which it can be called again, for a
// record that is skipped. Any other error is final.
//
// In PubTator and BioC, whose identifiers are those of documents, a document with the
// same identifier and text as an earlier one is skipped without an error.
func (r *Reader) Next() (*text.Document, error) {
	if r.source != nil {
		source := r.source
		r.source = nil
		buffered, err := input.NewReader(source)
		if err == nil {
			err = r.start(buffered)
		} else {
			err = fmt.Errorf("%s: %w", r.name, err)
		}
		r.err = err
	}
	for len(r.queue) == 0 && r.err == nil {
		r.queue, r.err = r.parser.next()
		if r.err != nil && r.err != io.EOF {
			r.err = fmt.Errorf("%s: %w", r.name, r.err)
		}
	}
	if len(r.queue) == 0 {
		return nil, r.err
	}
	first := r.queue[0]
	r.queue = r.queue[1:]
	return first.doc, first.err
}

// start detects the format and creates the parser.
func (r *Reader) start(source *bufio.Reader) error {
	format := r.opts.Format
	if format == "" {
		var err error
		if format, err = detectReader(source, r.name); err != nil {
			return err
		}
	}
	switch format {
	case PubTator:
		r.parser = &pubtatorParser{file: r.name, lines: input.NewLines(source), duplicates: newDuplicateFilter(&r.duplicates)}
	case BioC:
		r.parser = newBioCParser(r.name, source, newDuplicateFilter(&r.duplicates))
	case JSONL:
		r.parser = &jsonlParser{file: r.name, lines: input.NewLines(source)}
	case Text:
		r.parser = &textParser{file: r.name, lines: input.NewLines(source)}
	default:
		return fmt.Errorf("%s: document format %q: want one of %v", r.name, format, Formats())
	}
	return nil
}

// duplicateFilter finds documents that occur more than once in a file.
type duplicateFilter struct {
	first      map[string]firstDocument // by identifier
	seed       maphash.Seed
	duplicates *int
}

type firstDocument struct {
	line int
	hash uint64 // of the text
}

func newDuplicateFilter(duplicates *int) duplicateFilter {
	return duplicateFilter{first: make(map[string]firstDocument), seed: maphash.MakeSeed(), duplicates: duplicates}
}

// check reports whether a document with the same identifier occurred before. The reason
// is empty if it had the same text, and counts as a duplicate.
func (f duplicateFilter) check(doc *text.Document, line int) (reason string, again bool) {
	hash := maphash.String(f.seed, doc.Text)
	first, again := f.first[doc.ID]
	switch {
	case !again:
		f.first[doc.ID] = firstDocument{line, hash}
		return "", false
	case first.hash == hash:
		*f.duplicates++
		return "", true
	}
	return fmt.Sprintf("document %q has another text at line %d", doc.ID, first.line), true
}
