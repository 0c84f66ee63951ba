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
	// "shift_jis". If empty, the file is UTF-8. A byte-order mark and the declaration of XML are stronger.
	Encoding string
	// Limits bound the memory for a line, a document and its mentions.
	Limits files.Limits
	// Columns maps what a row of a table says ([ColumnRoles]) to the name of a column, or to
	// its number from 1. If empty, the columns are recognized by their names.
	Columns map[string]string
	// Workbooks reads Excel workbooks, in files whose names end in .xlsx: a row of their first sheet with cells is a
	// document. By default they are refused.
	Workbooks bool
	// Unit is the unit of the offsets in the file.
	Unit Unit
	// RefuseMisspelled makes an error of a member of JSONL that is spelled almost like one that is read and is absent,
	// as "mentons" is. By default it is a warning.
	RefuseMisspelled bool
	// Candidates gives a mention of JSONL without "ids" the first of its "candidates", or of those of each of its
	// "sub_mentions", as its concepts: how an earlier run linked it. A table that a [Writer] wrote is then read as the
	// links that it has: a row is a mention as a text of its own, with the document's identifier and the offsets in the
	// document as its [Annotation]. By default candidates are ignored, and such a table is one like any other.
	Candidates bool
	// Warn is called with what was read although the file may mean something else, and with
	// what was left out on purpose. Nil ignores it.
	Warn func(*RecordError)
}

// RecordError is the error for a malformed record, which is skipped: a line, a mention
// or a whole document, as the reason says.
type RecordError struct {
	File    string
	Line    int // from 1; 0 if the reason says where
	Reason  string
	Mention int // of JSONL, the position of the mention in its list, from 1; 0 if the whole record is meant
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
	closer io.Closer // nil if Close should not close the source
	parser parser    // nil until the format is known
	err    error     // final, returned once all that was emitted is
}

// result is the result of one call of Next.
type result struct {
	record *Record
	err    error
}

// parser reads on in a file. It emits a document or the error of a record, or neither and is called again. Its error
// is final, io.EOF at the end of the file.
type parser func() error

// file is what every parser knows of its file.
type file struct {
	Options          // with all limits, and the format once it is known
	name    string   // for errors
	at      int      // the line that was read last, of a format of lines
	emitted []result // and not yet returned by the reader
	bytes   int64    // of the lines of the document that is read

	columns []string         // of a table
	sheet   *table.Worksheet // of a workbook; nil for any other file

	first map[string]firstDocument // by identifier, of formats whose identifiers are those of documents
}

// firstDocument is the first document of a file that has an identifier.
type firstDocument struct {
	line int
	hash uint64 // of the text
}

var seed = maphash.MakeSeed()

func newFile(name string, opts Options) *file {
	opts.Limits = opts.Limits.WithDefaults()
	return &file{Options: opts, name: name, first: make(map[string]firstDocument)}
}

// emit returns a document from the reader.
func (f *file) emit(r *Record) { f.emitted = append(f.emitted, result{record: r}) }

// emitText emits a document without mentions; without an identifier it has its number.
func (f *file) emitText(id string, number int, content string) {
	record := NewRecord(&text.Document{ID: cmp.Or(id, strconv.Itoa(number)), Text: content})
	record.Unnamed = id == ""
	f.emit(record)
}

// isNew reports whether no document before had the same identifier. It notes one with the same text, and fails one with
// another.
func (f *file) isNew(doc *text.Document, line int) bool {
	hash := maphash.String(seed, doc.Text)
	first, again := f.first[doc.ID]
	switch {
	case !again:
		f.first[doc.ID] = firstDocument{line, hash}
	case first.hash == hash:
		f.note(line, fmt.Sprintf("document %q is at line %d already and is skipped", doc.ID, first.line))
	default:
		f.fail(line, fmt.Sprintf("document %q has another text at line %d", doc.ID, first.line))
	}
	return !again
}

// fail returns the error of a malformed record from the reader.
func (f *file) fail(line int, reason string) { f.failWith(&RecordError{Line: line, Reason: reason}) }

func (f *file) failWith(e *RecordError) {
	e.File = f.name
	f.emitted = append(f.emitted, result{err: e})
}

// aDocument names the record that most formats have, for the errors of limits.
const aDocument = "a document"

// grow counts a line of a document with its mentions until now. The error for a document that is too long or has too
// many mentions is final.
func (f *file) grow(id, line string, mentions int) error {
	f.bytes += int64(len(line)) + 1
	err := cmp.Or(f.Limits.CheckRecord(aDocument, f.bytes), f.Limits.CheckMentions(mentions))
	if err != nil {
		return fmt.Errorf("line %d: document %s: %w", f.at, input.Quote(id), err)
	}
	return nil
}

// failLine and endDocument are methods of a [lineReader]. An endDocument of its own calls this one whatever it emits if
// another document may follow.
func (f *file) failLine(reason string) { f.fail(f.at, reason) }
func (f *file) endDocument()           { f.bytes = 0 }

// lineReader reads a format of lines. It emits a document when a line, or the end of the file, ends it.
type lineReader interface {
	line(line string) error // the error is final
	failLine(reason string) // for a line that is too long or no UTF-8
	endDocument()
}

// byLines returns what reads a format of lines.
func byLines(of func(*file) lineReader) func(*file, *bufio.Reader) (parser, error) {
	return func(f *file, r *bufio.Reader) (parser, error) { return f.parseLines(r, of(f)), nil }
}

// parseLines returns what gives a [lineReader] the lines of a file.
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

// note warns about a record that is kept, unless the reason is empty.
func (f *file) note(line int, reason string) {
	if f.Warn != nil && reason != "" {
		f.Warn(&RecordError{File: f.name, Line: line, Reason: reason})
	}
}

// spans returns what finds mentions in a text.
func (f *file) spans(s string) *spans { return &spans{s, f.Unit, make(map[Unit]*text.Offsets)} }

// NewReader returns a reader of the documents in r. Errors refer to the file as name.
func NewReader(r io.Reader, name string, opts Options) *Reader {
	return &Reader{file: newFile(name, opts), source: r}
}

// Open returns a reader of the documents in the file at path, or of stdin if path is "-". A text beside a file of
// annotations (note.txt and note.ann) is opened with it, as BRAT. The caller calls [Reader.Close].
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

// Position returns how much of its file the reader has read, in bytes of the file as it is
// stored; 0 if that is not known.
func (r *Reader) Position() int64 {
	if f, ok := r.closer.(*input.File); ok {
		return f.Position()
	}
	return 0
}

// Format returns the format of the file, or the empty format before the first Next of a
// reader that [NewReader] returned.
func (r *Reader) Format() Format {
	if r.parser == nil {
		return ""
	}
	return r.file.Format
}

// Next returns the next document with what the file says besides; the caller may keep
// it. It returns io.EOF at the end of the file, and a [*RecordError], after which it can be
// called again, for a record that is skipped. Any other error is final.
//
// In PubTator and BioC, whose identifiers are those of documents, a document with the
// same identifier and text as an earlier one is skipped with a warning.
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

// detect returns the format of the file by its content. Lines with the name of a file of CoNLL, YAML and the like are
// not text, a note in a short file of text is one document, and a table whose columns are not recognized is refused: it
// is no text.
func (f *file) detect(source *bufio.Reader) (Format, error) {
	if f.Workbooks && strings.EqualFold(filepath.Ext(f.name), ".xlsx") {
		if head, _ := source.Peek(len(zipMark)); string(head) == zipMark {
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
			return "", &UnknownError{f.name, withoutText("table", cells)}
		}
	}
	return Text, nil
}
