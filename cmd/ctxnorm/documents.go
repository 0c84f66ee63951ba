package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/kb/kbfile/xlsx"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// documentFlags are the flags of documents that are read.
type documentFlags struct {
	input        []string
	format, unit string
	encoding     string
	columns      map[string]string
	strict       bool
	candidates   bool          // see [formats.Options]
	progress     *readProgress // nil for none
	malformed    int           // records that eachRecord skipped
	openWorkbook func(io.Reader, files.Limits) (formats.Sheet, error)
	leaveOut     func(path string) bool  // nil for nothing
	keepIDs      bool                    // of several files, also of documents that their file gives no identifier
	reading      string                  // the file that eachRecord reads
	found        []string                // files of the input, once they were looked for
	unknown      []*formats.UnknownError // files in its folders that are no documents, and are skipped
}

func (d *documentFlags) register(flags *pflag.FlagSet) {
	d.openWorkbook = openWorkbook
	flags.StringArrayVar(&d.input, "input", []string{"-"},
		"`file` or folder of documents, - for standard input; may be given several times")
	flags.StringVar(&d.format, "input-format", "", "`format` of the documents (default: recognized by the content): "+
		joined(formats.Formats()))
	flags.StringVar(&d.encoding, "encoding", "", "character `encoding` of the documents, such as cp1252 or shift_jis"+
		" (default: UTF-8, or what a byte-order mark or XML says)")
	flags.StringToStringVar(&d.columns, "columns", nil,
		"`columns` of a table, by name or number: id=Number,text=Note; roles: "+joined(formats.ColumnRoles()))
	flags.StringVar(&d.unit, "offsets", "", "`unit` of the offsets in the input: codepoints, bytes or utf16 (default: "+
		"code points, or what the texts of the mentions agree with)")
}

// openWorkbook opens the first sheet of an Excel workbook.
func openWorkbook(r io.Reader, limits files.Limits) (formats.Sheet, error) {
	return xlsx.Open(r, "", limits)
}

// options returns the options of the readers, and checks the flags.
func (d *documentFlags) options(warn func(*formats.RecordError)) (o formats.Options, err error) {
	if o.Format, err = formats.ParseFormat(d.format); err != nil {
		return o, fmt.Errorf("--input-format: %w", err)
	}
	if o.Unit, err = formats.ParseUnit(d.unit); err != nil {
		return o, fmt.Errorf("--offsets: %w", err)
	}
	if err := kbfile.CheckEncoding(d.encoding); err != nil {
		return o, fmt.Errorf("--encoding: %w", err)
	}
	o.Columns, o.Encoding, o.Warn, o.OpenWorkbook = d.columns, d.encoding, warn, d.openWorkbook
	o.Candidates = d.candidates
	return o, nil
}

// eachRecord passes every record of the input to do. Documents of several files have identifiers that tell them apart.
// Malformed records are reported, counted and skipped; with strict the first of them ends the run.
func (p *program) eachRecord(d *documentFlags, do func(*formats.Record) error) error {
	warnings := 0
	options, err := d.options(func(w *formats.RecordError) {
		if warnings++; warnings <= shownBadRecords {
			p.warnf("%v", w)
		}
	})
	if err != nil {
		return err
	}
	options.Limits = p.limits
	defer func() {
		if warnings > shownBadRecords {
			p.warnf("%d warnings, of which the first %d are shown", warnings, shownBadRecords)
		}
	}()
	files, err := d.files()
	if err != nil {
		return err
	}
	bad := badRecords{program: p, strict: d.strict}
	p.logUnknown(d)
	read := make(map[formats.Format]int) // number of files
	var guesses formatLog
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
		read[format]++
		if d.format == "" && path != "-" {
			guesses.add(p, path, format, documents)
		}
		d.progress.file(path)
	}
	if len(files) > 1 {
		p.logRead(read)
	}
	d.malformed = bad.count
	return skippedError(bad.count, len(d.unknown))
}

// formatLog says how else files of text can be read: the first that was read by lines, and the first that was one
// document.
type formatLog struct{ lines, whole bool }

// add notes a file that was read in a format by its content.
func (l *formatLog) add(p *program, path string, format formats.Format, documents int) {
	switch {
	case format == formats.Text && documents > 1 && !l.lines:
		p.logf("%s: a document a line; --input-format plain reads each file as one document", path)
		l.lines = true
	case format == formats.Plain && !l.whole:
		p.logf("%s: one document, since lines of it are headings, items of lists and parts of sentences; "+
			"--input-format text reads each line as one", path)
		l.whole = true
	}
}

// logRead says how many files of each format were read.
func (p *program) logRead(read map[formats.Format]int) {
	var said []string
	for _, format := range slices.Sorted(maps.Keys(read)) {
		said = append(said, fmt.Sprintf("%d %s", read[format], format))
	}
	p.logf("files read: %s", strings.Join(said, ", "))
}

