package formats

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/table"
	"github.com/ctxnorm/ctxnorm/text"
)

// Options configure a [Reader]. The zero value is ready to use.
type Options struct {
	// Format is the format of the file. If empty, it is detected from the content.
	Format Format
	// Encoding is the character encoding of the file, by its name in the WHATWG Encoding Standard, such as "cp1252" or
	// "shift_jis". If empty, the file is UTF-8. A byte-order mark or an XML declaration overrides it.
	Encoding string
	// Limits bound the memory for a line, a document and its mentions.
	Limits files.Limits
	// Columns maps a role of [ColumnRoles] to the name of a table's column, or to its number from 1. If empty, the columns
	// are recognized by their names.
	Columns map[string]string
	// Workbooks enables reading Excel workbooks, in files whose names end in .xlsx: each row of the first sheet with cells
	// is a document. By default they are refused.
	Workbooks bool
	// Unit is the unit of the offsets in the file.
	Unit Unit
	// RefuseMisspelled makes it an error if a member of JSONL such as "mentons" is spelled almost like a known member that
	// is absent. By default it is a warning.
	RefuseMisspelled bool
	// Candidates gives a mention of JSONL without "ids" the links of an earlier run as its concepts: the first of its
	// "candidates", or of those of each of its "sub_mentions". A table from a [Writer] is then read as its links: a row is
	// a mention as a text of its own, with the document's identifier and the offsets in the document as its [Annotation].
	// By default, candidates are ignored, and such a table is read like any other.
	Candidates bool
	// Warn is called for data that was read although it may mean something else, and for data that was skipped on purpose.
	// Nil ignores both.
	Warn func(*RecordError)
}

// RecordError is the error for a malformed record, which is skipped. The reason tells whether the record is a line, a
// mention or a whole document.
type RecordError struct {
	File    string
	Line    int // from 1; 0 if the reason contains the position
	Reason  string
	Mention int // position of a JSONL mention in its list, from 1; 0 for the whole record
}

func (e *RecordError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Reason)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason)
}

// Reader reads documents one by one. It is not safe for concurrent use.
type Reader struct {
	file   *file
	source io.Reader // nil after the first Next
	closer io.Closer // nil if Close must not close the source
	parser parser    // nil until the format is known
	err    error     // final; returned after all emitted results
}

// result is the result of one call of Next.
type result struct {
	record *Record
	err    error
}

// parser reads the next part of a file. It emits documents and errors of records, or nothing if it has to be called
// again. The error that it returns is final, and io.EOF at the end of the file.
type parser func() error

// file is the state that all parsers share.
type file struct {
	Options          // with all limits, and the format once it is known
	name    string   // for error messages
	at      int      // the last line read, in formats of lines
	emitted []result // not yet returned by the reader
	bytes   int64    // length of the current document's lines so far

	columns []string         // of a table
	sheet   *table.Worksheet // of a workbook; nil for any other file

	first map[string]firstDocument // by identifier, in formats whose identifiers name documents
}

// firstDocument is the first document of a file with some identifier.
type firstDocument struct {
	line int
	hash uint64 // of the text
}

var seed = maphash.MakeSeed()

func newFile(name string, opts Options) *file {
	opts.Limits = opts.Limits.WithDefaults()
	return &file{Options: opts, name: name, first: make(map[string]firstDocument)}
}

// emit makes the reader return a document.
func (f *file) emit(r *Record) { f.emitted = append(f.emitted, result{record: r}) }

// emitText emits a document without mentions. Without an identifier it gets its number.
func (f *file) emitText(id string, number int, content string) {
	record := NewRecord(&text.Document{ID: cmp.Or(id, strconv.Itoa(number)), Text: content})
	record.Unnamed = id == ""
	f.emit(record)
}

