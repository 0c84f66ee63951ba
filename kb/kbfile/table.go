package kbfile

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// sampleRows is the number of rows from which the columns of a table without a header are
// inferred: a thousand rows show which cells repeat, and take no noticeable time.
const sampleRows = 1000

// readTable reads a TSV or CSV file, or a file of CTD, which is one of the two with the
// header in its comments.
func (c *collector) readTable(r *bufio.Reader, lines *input.Lines) error {
	t, err := openTable(r, lines, c)
	if err != nil {
		return err
	}
	cols, headed := t.columns(roleID, roleName)
	switch {
	case !headed && c.report.Format == CTD:
		return fmt.Errorf("the file has no header line such as %q", "# DiseaseName\tDiseaseID\tAltDiseaseIDs")
	case !headed:
		cols = inferColumns(t.sample)
	}
	c.report.Columns = cols.labels()
	return t.each(func(r row) error {
		c.report.Rows++
		return c.addRow(r, cols)
	})
}

// addRow adds the concepts of one row: each of its identifiers is a concept with its
// names.
func (c *collector) addRow(r row, cols columns) error {
	if least := 1 + max(cols.first(roleID), cols.first(roleName)); len(r.cells) < least {
		return c.badRow(r.line, fmt.Sprintf("at least %d columns", least), fmt.Sprintf("%d: %s", len(r.cells), input.Quote(strings.Join(r.cells, "\t"))))
	}
	concept := kb.Concept{
		AltIDs:  splitIDs(strings.Join(cols.cells(r, roleAltIDs), "|")),
		Parents: splitIDs(strings.Join(cols.cells(r, roleParents), "|")),
	}
	for _, cell := range cols.cells(r, roleSynonyms) {
		if cell != "" {
			concept.Synonyms = append(concept.Synonyms, strings.Split(cell, "|")...)
		}
	}
	concept.Name = cols.firstCell(r, roleName)
	if preferredName := cols.firstCell(r, rolePreferred); preferredName != "" && !isNone(preferredName) {
		concept.Synonyms = append([]string{concept.Name}, concept.Synonyms...)
		concept.Name = preferredName
	}
	ids := splitIDs(cols.firstCell(r, roleID))
	if len(ids) == 0 {
		return c.badRow(r.line, fmt.Sprintf("an id in column %d", cols.first(roleID)+1), input.Quote(strings.Join(r.cells, "\t")))
	}
	if concept.Name == "" {
		c.report.EmptyNames++
	}
	for _, concept.ID = range ids {
		if isNone(concept.ID) {
			c.report.NoID++
		} else {
			c.add(concept)
		}
	}
	return nil
}

// table is an open table, after its comments and a sample of its rows have been read.
type table struct {
	c      *collector
	rows   rowReader
	sample []row
	header []string // from the comments, or nil
	err    error    // the error that ended reading, to be returned after the sample
}

// openTable reads the comments and a sample of the rows. The header of CTD is in the line
// after "# Fields:"; the last comment with an identifier column among its cells counts as
// the header.
func openTable(r *bufio.Reader, lines *input.Lines, c *collector) (*table, error) {
	t := &table{c: c}
	var comments []string
	var bytes int64 // of the comments
	for {
		if head, err := r.Peek(1); err != nil || head[0] != '#' {
			break
		}
		comment, err := c.nextLine(lines)
		if err != nil {
			return nil, err
		}
		comments = append(comments, strings.TrimSpace(strings.TrimLeft(comment, "#")))
		bytes += stringSize + int64(len(comment))
		if err := c.opts.Limits.CheckRecord("the comments above the rows", bytes); err != nil {
			return nil, fmt.Errorf("line %d: %w", lines.Number(), err)
		}
	}
	delimiter := delimiterOf(r, c.report.Format, comments)
	if delimiter == "," {
		t.rows = newCSVRows(r, lines.Number(), c.opts.Limits)
	} else {
		t.rows = &tsvRows{lines: lines}
	}
	for _, comment := range comments {
		if cells := strings.Split(comment, delimiter); len(cells) > 1 && rolesOf(cells).has(roleID) {
			t.header = cells
		}
	}
	bytes = 0 // of the sample
	for len(t.sample) < sampleRows && t.err == nil && bytes < c.opts.Limits.Record {
		r, err := t.read()
		if t.err = err; err == nil {
			t.sample = append(t.sample, r)
			bytes += r.bytes()
		}
	}
	return t, nil
}

// delimiterOf returns the delimiter of the cells, a tab or a comma. CTD files have either.
func delimiterOf(r *bufio.Reader, format Format, comments []string) string {
	switch format {
	case TSV:
		return "\t"
	case CSV:
		return ","
	}
	head, _ := r.Peek(r.Size())
	if strings.Contains(strings.Join(comments, "\n")+firstRow(head), "\t") {
		return "\t"
	}
	return ","
}

// read returns the next row. Rows that cannot be parsed are malformed rows and skipped.
func (t *table) read() (row, error) {
	for {
		r, err := t.rows.nextLine()
		bad, ok := err.(*input.LineError)
		if !ok {
			return r, err
		}
		t.c.report.Rows++
		if err := t.c.badRow(r.line, bad.Want, bad.Got); err != nil {
			return r, err
		}
	}
}

// columns returns the columns of the header, and reports whether there is a header with
// all the wanted roles. If the first row is the header, columns removes it from the
// sample.
func (t *table) columns(wanted ...role) (columns, bool) {
	header := t.header
	if header == nil && len(t.sample) > 0 {
		header = t.sample[0].cells
	}
	cols := rolesOf(header)
	for _, want := range wanted {
		if !cols.has(want) {
			return nil, false
		}
	}
	if t.header == nil {
		t.sample = t.sample[1:]
	}
	return cols, true
}

// each calls do for each row.
func (t *table) each(do func(row) error) error {
	charged := func(r row) error {
		t.c.rowBytes = r.bytes()
		if err := do(r); err != nil {
			return err
		}
		if t.c.full != nil {
			return fmt.Errorf("line %d: %w", r.line, t.c.full)
		}
		return nil
	}
	for _, r := range t.sample {
		if err := charged(r); err != nil {
			return err
		}
	}
	for t.err == nil {
		r, err := t.read()
		if err != nil {
			t.err = err
			break
		}
		if err := charged(r); err != nil {
			return err
		}
	}
	if t.err == io.EOF {
		return nil
	}
	return t.err
}