// skippedError returns the error for malformed records, and for files that are no documents, that were skipped; nil
// for none.
func skippedError(records, files int) error {
	switch {
	case records > 0 && files > 0:
		return &partialError{fmt.Sprintf("skipped %s and %s that are no documents",
			english.Plural(records, "malformed record", ""), english.Plural(files, "file", ""))}
	case files > 0:
		return &partialError{fmt.Sprintf("skipped %s that are no documents", english.Plural(files, "file", ""))}
	case records > 0:
		return malformedError(records)
	}
	return nil
}

// readProgress shows how much of some files was read. The nil progress shows nothing.
type readProgress struct {
	bar           *bar
	total, read   int64 // bytes of all files, and of those that are done
	documentsRead int
}

func newReadProgress(bar *bar, files []string) *readProgress {
	r := &readProgress{bar: bar}
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
	r.bar.set(r.read+position, r.total, humanize.Comma(int64(r.documentsRead))+" "+
		english.PluralWord(r.documentsRead, "document", ""))
}

func (r *readProgress) finish() {
	if r != nil {
		r.bar.finish()
	}
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
	reader, err := p.openDocuments(path, options)
	if err != nil {
		return "", 0, err
	}
	defer reader.Close()
	for records := 0; ; records++ {
		record, err := reader.NextRecord()
		switch {
		case errors.Is(err, io.EOF):
			if records == 0 && path != "-" { // a pipe may have nothing to say
				p.warnf("%s: no document", input.Name(path))
			}
			return reader.Format(), records, nil
		case err != nil:
			if err := bad.pass(err); err != nil {
				return "", records, hintFormat(err)
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
func (d *documentFlags) tableColumns() (columns []string, err error) {
	files, err := d.files()
	if err != nil || len(files) < 2 {
		return nil, err
	}
	options, err := d.options(nil)
	if err != nil {
		return nil, err
	}
	for _, path := range files {
		if isReadOnce(path) {
			return nil, nil
		}
		for _, name := range formats.TableColumns(path, options) {
			if !slices.Contains(columns, name) {
				columns = append(columns, name)
			}
		}
	}
	return columns, nil
}

// hintFormat adds to the error of a file that was not recognized what to do about it.
func hintFormat(err error) error {
	if _, ok := errors.AsType[*formats.UnknownError](err); ok {
		return withHint(err,
			"name the format with --input-format, or the columns of a table with --columns text=COLUMN "+
				"(mention=COLUMN for wordings without a text)")
	}
	return err
}

// openDocuments opens a file of documents, or standard input for "-".
func (p *program) openDocuments(path string, options formats.Options) (*formats.Reader, error) {
	if path == "-" {
		return formats.NewReader(p.stdin, "standard input", options), nil
	}
	reader, err := formats.Open(path, options)
	return reader, hintFormat(err)
}

// isUnknown reports whether a file was found in a folder and is no document by its content, and keeps it in d.unknown.
func (d *documentFlags) isUnknown(path string) bool {
	if slices.Contains(d.input, path) {
		return false
	}
	var unknown *formats.UnknownError
	err := formats.CheckContent(path)
	if d.openWorkbook != nil && strings.EqualFold(filepath.Ext(path), ".xlsx") {
		err = d.checkWorkbook(path)
	}
	if !errors.As(err, &unknown) {
		return false
	}
	d.unknown = append(d.unknown, unknown)
	return true
}

// checkWorkbook returns the error of opening a workbook of documents.
func (d *documentFlags) checkWorkbook(path string) error {
	options, err := d.options(nil)
	if err != nil {
		return err
	}
	reader, err := formats.Open(path, options)
	if err != nil {
		return err
	}
	return reader.Close()
}

// check adds arguments to the files of --input, and checks the flags and that the files are
// there, before anything is opened.
func (d *documentFlags) check(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
	case cmd.Flags().Changed("input"):
		d.input = append(d.input, args...)
	default:
		d.input = args
	}
	if _, err := d.options(nil); err != nil {
		return err
	}
	_, err := d.files()
	return err
}

// logUnknown names the files that are skipped because they are no documents.
func (p *program) logUnknown(d *documentFlags) {
	for i, unknown := range d.unknown {
		if i == shownBadRecords {
			break
		}
		p.logError(fmt.Errorf("%s: is no document and is skipped: it is %s", unknown.File, unknown.Got), "")
	}
}

// files returns the files of the input, as they were at the first call, without those in folders that are no
// documents by their content.
func (d *documentFlags) files() ([]string, error) {
	if d.found != nil {
		return d.found, nil
	}
	leaveOut := d.leaveOut
	if leaveOut == nil {
		leaveOut = func(string) bool { return false }
	}
	files, err := formats.ExpandWithout(d.input, leaveOut)
	if on, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, fmt.Errorf("%s: %w", on.Path, on.Err)
	}
	if d.format == "" && len(d.columns) == 0 && d.encoding == "" {
		files = slices.DeleteFunc(files, d.isUnknown)
	}
	if len(d.unknown) > 0 && (d.strict || len(files) == 0) {
		return nil, hintFormat(d.unknown[0])
	}
	if err == nil && len(files) == 0 {
		return nil, errors.New("no input is left: want another file, or another --output")
	}
	d.found = files
	return files, err
}