// isNew reports whether no earlier document has the same identifier. It warns of a duplicate with the same text, and
// reports an error if the text differs.
func (f *file) isNew(doc *text.Document, line int) bool {
	hash := maphash.String(seed, doc.Text)
	first, again := f.first[doc.ID]
	switch {
	case !again:
		f.first[doc.ID] = firstDocument{line, hash}
	case first.hash == hash:
		f.note(line, fmt.Sprintf("document %q is skipped: it is already at line %d", doc.ID, first.line))
	default:
		f.fail(line, fmt.Sprintf("document %q has another text at line %d", doc.ID, first.line))
	}
	return !again
}

// fail makes the reader return the error of a malformed record.
func (f *file) fail(line int, reason string) { f.failWith(&RecordError{Line: line, Reason: reason}) }

func (f *file) failWith(e *RecordError) {
	e.File = f.name
	f.emitted = append(f.emitted, result{err: e})
}

// aDocument is the name of a record in errors about limits, for most formats.
const aDocument = "a document"

// grow counts a line of a document, and its mentions so far, against the limits. The error for a document that exceeds
// them is final.
func (f *file) grow(id, line string, mentions int) error {
	f.bytes += int64(len(line)) + 1
	err := cmp.Or(f.Limits.CheckRecord(aDocument, f.bytes), f.Limits.CheckMentions(mentions))
	if err != nil {
		return fmt.Errorf("line %d: document %s: %w", f.at, input.Quote(id), err)
	}
	return nil
}

// failLine and endDocument are methods of [lineReader]. A type with its own endDocument must call this one if another
// document may follow, even if it emits nothing.
func (f *file) failLine(reason string) { f.fail(f.at, reason) }
func (f *file) endDocument()           { f.bytes = 0 }

// lineReader reads a line-based format. It emits a document once a line, or the end of the file, ends it.
type lineReader interface {
	line(line string) error // the error is final
	failLine(reason string) // for a line that is too long or not UTF-8
	endDocument()
}

// byLines returns the read function of a line-based format.
func byLines(of func(*file) lineReader) func(*file, *bufio.Reader) (parser, error) {
	return func(f *file, r *bufio.Reader) (parser, error) { return f.parseLines(r, of(f)), nil }
}

// parseLines returns a parser that passes the lines of a file to a [lineReader].
func (f *file) parseLines(r *bufio.Reader, reader lineReader) parser {
	lines := input.NewLines(r, f.Limits)
	return func() error {
		line, err := lines.Next()
		f.at = lines.Number()
		switch bad, isBad := err.(*input.LineError); {
		case isBad:
			reader.failLine(bad.Error())
			return nil
		case err == nil:
			return reader.line(line)
		case err == io.EOF:
			reader.endDocument()
		}
		return err
	}
}

// note warns about a record that is kept. It does nothing if the reason is empty.
func (f *file) note(line int, reason string) {
	if f.Warn != nil && reason != "" {
		f.Warn(&RecordError{File: f.name, Line: line, Reason: reason})
	}
}

// spans returns the [spans] of a text.
func (f *file) spans(s string) *spans { return &spans{s, f.Unit, make(map[Unit]*text.Offsets)} }

// NewReader returns a reader of the documents in r. Errors call the file name.
func NewReader(r io.Reader, name string, opts Options) *Reader {
	return &Reader{file: newFile(name, opts), source: r}
}

