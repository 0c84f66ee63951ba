package kbfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/table"
)

// Worksheet is an open sheet of an Excel workbook. Package kbfile/xlsx has one; it is not
// part of this package, so that programs which read only text need not have its library.
type Worksheet interface {
	// Name returns the name of the sheet, and OtherNames those of the other sheets of the
	// workbook that have cells.
	Name() string
	OtherNames() []string
	// Next returns the cells of the next row as the sheet shows them, and its number, from
	// 1. A cell that is merged with one above it has its text. A row without a cell may be left
	// out. The error at the end is [io.EOF].
	Next() (cells []string, number int, err error)
	// Changed returns what Excel made of what was typed into a cell of the row that Next
	// returned last, such as "the date 1-Aug", or "". Columns are counted from 0.
	Changed(column int) string
	Close() error
}

// OpenWorksheet opens a sheet of the workbook in r, the first one if name is empty.
type OpenWorksheet func(r io.Reader, name string, limits files.Limits) (Worksheet, error)

var (
	zipMark = []byte("PK\x03\x04")               // XLSX is a zip archive
	xlsMark = []byte("\xd0\xcf\x11\xe0\xa1\xb1") // Excel before 2007, and workbooks with a password

	// How files begin that are known and not read, with what they are and what to do.
	notRead = []struct {
		begins  *regexp.Regexp
		refusal string
	}{
		{regexp.MustCompile(`^(?:@prefix|@base|(?i:PREFIX) )`), "a Turtle file is not read: " + convertRDF("turtle")},
		{regexp.MustCompile(`^(?:<[^>]*>|_:\S+)\s+<[^>]*>\s`), "N-Triples are not read: " + convertRDF("ntriples")},
		{regexp.MustCompile(`^\{\s*"@(?:context|graph|id)"`), "JSON-LD is not read: convert it to RDF/XML"},
		{
			regexp.MustCompile(`^(?:Prefix\(|Ontology\(|Prefix: |Ontology: )`),
			"OWL is read as RDF/XML: convert it, for example with robot convert",
		},
		{regexp.MustCompile(`^\*NEWRECORD`), "MeSH in ASCII is not read: take the XML, such as desc2025.xml"},
		{regexp.MustCompile(`^\d{8}\$\d{8}\$`), "a file of MedDRA that relates codes has no names: name llt.asc or pt.asc"},
		{regexp.MustCompile(`^\{\s*"JDBOR"`), "the JSON of Orphanet is not read: take the XML, such as en_product1.xml"},
		{regexp.MustCompile(`^[^\t"{<=]+=>`), `rules such as "RF => river fever" are not read: write a table of ids and names`},
		{mrrelLine, "MRREL.RRF has no names: take MRCONSO.RRF, and this file as DictionaryOptions.Parents"},
	}
)

// notDictionaries says what files that begin so are, which have no names of concepts.
var notDictionaries = map[string]string{
	"##gff-version":    "GFF, the places of features in a genome",
	"##fileformat=VCF": "VCF, variants of a genome",
	"!gaf-version":     "GAF, annotations of genes",
	"!gpa-version":     "GPAD, annotations of genes",
}

// moleculeEnd is the last line of a structure in the formats of MDL.
var moleculeEnd = regexp.MustCompile(`(?m)^M  END\r?$`)

// convertRDF says how to convert a format of RDF.
func convertRDF(format string) string {
	return "convert it to RDF/XML, for example with rapper -i " + format + " -o rdfxml FILE"
}

// errNotRead returns an error for a file that begins as a kind that is known and not read,
// or nil.
func errNotRead(head []byte) error {
	if bytes.HasPrefix(head, xlsMark) {
		return errors.New("a workbook of old Excel (.xls) or with a password is not read: save it as .xlsx or CSV")
	}
	kind := input.ForeignKind(head)
	for start, name := range notDictionaries {
		if bytes.HasPrefix(head, []byte(start)) {
			kind = name
		}
	}
	if moleculeEnd.Match(head) {
		kind = "structures of molecules (SDF or MOL): take a table of their ids and names"
	}
	if kind != "" {
		return fmt.Errorf("want a dictionary, got %s", kind)
	}
	first := firstRow(head)
	if first == "{" { // the members follow on lines of their own
		first = string(bytes.TrimSpace(head))
	}
	for _, kind := range notRead {
		if kind.begins.MatchString(first) {
			return errors.New(kind.refusal)
		}
	}
	if detect(head) == "" && rrfLine.MatchString(first) {
		return errors.New("an RRF file of UMLS or RxNorm other than MRCONSO, RXNCONSO, MRSTY and RXNSTY: " +
			"it has no names")
	}
	return nil
}

// readXLSX reads the dictionary in a sheet of a workbook.
func (c *collector) readXLSX(r *bufio.Reader) error { return c.withSheet(r, c.readRows) }

// withSheet passes a sheet of a workbook to read, as a table.
func (c *collector) withSheet(r io.Reader, read func(*tableFile) error) error {
	if c.opts.OpenWorksheet == nil {
		return errors.New("an Excel workbook is not read here: save it as CSV")
	}
	sheet, err := c.opts.OpenWorksheet(r, c.opts.Sheet, c.opts.Limits)
	if err != nil {
		return err
	}
	defer sheet.Close()
	c.report.Sheet, c.report.OtherSheets = sheet.Name(), sheet.OtherNames()
	t := &tableFile{c: c, rows: table.SheetRows(sheet, c.opts.Limits)}
	t.readSample()
	if others := c.report.OtherSheets; c.opts.Sheet == "" && len(c.opts.Columns) == 0 && len(others) > 0 && t.width() < 2 {
		return fmt.Errorf("want ids and names in the first sheet, got one column in %q, and other sheets: name the sheet to "+
			"read (DictionaryOptions.Sheet), %q or one of %q", sheet.Name(), sheet.Name(), others)
	}
	return read(t)
}

// excelErrors are what a cell shows whose formula failed.
var excelErrors = map[string]bool{
	"#N/A": true, "#REF!": true, "#NAME?": true, "#VALUE!": true, "#DIV/0!": true, "#NULL!": true, "#NUM!": true,
}
