package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// documentFlags are the flags of documents that are read.
type documentFlags struct {
	formats.Options // Warn, Workbooks and Limits are set by options
	input           []string
	strict          bool
	progress        *readProgress // nil for none
	malformed       int           // records that eachRecord skipped

	leaveOut func(path string) bool  // nil for nothing
	keepIDs  bool                    // of several files, also of documents that their file gives no identifier
	reading  string                  // the file that eachRecord reads
	found    []string                // files of the input, once they were looked for
	unknown  []*formats.UnknownError // files in its folders that are no documents, and are skipped
}

// flags are those of the documents, and of how they are read.
func (d *documentFlags) flags() []flag {
	return append([]flag{
		{"input", &d.input, "each default=- in=folder",
			"`file` or folder of documents, - for standard input; may be given several times"},
		{"offsets", (*string)(&d.Unit), "is=codepoints|bytes|utf16", "`unit` of the offsets in the input: %s (default: code points, or " +
			"what the texts of the mentions agree with)"},
	}, d.readFlags("is=@formats")...)
}

// readFlags are those of how documents are read.
func (d *documentFlags) readFlags(known string) []flag {
	return []flag{
		{"input-format", (*string)(&d.Format), known, "`format` of the documents (default: recognized by the content): %s"},
		{"encoding", &d.Encoding, "", "character `encoding` of the documents, such as cp1252 or shift_jis (default: UTF-8, " +
			"or what a byte-order mark or XML says)"},
		{"columns", &d.Columns, "keys like=@columns", "`columns` of a table, by name or number: id=Number,text=Note; roles: %s"},
	}
}

// options returns the options of the readers.
func (d *documentFlags) options(p *program, warn func(*formats.RecordError)) formats.Options {
	o := d.Options
	o.Warn, o.Workbooks, o.Limits = warn, true, p.limits
	return o
}

// eachRecord passes every record of the input to do. Documents of several files have identifiers that tell them apart.
// Malformed records are reported, counted and skipped; with strict the first of them ends the run.
func (p *program) eachRecord(d *documentFlags, do func(*formats.Record) error) error {
	warnings := 0
	options := d.options(p, func(w *formats.RecordError) {
		if warnings++; warnings <= shownBadRecords {
			p.warnf("%v", w)
		}
	})
	defer func() {
		if warnings > shownBadRecords {
			p.warnf("%d warnings, of which the first %d are shown", warnings, shownBadRecords)
		}
	}()
	files, err := d.files(p)
	if err != nil {
		return err
	}
	bad := badRecords{program: p, strict: d.strict}
	p.logUnknown(d)
	read := make(formatLog)
	var names []string // nil if the documents keep their identifiers
	if len(files) > 1 && !d.keepIDs {
		names = formats.ShortNames(files)
	}
	for i, path := range files {
		d.reading = path
		format, documents, err := p.eachRecordOf(path, options, &bad,
			func(reader *formats.Reader, record *formats.Record) error {
				if names != nil {
					record.ID, record.Unnamed = record.IDIn(names[i]), false
				}
				if err := do(record); err != nil {
					return err
				}
				d.progress.document(reader.Position())
				return nil
			})
		if err != nil {
			return err
		}
		read.add(p, path, format, documents, d.Format == "")
		d.progress.file(path)
	}
	if len(files) > 1 {
		p.logf("files read: %v", read)
	}
	d.malformed = bad.count
	return skippedError(bad.count, len(d.unknown))
}

// formatLog counts files by format, and says how else the first of a text could be read.
type formatLog map[formats.Format]int

// add notes a file that was read in a format, by its content if guessed.
func (l formatLog) add(p *program, path string, format formats.Format, documents int, guessed bool) {
	switch l[format]++; {
	case l[format] > 1 || !guessed || path == "-":
	case format == formats.Text && documents > 1:
		p.logf("%s: a document a line; --input-format plain reads each file as one document", path)
	case format == formats.Plain:
		p.logf("%s: one document, since lines of it are headings, items of lists and parts of sentences; "+
			"--input-format text reads each line as one", path)
	}
}

// String says how many files of each format were read.
func (l formatLog) String() string {
	var said []string
	for _, format := range slices.Sorted(maps.Keys(l)) {
		said = append(said, fmt.Sprintf("%d %s", l[format], format))
	}
	return strings.Join(said, ", ")
}

// skippedError returns the error for malformed records and files of no known format that were skipped; nil for none.
func skippedError(records, files int) error {
	var skipped []string
	if records > 0 {
		skipped = append(skipped, plural(records, "malformed record"))
	}
	if files > 0 {
		skipped = append(skipped, english.Plural(files, "file of no known format", "files of no known format"))
	}
	if skipped == nil {
		return nil
	}
	return &partialError{"skipped " + strings.Join(skipped, " and ")}
}

// readProgress shows how much of some files was read. The nil progress shows nothing.
type readProgress struct {
	bar           *bar
	total, read   int64 // bytes of all files, and of those that are done
	documentsRead int
}

func newReadProgress(p *program, files []string) *readProgress {
	r := &readProgress{bar: p.bar()}
	for _, path := range files {
		r.total += regularSize(path)
	}
	return r
}

// document shows that a document was read, and position, the bytes read of its file so far.
func (r *readProgress) document(position int64) {
	if r != nil {
		r.documentsRead++
		r.show(position)
	}
}

// file shows that a file is done.
func (r *readProgress) file(path string) {
	if r != nil {
		r.read += regularSize(path)
		r.show(0)
	}
}

