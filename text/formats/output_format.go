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
	jsonlOutput, pubtatorOutput, biocOutput, biocJSONOutput, bratOutput, conllOutput, tsvOutput, csvOutput, htmlOutput,
	sssomOutput, fhirOutput, omopOutput, usagiOutput,
}

// Outputs returns the formats that this package writes; they must not be modified. Package sheet
// adds XLSX and Parquet.
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
