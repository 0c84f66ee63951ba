package kbfile

import (
	"bufio"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// Options configure [Read]. The zero value suits most files.
type Options struct {
	// Format is the format of the file, in any case. If empty, it is detected from the content.
	Format Format
	// Strict makes Read return the first malformed row as its error. Otherwise malformed rows are skipped and counted in
	// the report.
	Strict bool
	// Encoding is the character encoding of the file, by its name in the WHATWG Encoding Standard, such as "cp1252" or
	// "shift_jis". If empty, the file is UTF-8, or UTF-16 with a byte-order mark.
	Encoding string
	// Delimiter separates the cells of a table: "\t", ",", ";" or "|". If empty, it is detected. A table whose delimiter
	// is ambiguous is then an [ErrDelimiter].
	Delimiter string
	// Separator separates several names in a cell, including cells in the columns of names. If empty, only cells of
	// synonyms have several names, and the separator is detected.
	Separator string
	// Columns assigns [ColumnRoles] to the columns of a table, as in "id=Code" or "name=2", by name in the header or by
	// number from 1; see checkColumns. Columns not listed are unused. If empty, the roles come from the header, and a
	// header with unknown names is a [*HeaderError].
	Columns []string
	// Language selects the names of MRCONSO, RDF, FHIR, Orphanet and tables with a column of languages. It is a
	// comma-separated list of languages, such as "ENG,GER" or "en,de", or "*" for all. Empty means "ENG". Names without a
	// language are always read.
	Language string
	// PreferredDescriptions holds the identifiers of the SNOMED CT descriptions whose terms are preferred: see
	// [ReadLanguageReferenceSet]. If nil, fully specified names are preferred.
	PreferredDescriptions map[string]bool
	// Sheet is the sheet of a workbook to read. If empty, it is the first that has cells.
	Sheet string
	// Limits bound the memory for a line, a record and the whole dictionary.
	Limits files.Limits
	// Memory is the memory of the dictionaries with which this one will be joined: the [Report.Memory] of the last one.
	// Limits.InMemory applies to all of them together.
	Memory int64

	edgesOnly bool // read only the hierarchy of tables: see [ReadParents]
}

const (
	defaultLanguage = "ENG"
	maxErrors       = 20 // malformed rows to list in a report
)

// Read reads the dictionary at path, or from stdin if path is "-". A file without concepts is an error. The report is
// never nil; if there is an error, it counts what was read before.
func Read(path string, opts Options) (*kb.Dictionary, *Report, error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, &Report{}, err
	}
	defer file.Close()
	r, err := input.Decode(file.Reader, opts.Encoding)
	if err != nil {
		return nil, &Report{}, fmt.Errorf("DictionaryOptions.Encoding: %w", err)
	}
	return read(r, input.Name(path), opts)
}

// read is Read from r; errors call the file name.
func read(r *bufio.Reader, name string, opts Options) (*kb.Dictionary, *Report, error) {
	c := newCollector(name, opts)
	if err := cmp.Or(checkDelimiter(opts.Delimiter), checkColumns(opts.Columns)); err != nil {
		return nil, c.report, err
	}
	if err := cmp.Or(c.read(r), c.full); err != nil {
		return nil, c.report, c.wrap(err)
	}
	d := c.dictionary()
	if d.Len() == 0 {
		return nil, c.report, c.errEmpty()
	}
	return d, c.report, nil
}

// readJSONFile reads JSON or JSON lines: a table of objects, or a format of [Write] or BioCoM's authors.
func (c *collector) readJSONFile(r *bufio.Reader) error {
	head, _ := r.Peek(r.Size())
	switch {
	case len(c.opts.Columns) > 0, isObjectTable(head):
		return c.readObjects(r)
	case c.report.Format == JSONL:
		return c.readJSONL(input.NewLines(r, c.opts.Limits))
	}
	return c.readJSON(r)
}

// RowError is the error for a malformed row. If rows are not lines (a JSON object in one line), Got has enough of the
// row to find it.
type RowError struct {
	File      string
	Line      int    // from 1; the row of a workbook; 0 in a JSON list
	Want, Got string // what the format requires, and what the row has instead
}

func (e *RowError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: want %s, got %s", e.File, e.Want, e.Got)
	}
	return fmt.Sprintf("%s:%d: want %s, got %s", e.File, e.Line, e.Want, e.Got)
}

// Report counts the content of a file and what was skipped.
type Report struct {
	Format    Format `json:"format"`
	Delimiter string `json:"delimiter,omitempty"` // of a table
	// Vocabulary is the known vocabulary to which the table belongs.
	Vocabulary string   `json:"vocabulary,omitempty"`
	Columns    []Column `json:"columns,omitempty"` // of a table
	Sheet      string   `json:"sheet,omitempty"`   // of a workbook

	Rows     int `json:"rows"` // lines, stanzas or entries of the file, including skipped ones
	Concepts int `json:"concepts"`
	Names    int `json:"names"` // total number of distinct names, counted per concept

	// Counts has other numbers of items that are in the file or were skipped: "alternative ids", "obsolete terms".
	Counts map[string]int `json:"counts,omitempty"`
	// Notes has one sentence each about things that were skipped or may have been misunderstood.
	Notes []string `json:"notes,omitempty"`

	BadRows int         `json:"bad_rows"`
	Errors  []*RowError `json:"-"` // the first malformed rows, at most 20

	// Retired has the concepts that a table of a known vocabulary marks as retired: see [WithoutRetired].
	Retired map[kb.ConceptID]bool `json:"-"`
	// Sources has the concepts that a table of OMOP marks as non-standard: see [WithTargets].
	Sources map[kb.ConceptID]bool `json:"-"`
	Memory  int64                 `json:"-"` // approximate size of the dictionary in bytes, plus Options.Memory
}

// String returns the format and the counts: "tsv, 2 concepts with 5 names; empty names 1".
func (r *Report) String() string {
	said := string(r.Format)
	if r.Vocabulary != "" {
		said += " of " + r.Vocabulary
	}
	said += ", " + english.Plural(r.Concepts, "concept", "") + " with " + english.Plural(r.Names, "name", "")
	if len(r.Counts) > 0 {
		said += "; " + counts(r.Counts)
	}
	if r.BadRows > 0 {
		said += "; " + english.Plural(r.BadRows, "malformed row", "")
	}
	return said
}

// Find returns the path of the file called dictionary.* in dir. If there is none, the error wraps [fs.ErrNotExist]; if
// there are several, the error lists them.
func Find(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var found []string
	for _, entry := range entries {
		if !entry.IsDir() && strings.HasPrefix(entry.Name(), "dictionary.") && !strings.HasSuffix(entry.Name(), "~") {
			found = append(found, entry.Name())
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("%s: no file called dictionary.*: %w", dir, fs.ErrNotExist)
	case 1:
		return filepath.Join(dir, found[0]), nil
	}
	return "", fmt.Errorf("%s: %d files called dictionary.*, want one: %s", dir, len(found), strings.Join(found, ", "))
}