// Open returns a reader of the documents in the file at path, or in stdin if path is "-". A text file with an
// annotation file beside it (note.txt and note.ann) is opened as BRAT. The caller must call [Reader.Close].
func Open(path string, opts Options) (*Reader, error) {
	if isBRAT(path, opts.Format) {
		return openBRAT(path, opts)
	}
	f, err := input.OpenEncoded(path, opts.Encoding)
	if err != nil {
		return nil, err
	}
	r := NewReader(nil, input.Name(path), opts)
	r.closer = f
	if err := r.start(f.Reader); err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

// Close closes the file if [Open] opened it, and the sheet of a workbook.
func (r *Reader) Close() error {
	var err error
	if r.file.sheet != nil {
		err = r.file.sheet.Close()
	}
	if r.closer == nil {
		return err
	}
	return errors.Join(err, r.closer.Close())
}

// Position returns how many bytes of the stored file have been read, or 0 if unknown.
func (r *Reader) Position() int64 {
	if f, ok := r.closer.(*input.File); ok {
		return f.Position()
	}
	return 0
}

// Columns returns the column names of a table, as in [Record.Columns], or nil for any other file. The reader must be
// from [Open].
func (r *Reader) Columns() []string { return r.file.columns }

// Format returns the format of the file. For a reader from [NewReader] it returns "" before the first Next.
func (r *Reader) Format() Format {
	if r.parser == nil {
		return ""
	}
	return r.file.Format
}

// Next returns the next document with the other data of the file; the caller may keep it. Next returns io.EOF at the
// end of the file, and a [*RecordError] for a skipped record, after which it can be called again. Any other error is
// final.
//
// In PubTator and BioC, where identifiers name documents, Next skips a document with the identifier and text of an
// earlier one, with a warning.
func (r *Reader) Next() (*Record, error) {
	if r.source != nil {
		source := r.source
		r.source = nil
		buffered, err := input.NewEncodedReader(source, r.file.Encoding)
		if err == nil {
			err = r.start(buffered)
		} else {
			err = fmt.Errorf("%s: %w", r.file.name, err)
		}
		r.err = err
	}
	f := r.file
	for len(f.emitted) == 0 && r.err == nil {
		if r.err = r.parser(); r.err != nil && r.err != io.EOF {
			r.err = fmt.Errorf("%s: %w", f.name, r.err)
		}
	}
	if len(f.emitted) == 0 {
		return nil, r.err
	}
	first := f.emitted[0]
	f.emitted = f.emitted[1:]
	return first.record, first.err
}

// start detects the format and creates the parser.
func (r *Reader) start(source *bufio.Reader) (err error) {
	f := r.file
	if f.Format == "" {
		if f.Format, err = f.detect(source); err != nil {
			return err
		}
	}
	i := slices.IndexFunc(inputFormats, func(in inputFormat) bool { return in.name == f.Format })
	if i < 0 {
		return fmt.Errorf("%s: document format %q: want one of %v", f.name, f.Format, Formats())
	}
	r.parser, err = inputFormats[i].read(f, source)
	return err
}

// detect returns the format of the file by its content. If the content is only lines of text, the extension decides:
// files named like CoNLL, YAML and so on are not text, a short .txt file that is a note is one document, and a table
// with unknown columns is refused.
func (f *file) detect(source *bufio.Reader) (Format, error) {
	if f.Workbooks && strings.EqualFold(filepath.Ext(f.name), ".xlsx") {
		if head, _ := source.Peek(len(input.ZipMark)); string(head) == input.ZipMark {
			return XLSX, nil
		}
	}
	if len(f.Columns) > 0 {
		return CSV, nil
	}
	format, err := detectReader(source, f.name)
	if err != nil || format != Text {
		return format, err
	}
	extension := strings.ToLower(filepath.Ext(input.TrimCompression(f.name)))
	if s := signatureOf(func(s *signature) bool { return s.has("extensions", extension) }); s != nil && s.format != "" {
		return s.format, nil
	} else if s != nil {
		return "", &UnknownError{f.name, s.got}
	}
	switch {
	case extension == txtExtension:
		if head, err := source.Peek(source.Size()); err == io.EOF && isNote(string(head)) {
			return Plain, nil
		}
	case extension == ".csv", extension == ".tsv", extension == ".tab":
		head, _ := source.Peek(source.Buffered())
		line, _, _ := strings.Cut(string(head), "\n")
		if table.Sniff(head, isHeader) != "" || hasContent([]string{strings.Trim(line, "\" \r")}) {
			return CSV, nil
		}
		for _, cells := range table.FirstRows([]byte(line), delimiterOf(head), 1) {
			return "", &UnknownError{f.name, withoutText(cells)}
		}
	}
	return Text, nil
}
