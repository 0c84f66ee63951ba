package dictionary

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"ctxnorm"
	"ctxnorm/corpus/internal/input"
)

// sampleRows is how many rows are looked at to tell the columns of a table
// without a header: a thousand show what repeats and cost nothing.
const sampleRows = 1000

// readTable reads a TSV or CSV file and the files of CTD, which are either with
// a header in their comments.
func (c *collector) readTable(r *bufio.Reader, lines *input.Lines) error {
	t, err := openTable(r, lines, c)
	if err != nil {
		return err
	}
	cols, headed := t.columns(id, name)
	switch {
	case !headed && c.report.Format == CTD:
		return fmt.Errorf("no line with the names of the columns, as in %q", "# DiseaseName\tDiseaseID\tAltDiseaseIDs")
	case !headed:
		cols = guessColumns(t.sample)
	}
	c.report.Columns = cols.names()
	return t.each(func(r row) error {
		c.report.Rows++
		return c.addRow(r, cols)
	})
}

// addRow takes the concepts of one row: each of its identifiers owns its names.
func (c *collector) addRow(r row, cols columns) error {
	if least := 1 + max(cols.first(id), cols.first(name)); len(r.cells) < least {
		return c.bad(r.line, fmt.Sprintf("at least %d columns", least), fmt.Sprintf("%d: %s", len(r.cells), quote(strings.Join(r.cells, "\t"))))
	}
	concept := ctxnorm.Concept{
		AltIDs:  splitIDs(strings.Join(cols.cells(r, altIDs), "|")),
		Parents: splitIDs(strings.Join(cols.cells(r, parents), "|")),
	}
	for _, cell := range cols.cells(r, synonyms) {
		if cell != "" {
			concept.Synonyms = append(concept.Synonyms, strings.Split(cell, "|")...)
		}
	}
	concept.Name = cols.cell(r, name)
	if preferredName := cols.cell(r, preferred); preferredName != "" && !isNone(preferredName) {
		concept.Synonyms = append([]string{concept.Name}, concept.Synonyms...)
		concept.Name = preferredName
	}
	ids := splitIDs(cols.cell(r, id))
	if len(ids) == 0 {
		return c.bad(r.line, fmt.Sprintf("an id in column %d", cols.first(id)+1), quote(strings.Join(r.cells, "\t")))
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

// table is an open table, its comments read and its first rows looked at.
type table struct {
	c      *collector
	rows   rowReader
	sample []row
	header []string // named in the comments, or nil
	final  error    // what ended the sample, given after its rows
}

// openTable reads the comments and the first rows. CTD names the columns in the
// line under "# Fields:"; any comment whose cells name an identifier is taken as
// a header, the last of several.
func openTable(r *bufio.Reader, lines *input.Lines, c *collector) (*table, error) {
	t := &table{c: c}
	var comments []string
	for {
		if head, err := r.Peek(1); err != nil || head[0] != '#' {
			break
		}
		comment, err := c.next(lines)
		if err != nil {
			return nil, err
		}
		comments = append(comments, strings.TrimSpace(strings.TrimLeft(comment, "#")))
	}
	separator := separatorOf(r, c.report.Format, comments)
	if separator == "," {
		t.rows = newCSVRows(r, lines.Number())
	} else {
		t.rows = &tsvRows{lines: lines}
	}
	for _, comment := range comments {
		if cells := strings.Split(comment, separator); len(cells) > 1 && rolesOf(cells).has(id) {
			t.header = cells
		}
	}
	for len(t.sample) < sampleRows && t.final == nil {
		r, err := t.read()
		if t.final = err; err == nil {
			t.sample = append(t.sample, r)
		}
	}
	return t, nil
}

// separatorOf is a tab or a comma. CTD comes with either.
func separatorOf(r *bufio.Reader, format Format, comments []string) string {
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

// read is the next row that can be read: those that cannot are bad rows.
func (t *table) read() (row, error) {
	for {
		r, err := t.rows.next()
		bad, ok := err.(*input.LineError)
		if !ok {
			return r, err
		}
		t.c.report.Rows++
		if err := t.c.bad(r.line, bad.Want, bad.Got); err != nil {
			return r, err
		}
	}
}

// columns are those that a header names, if there is one with all the roles
// wanted. A first row that is a header is no row any more.
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

// each calls do with every row.
func (t *table) each(do func(row) error) error {
	for _, r := range t.sample {
		if err := do(r); err != nil {
			return err
		}
	}
	for t.final == nil {
		r, err := t.read()
		if err != nil {
			t.final = err
			break
		}
		if err := do(r); err != nil {
			return err
		}
	}
	if t.final == io.EOF {
		return nil
	}
	return t.final
}
