package formats

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// OutputFormat is a format that linked documents are written in.
type OutputFormat struct {
	Name Format
	// Extensions are those of its files, with their dots, the usual one first.
	Extensions []string
	// Ambiguous says that the extensions do not name the format: a .json may be another's.
	Ambiguous bool
	// MIME is the content type of a file.
	MIME string
	// New returns a writer of one file to w; BRAT, which has two files for each document, writes a zip archive, or with
	// [NewBRATWriter] a folder. It uses the options that its format has a place for. Besides tables BRAT, BioC and HTML
	// write assertions where mentions have them; PubTator and CoNLL have no place for them.
	New func(w io.Writer, o WriterOptions) Writer
}

// OutputFormats are formats of linked documents. A program may add its own.
type OutputFormats []OutputFormat

var outputs = OutputFormats{
	{Name: JSONL, Extensions: []string{".jsonl"}, MIME: "application/x-ndjson", New: eachDocument(jsonLine)},
	{Name: PubTator, Extensions: []string{".pubtator"}, MIME: "text/plain; charset=utf-8", New: eachDocument(pubtatorText)},
	{Name: BioC, Extensions: []string{".xml"}, MIME: "application/xml; charset=utf-8", New: newBioCXML},
	{Name: BioCJSON, Extensions: []string{".json"}, Ambiguous: true, MIME: "application/json", New: newBioCJSON},
	{Name: BRAT, Extensions: []string{".zip"}, Ambiguous: true, MIME: "application/zip", New: newBRATArchive},
	{Name: CoNLL, Extensions: []string{".conll"}, MIME: "text/plain; charset=utf-8", New: eachDocument(conllText)},
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

// Outputs returns the formats that are written; they must not be modified.
func Outputs() OutputFormats { return slices.Clip(outputs) }

// Names returns the names of the formats.
func (f OutputFormats) Names() []Format {
	names := make([]Format, len(f))
	for i := range f {
		names[i] = f[i].Name
	}
	return names
}

// Named returns the format of a name, and nil if there is none.
func (f OutputFormats) Named(name Format) *OutputFormat {
	if i := slices.IndexFunc(f, func(o OutputFormat) bool { return o.Name == name }); i >= 0 {
		return &f[i]
	}
	return nil
}

// OfPath returns the name of the format that the extension of a path names, or the empty format. Of two extensions, as
// .sssom.tsv and .tsv, the longer one does.
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

// Extensions returns the usual extensions that name a format.
func (f OutputFormats) Extensions() []string {
	var extensions []string
	for _, o := range f {
		if !o.Ambiguous {
			extensions = append(extensions, o.Extensions[0])
		}
	}
	return extensions
}

// NewWriter returns a writer of one of the formats to w.
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
