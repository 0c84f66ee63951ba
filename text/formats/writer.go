package formats

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/text/linked"
)

// Writer writes linked documents in a format. A document that was read in the same format is written as it was, with
// the concepts filled in.
type Writer interface {
	// Write writes a record with its linked mentions. It flushes the record, so that a reader at the end of a pipe sees
	// it, unless the format must be written in one piece.
	Write(*Record, *linked.Document) error
	// Close writes the end of the file. It does not close the underlying writer.
	Close() error
}

// WriterOptions configure the writers of [OutputFormats].
type WriterOptions struct {
	// Recognition adds the columns mention_source and recognition_score to CSV, TSV, XLSX and Parquet, which tell how a
	// mention was found: see [linked.Mention].
	Recognition bool
	// Assertion adds a column for each of [linked.AssertionNames] to CSV, TSV, XLSX and Parquet.
	Assertion bool
	// Correction adds the column corrected to CSV, TSV, XLSX and Parquet: who decided the concept, and when.
	Correction bool
	// Xrefs adds the column xrefs to CSV, TSV, XLSX and Parquet: the concept's identifiers in other vocabularies.
	Xrefs bool
	// OtherCandidates adds the column other_candidates to CSV, TSV, XLSX and Parquet: the candidates after the first.
	OtherCandidates bool
	// Columns are the columns of the tables that are read, in their order in CSV, TSV and XLSX. If nil, they are the
	// columns of the first record, and a record with other columns is an error.
	Columns []string
	// SpreadsheetSafe writes an apostrophe before each cell of CSV and TSV that is a formula. A spreadsheet then shows the
	// formula instead of computing it, but other programs read the apostrophe, too.
	SpreadsheetSafe bool
	// CodeSystem is the FHIR system of identifiers without a known prefix, such as http://snomed.info/sct.
	CodeSystem string
	// Links are the addresses to which identifiers link in HTML.
	Links LinkTemplates
	// Formula is called with each formula in a cell of CSV or TSV that is written unchanged. It may be nil.
	Formula func(cell string)
	// Lost is called for each thing in a document that the format cannot represent. It may be nil.
	Lost func(document, what string)
}

// lost reports a loss.
func (o *WriterOptions) lost(document, format string, args ...any) {
	if o.Lost != nil {
		o.Lost(document, fmt.Sprintf(format, args...))
	}
}

// lostControls reports the control characters in a text, which [printable] replaces.
func (o *WriterOptions) lostControls(document, content string) {
	n := 0
	for _, r := range content {
		if isControl(r) {
			n++
		}
	}
	if n > 0 {
		o.lost(document, "%d control characters are written as spaces", n)
	}
}

// lostFragments reports the discontinuous mentions of a document, for a format without fragments.
func (o *WriterOptions) lostFragments(l *linkedRecord) {
	n := 0
	for i := range l.Mentions {
		if len(l.Mentions[i].Fragments) > 0 {
			n++
		}
	}
	if n > 0 {
		o.lost(l.ID, "%d discontinuous mentions are written with what is between their fragments", n)
	}
}

// output is the buffered destination of a writer.
type output struct{ *bufio.Writer }

func newOutput(w io.Writer) *output { return &output{bufio.NewWriterSize(w, 1<<16)} }

// write writes s and flushes it, unless err is not nil.
func (o *output) write(s string, err error) error {
	if err != nil {
		return err
	}
	if _, err := o.WriteString(s); err != nil {
		return err
	}
	return o.Flush()
}

// documentWriter writes each document as a separate text.
type documentWriter struct {
	*output
	options WriterOptions
	textOf  func(*linkedRecord, *WriterOptions) (string, error)
	end     func() (string, error) // returns the end of the file
}

// eachDocument returns a function that makes a [documentWriter] with nothing to add at the end of the file.
func eachDocument(textOf func(*linkedRecord, *WriterOptions) (string, error)) func(io.Writer, WriterOptions) Writer {
	return func(w io.Writer, o WriterOptions) Writer {
		return &documentWriter{newOutput(w), o, textOf, func() (string, error) { return "", nil }}
	}
}

// Write implements [Writer].
func (w *documentWriter) Write(r *Record, d *linked.Document) error {
	return w.write(w.textOf(newLinkedRecord(r, d), &w.options))
}

// Close implements [Writer].
func (w *documentWriter) Close() error { return w.write(w.end()) }

