package main

import (
	"cmp"
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
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// documentFlags are the flags for documents to read.
type documentFlags struct {
	formats.Options // Warn, Workbooks and Limits are set by options
	input           []string
	strict          bool
	progress        *readProgress // nil for none

	leaveOut func(path string) bool  // nil leaves out nothing
	keepIDs  bool                    // leave identifiers as they are even with several files
	reading  string                  // the file that eachRecord is reading
	found    []string                // input files, once they were searched for
	unknown  []*formats.UnknownError // files in input folders that are skipped because they are not documents
	columns  []string                // of all tables among several files, in order of first appearance
}

// flags returns the flags for the documents and for how they are read.
func (d *documentFlags) flags() []flag {
	return append([]flag{
		{"input", &d.input, "each default=- in=folder",
			"`file` or folder of documents, - for standard input; may be given several times"},
		{"offsets", (*string)(&d.Unit), "is=codepoints|bytes|utf16", "`unit` of the offsets in the input: %s (default: code points, or " +
			"what the texts of the mentions agree with)"},
	}, d.readFlags("is=@formats")...)
}

// readFlags returns the flags for how documents are read.
func (d *documentFlags) readFlags(known string) []flag {
	return []flag{
		{"input-format", (*string)(&d.Format), known, "`format` of the documents (default: recognized by the content): %s"},
		{"encoding", &d.Encoding, "", "character `encoding` of the documents, such as cp1252 or shift_jis (default: UTF-8, " +
			"or what a byte-order mark or XML says)"},
		{"columns", &d.Columns, "like=@columns", "`columns` of a table, by name or number: id=Number,text=Note; roles: %s"},
	}
}

// options returns the options for the readers.
func (d *documentFlags) options(p *program, warn func(*formats.RecordError)) formats.Options {
	o := d.Options
	o.Warn, o.Workbooks, o.Limits = warn, true, p.limits
	return o
}

// eachRecord passes every record of the input to do. Documents from several files get distinct identifiers. It reports,
// counts and skips malformed records; with strict it stops at the first.
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
	p.skipped.records += bad.count
	return nil
}

// formatLog counts files by format. For the first text file, it also logs how else the file could be read.
type formatLog map[formats.Format]int

// add records a file that was read in a format. guessed means that the format was detected from the content.
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

// String reports the number of files in each format.
func (l formatLog) String() string {
	var said []string
	for _, format := range slices.Sorted(maps.Keys(l)) {
		said = append(said, fmt.Sprintf("%d %s", l[format], format))
	}
	return strings.Join(said, ", ")
}

// readProgress shows how much of some files has been read. A nil progress shows nothing.
type readProgress struct {
	bar           *bar
	total, read   int64 // bytes of all files, and of the finished ones
	documentsRead int
}

func newReadProgress(p *program, files []string) *readProgress {
	r := &readProgress{bar: p.bar()}
	for _, path := range files {
		r.total += regularSize(path)
	}
	return r
}

// document reports that a document was read. position is the number of bytes read from its file so far.
func (r *readProgress) document(position int64) {
	if r != nil {
		r.documentsRead++
		r.show(position)
	}
}

// file reports that a file is finished.
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

// regularSize returns the size of the file at path, or 0 if it is a pipe or a device.
func regularSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

// eachRecordOf passes every record of a file to do, which may reject one with a [*formats.RecordError]. It returns the
// format of the file and the number of its records, including malformed ones.
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
		if errors.Is(err, io.EOF) {
			if records == 0 && path != "-" { // a pipe may be empty
				p.warnf("%s: no document", input.Name(path))
			}
			return reader.Format(), records, nil
		}
		if err == nil {
			err = do(reader, record)
		}
		if err = bad.pass(err); err != nil {
			return "", records, err
		}
	}
}

// check adds arguments to the files of --input. It checks that the files and the encoding exist before anything is
// opened.
func (d *documentFlags) check(p *program, cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
	case cmd.Flags().Changed("input"):
		d.input = append(d.input, args...)
	default:
		d.input = args
	}
	if _, err := input.DecodeStream(p.stdin, cmp.Or(d.Encoding, "utf-8")); err != nil {
		return fmt.Errorf("--encoding: %w", err)
	}
	_, err := d.files(p)
	return err
}

// logUnknown logs the files that are skipped because they are not documents.
func (p *program) logUnknown(d *documentFlags) {
	for i, unknown := range d.unknown {
		if i == shownBadRecords {
			break
		}
		p.logError(fmt.Errorf("%s: skipped: not a document (%s)", unknown.File, unknown.Got), "")
	}
}

// files returns the input files as of the first call. From folders, it leaves out files whose content is not a
// document.
func (d *documentFlags) files(p *program) ([]string, error) {
	if d.found != nil {
		return d.found, nil
	}
	files, err := formats.Expand(d.input, d.leaveOut)
	if on, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, fmt.Errorf("%s: %w", on.Path, on.Err)
	}
	if len(files) > 1 || !slices.Equal(files, d.input) {
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

// isUnknown reports whether a file in a folder has no known format, and records it if so. It also records the columns of
// a table.
func (d *documentFlags) isUnknown(p *program, path string) bool {
	if isReadOnce(path) {
		return false
	}
	reader, err := formats.Open(path, d.options(p, nil))
	if err == nil {
		for _, name := range reader.Columns() {
			if !slices.Contains(d.columns, name) {
				d.columns = append(d.columns, name)
			}
		}
		reader.Close()
	}
	if slices.Contains(d.input, path) || d.Format != "" || len(d.Columns) > 0 || d.Encoding != "" {
		return false
	}
	unknown, ok := errors.AsType[*formats.UnknownError](err)
	if cut, isCut := errors.AsType[*input.HeaderError](err); isCut {
		unknown, ok = &formats.UnknownError{File: input.Name(path), Got: cut.Compression + " data that ends in its header"}, true
	}
	if ok {
		d.unknown = append(d.unknown, unknown)
		p.skipped.files++
	}
	return ok
}

// badRecords skips malformed records and counts them.
type badRecords struct {
	program *program
	strict  bool
	count   int
	hinted  bool // the hint at --encoding was shown
}

// shownBadRecords is the number of malformed records that are reported individually.
const shownBadRecords = 20

// pass reports a malformed record and returns nil. It returns any other error, or nil, and with strict every error.
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

// readLines reads a set of lines, skipping blank ones.
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
			kept += int64(len(text)) + 34 // the string header, a flag and free slots
		}
		return p.limits.CheckInMemory("a list", kept)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", input.Name(path), err)
	}
	return set, nil
}