func (r *readProgress) show(position int64) {
	r.bar.set(ctxnorm.Progress{Task: "link", Unit: bytesUnit, Done: r.read + position, Total: r.total,
		Note: humanize.Comma(int64(r.documentsRead)) + " " + english.PluralWord(r.documentsRead, "document", "")})
}

// regularSize returns the size of the file at path, 0 if it is a pipe or a device.
func regularSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

// eachRecordOf passes every record of a file to do, which may refuse one by a [*formats.RecordError]. It returns the
// format of the file, and the number of its records with those that are malformed.
func (p *program) eachRecordOf(path string, options formats.Options, bad *badRecords,
	do func(*formats.Reader, *formats.Record) error) (formats.Format, int, error) {
	reader := formats.NewReader(p.stdin, "standard input", options)
	if path != "-" {
		var err error
		if reader, err = formats.Open(path, options); err != nil {
			return "", 0, err
		}
	}
	defer reader.Close()
	for records := 0; ; records++ {
		record, err := reader.Next()
		switch {
		case errors.Is(err, io.EOF):
			if records == 0 && path != "-" { // a pipe may have nothing to say
				p.warnf("%s: no document", input.Name(path))
			}
			return reader.Format(), records, nil
		case err != nil:
			if err := bad.pass(err); err != nil {
				return "", records, err
			}
		default:
			if err := do(reader, record); err != nil {
				if err = bad.pass(err); err != nil {
					return "", records, err
				}
			}
		}
	}
}

// tableColumns returns the columns of the tables among several files of the input, in the order in which they come
// first; nil if there are none, and of one file, whose columns the first record says.
func (d *documentFlags) tableColumns(p *program) (columns []string, err error) {
	files, err := d.files(p)
	if err != nil || len(files) < 2 || slices.ContainsFunc(files, isReadOnce) {
		return nil, err
	}
	for _, path := range files {
		for _, name := range formats.TableColumns(path, d.options(p, nil)) {
			if !slices.Contains(columns, name) {
				columns = append(columns, name)
			}
		}
	}
	return columns, nil
}

// check adds arguments to the files of --input, and checks that the files and the encoding are there, before anything
// is opened.
func (d *documentFlags) check(p *program, cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
	case cmd.Flags().Changed("input"):
		d.input = append(d.input, args...)
	default:
		d.input = args
	}
	if err := kbfile.CheckEncoding(d.Encoding); err != nil {
		return fmt.Errorf("--encoding: %w", err)
	}
	_, err := d.files(p)
	return err
}

// logUnknown names the files that are skipped because they are no documents.
func (p *program) logUnknown(d *documentFlags) {
	for i, unknown := range d.unknown {
		if i == shownBadRecords {
			break
		}
		p.logError(fmt.Errorf("%s: skipped: not a document (%s)", unknown.File, unknown.Got), "")
	}
}

// files returns the files of the input, as they were at the first call, without those in folders that are no
// documents by their content.
func (d *documentFlags) files(p *program) ([]string, error) {
	if d.found != nil {
		return d.found, nil
	}
	leaveOut := d.leaveOut
	if leaveOut == nil {
		leaveOut = func(string) bool { return false }
	}
	files, err := formats.Expand(d.input, leaveOut)
	if on, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, fmt.Errorf("%s: %w", on.Path, on.Err)
	}
	if d.Format == "" && len(d.Columns) == 0 && d.Encoding == "" {
		files = slices.DeleteFunc(files, func(path string) bool { return d.isUnknown(p, path) })
	}
	if len(d.unknown) > 0 && (d.strict || len(files) == 0) {
		return nil, d.unknown[0]
	}
	if err == nil && len(files) == 0 {
		return nil, errors.New("no input is left: want another file, or another --output")
	}
	d.found = files
	return files, err
}

// isUnknown reports whether a file in a folder has no known format, and records it.
func (d *documentFlags) isUnknown(p *program, path string) bool {
	if slices.Contains(d.input, path) {
		return false
	}
	reader, err := formats.Open(path, d.options(p, nil))
	if err == nil {
		reader.Close()
	}
	unknown, ok := errors.AsType[*formats.UnknownError](err)
	if cut, isCut := errors.AsType[*input.HeaderError](err); isCut {
		unknown, ok = &formats.UnknownError{File: input.Name(path), Got: cut.Compression + " data that ends in its header"}, true
	}
	if ok {
		d.unknown = append(d.unknown, unknown)
	}
	return ok
}

// badRecords skips malformed records, and counts them.
type badRecords struct {
	program *program
	strict  bool
	count   int
	hinted  bool // at --encoding
}

// shownBadRecords is the number of malformed records that are reported one by one.
const shownBadRecords = 20

// pass reports a malformed record and returns nil. It returns any other error, and with
// strict every error.
func (b *badRecords) pass(err error) error {
	bad, ok := errors.AsType[*formats.RecordError](err)
	if !ok || b.strict {
		return err
	}
	if b.count++; b.count <= shownBadRecords {
		hint := ""
		if strings.HasPrefix(bad.Reason, "want UTF-8") && !b.hinted {
			hint, b.hinted = "name the encoding of the file with --encoding, such as cp1252 or shift_jis", true
		}
		b.program.logError(err, hint)
	}
	return nil
}

// readLines reads a set of lines, without blank ones.
func (p *program) readLines(path string) (map[string]bool, error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	set := make(map[string]bool)
	kept := int64(0) // bytes
	err = input.NewLines(file.Reader, p.limits).Each(func(text string, line int) error {
		if text = strings.TrimSpace(text); text != "" && !set[text] {
			set[text] = true
			kept += int64(len(text)) + 34 // for the header of the string, a flag and free places
		}
		return p.limits.CheckInMemory("a list", kept)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", input.Name(path), err)
	}
	return set, nil
}