// OutputFormat is a format in which linked documents are written.
type OutputFormat struct {
	Name Format
	// Extensions are the extensions of its files, with their dots, the usual one first.
	Extensions []string
	// Ambiguous is true if the extensions do not determine the format: a .json may have another.
	Ambiguous bool
	// MIME is the content type of a file.
	MIME string
	// New returns a writer of one file to w. BRAT, which has two files per document, writes a zip archive, or a folder
	// with [NewBRATWriter]. A writer uses the options that apply to its format. Besides tables, BRAT, BioC and HTML write
	// the assertions of mentions; PubTator and CoNLL have no place for them.
	New func(w io.Writer, o WriterOptions) Writer
}

// OutputFormats are formats of linked documents. A program may add its own.
type OutputFormats []OutputFormat

const plainText = "text/plain; charset=utf-8"

var outputs = OutputFormats{
	{Name: JSONL, Extensions: []string{".jsonl"}, MIME: "application/x-ndjson", New: eachDocument(jsonLine)},
	{Name: PubTator, Extensions: []string{".pubtator"}, MIME: plainText, New: eachDocument(pubtatorText)},
	{Name: BioC, Extensions: []string{".xml"}, MIME: "application/xml; charset=utf-8", New: newBioCXML},
	{Name: BioCJSON, Extensions: []string{".json"}, Ambiguous: true, MIME: "application/json", New: newBioCJSON},
	{Name: BRAT, Extensions: []string{".zip"}, Ambiguous: true, MIME: "application/zip", New: newBRATArchive},
	{Name: CoNLL, Extensions: []string{".conll"}, MIME: plainText, New: eachDocument(conllText)},
	{Name: TSV, Extensions: []string{".tsv"}, MIME: "text/tab-separated-values; charset=utf-8", New: newCSVTable('\t')},
	{Name: CSV, Extensions: []string{".csv"}, MIME: "text/csv; charset=utf-8", New: newCSVTable(',')},
	{Name: HTML, Extensions: []string{".html", ".htm"}, MIME: "text/html; charset=utf-8", New: newHTML},
	{Name: SSSOM, Extensions: []string{".sssom.tsv"}, MIME: "text/tab-separated-values; charset=utf-8", New: newSSSOM},
	{Name: FHIR, Extensions: []string{".fhir.json"}, MIME: "application/fhir+json", New: newFHIR},
	{Name: OMOP, Extensions: []string{".omop.csv"}, MIME: "text/csv; charset=utf-8", New: newOMOP},
	{Name: Usagi, Extensions: []string{".usagi.csv"}, MIME: "text/csv; charset=utf-8", New: newUsagi},
	{Name: XLSX, Extensions: []string{".xlsx"}, MIME: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		New: newXLSX},
	{Name: Parquet, Extensions: []string{".parquet"}, MIME: "application/vnd.apache.parquet", New: newParquet},
}

// Outputs returns the formats that can be written; they must not be modified.
func Outputs() OutputFormats { return slices.Clip(outputs) }

// Names returns the names of the formats.
func (f OutputFormats) Names() []Format {
	names := make([]Format, len(f))
	for i := range f {
		names[i] = f[i].Name
	}
	return names
}

// Named returns the format with this name, or nil.
func (f OutputFormats) Named(name Format) *OutputFormat {
	if i := slices.IndexFunc(f, func(o OutputFormat) bool { return o.Name == name }); i >= 0 {
		return &f[i]
	}
	return nil
}

// OfPath returns the name of the format that the extension of a path determines, or "". If several extensions match,
// such as .sssom.tsv and .tsv, the longest counts.
func (f OutputFormats) OfPath(path string) Format {
	name, longest := Format(""), 0
	for _, o := range f {
		for _, extension := range o.Extensions {
			if !o.Ambiguous && len(extension) > longest && strings.HasSuffix(strings.ToLower(path), extension) {
				name, longest = o.Name, len(extension)
			}
		}
	}
	return name
}

// Extensions returns the usual extension of each format that is not ambiguous.
func (f OutputFormats) Extensions() []string {
	var extensions []string
	for _, o := range f {
		if !o.Ambiguous {
			extensions = append(extensions, o.Extensions[0])
		}
	}
	return extensions
}

// NewWriter returns a writer to w for the format with this name.
func (f OutputFormats) NewWriter(w io.Writer, name Format, o WriterOptions) (Writer, error) {
	format := f.Named(name)
	if format == nil {
		return nil, fmt.Errorf("document format %q: want one of %s", name, joinFormats(f.Names()))
	}
	return format.New(w, o), nil
}

// NewWriter returns a writer of one of the [Outputs] to w.
func NewWriter(w io.Writer, format Format) (Writer, error) {
	return Outputs().NewWriter(w, format, WriterOptions{})
}
