package kbfile

import (
	"bufio"
	"bytes"
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
	// Format is the format of the file. If empty, it is detected from the content.
	Format Format
	// Strict makes Read return the first malformed row as its error. Otherwise
	// malformed rows are counted in the report and skipped.
	Strict bool
	// Encoding is the character encoding of the file, by its name in the WHATWG Encoding
	// Standard, such as "cp1252" or "shift_jis". If empty, the file is UTF-8, or UTF-16
	// with a byte-order mark.
	Encoding string
	// Delimiter separates the cells of a table: "\t", ",", ";" or "|". If empty, it is
	// detected, and a table whose delimiter is not certain is an [ErrDelimiter].
	Delimiter string
	// Separator separates several names in a cell, also in the columns of names. If
	// empty, only cells of synonyms have several, and the separator is detected.
	Separator string
	// Columns says what the columns of a table have, "id=Code" or "name=2": one of [ColumnRoles], and the name in the
	// header or the number from 1; see [CheckColumns]. Columns that it does not list are not used. If empty, they are
	// determined by the header, and a header whose names are not known is a [*HeaderError].
	Columns []string
	// Language selects the names of MRCONSO, RDF, FHIR, Orphanet and tables with a column of
	// languages: a list of languages separated by commas, such as "ENG,GER" or "en,de", or "*"
	// for all. Empty stands for "ENG". Names without a language are always read.
	Language string
	// PreferredDescriptions are the descriptions of SNOMED CT whose terms are preferred, by their
	// identifiers: see [ReadLanguageReferenceSet]. If nil, fully specified names are.
	PreferredDescriptions map[string]bool
	// Sheet is the sheet of a workbook to read. If empty, it is the first that has cells.
	Sheet string
	// Limits bound the memory for a line, a record and the whole dictionary.
	Limits files.Limits
	// Memory is the memory of the dictionaries that this one is to be joined with, the
	// [Report.Memory] of the last. Limits.InMemory is for all of them together.
	Memory int64

	edgesOnly bool // of tables only the hierarchy is read: see [ReadParents]
}

const (
	defaultLanguage = "ENG"
	maxErrors       = 20 // malformed rows that a report lists
)

// Read reads the dictionary at path, or from stdin if path is "-". A file without any
// concept is an error. The report is never nil; with an error it counts what was read
// before the error.
func Read(path string, opts Options) (*kb.Dictionary, *Report, error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, &Report{}, err
	}
	defer file.Close()
	if head, _ := file.Peek(len(zipMark)); bytes.Equal(head, zipMark) {
		opts.Encoding = "" // a workbook has its own
	}
	r, err := input.Decode(file.Reader, opts.Encoding)
	if err != nil {
		return nil, &Report{}, fmt.Errorf("%s: %w", input.Name(path), err)
	}
	return read(r, input.Name(path), opts)
}

// CheckEncoding returns an error if no encoding has this name.
func CheckEncoding(name string) error {
	_, err := input.Decode(bufio.NewReader(strings.NewReader("")), name)
	return err
}

// read is Read from r; name refers to the file in errors.
func read(r *bufio.Reader, name string, opts Options) (*kb.Dictionary, *Report, error) {
	c := newCollector(name, opts)
	err := cmp.Or(CheckDelimiter(opts.Delimiter), CheckColumns(opts.Columns))
	if err == nil {
		err = cmp.Or(c.read(r), c.full)
	}
	if err != nil {
		return nil, c.report, c.wrap(err)
	}
	d := c.dictionary()
	if d.Len() == 0 {
		return nil, c.report, c.errEmpty()
	}
	return d, c.report, nil
}

// readJSONFile reads JSON or lines of JSON: a table of objects, or what [Write] and BioCoM's authors wrote.
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

// RowError is the error for a malformed row. If rows are not lines (a JSON object in one
// line), Got has enough of the row to find it.
type RowError struct {
	File      string
	Line      int    // from 1; of a workbook, the row; 0 in a list of JSON
	Want, Got string // what the format requires, and what the row has instead
}

func (e *RowError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: want %s, got %s", e.File, e.Want, e.Got)
	}
	return fmt.Sprintf("%s:%d: want %s, got %s", e.File, e.Line, e.Want, e.Got)
}

// Report counts the content of a file and what was left out of the dictionary.
type Report struct {
	Format    Format `json:"format"`
	Delimiter string `json:"delimiter,omitempty"` // of a table
	// Vocabulary is the known vocabulary whose table this is.
	Vocabulary string   `json:"vocabulary,omitempty"`
	Columns    []Column `json:"columns,omitempty"` // of a table
	Sheet      string   `json:"sheet,omitempty"`   // of a workbook

	Rows     int `json:"rows"` // lines, stanzas or entries of the file, including those left out
	Concepts int `json:"concepts"`
	Names    int `json:"names"` // sum of the numbers of distinct names of each concept

	// Counts has the numbers of what else the file has, or was left out of it: "alternative ids", "obsolete terms".
	Counts map[string]int `json:"counts,omitempty"`
	// Notes say what was left out by name, and what may have been misunderstood, a sentence each.
	Notes []string `json:"notes,omitempty"`

	BadRows int         `json:"bad_rows"`
	Errors  []*RowError `json:"-"` // the first malformed rows, at most 20

	// Retired has the concepts that the table of a known vocabulary marks as retired: see [WithoutRetired].
	Retired map[kb.ConceptID]bool `json:"-"`
	// Sources has the concepts that the table of OMOP marks as no standard concepts: see [WithTargets].
	Sources map[kb.ConceptID]bool `json:"-"`
	Memory  int64                 `json:"-"` // bytes that the dictionary takes, about, with Options.Memory
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

// Find returns the path of the file called dictionary.* in dir. If there is none, the
// error wraps [fs.ErrNotExist]; if there are several, the error names them.
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
