package kbfile

import (
	"bufio"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/table"
)

// readTable reads a TSV or CSV file, or a file of CTD, which is one of the two with the
// header in its comments.
func (c *collector) readTable(r *bufio.Reader) error {
	t, err := openTable(r, c)
	if err != nil {
		return err
	}
	return c.readRows(t)
}

// readRows determines the columns of a table and reads its rows.
func (c *collector) readRows(t *tableFile) error {
	if len(c.opts.Columns) == 0 && c.report.Format != TSV && t.header == nil && t.width() == 1 {
		return t.readColumn()
	}
	cols, err := t.dictionaryColumns()
	if err != nil {
		return err
	}
	t.marked = t.vocabulary == nil && slices.ContainsFunc(t.sample, func(r row) bool { return isMarked(r, cols) })
	if at := cols.first(roleMark); at >= 0 && !t.marked {
		cols[at] = roleUnused
	}
	described := t.describe(cols)
	c.report.Columns = described
	t.floatIDs = t.vocabulary == nil && areFloats(t.sample, cols)
	if v := t.vocabulary; v != nil {
		if c.report.Vocabulary = v.name; v.refused != "" {
			return v.errRefused()
		}
		if err := t.checkSnapshot(); err != nil {
			return err
		}
	}
	err = t.each(func(r row) error {
		c.report.Rows++
		return t.addRow(r, cols, described)
	})
	if err != nil {
		return err
	}
	if !cols.has(roleSynonyms) && !cols.has(rolePreferred) && !t.marked {
		c.unmarkRepeated()
	}
	return nil
}

// unmarkRepeated removes the marks of preferred names if the table has a name a row and
// several rows for a concept: none of them is marked.
func (c *collector) unmarkRepeated() {
	if !c.concepts.repeated() {
		return
	}
	for concept := range c.concepts.all() {
		concept.Synonyms, concept.Name = concept.Names(), ""
	}
}

// skipTitle removes the rows of one cell above a header from the sample, as the title of a sheet is.
func (t *tableFile) skipTitle() {
	var rows [][]string
	for _, r := range t.sample[:min(table.MaxTitle, len(t.sample))] {
		rows = append(rows, r.Cells)
	}
	t.sample = t.sample[max(0, table.Header(rows, isHeaderRow)):]
}

// dictionaryColumns returns the columns of a dictionary: those that were chosen, those of
// the header, or those that its rows show.
func (t *tableFile) dictionaryColumns() (columns, error) {
	t.completeHeader()
	if choices := t.c.opts.Columns; len(choices) > 0 {
		first := t.header
		if first == nil && len(t.sample) > 0 {
			first = t.sample[0].Cells
		}
		cols, headed, err := chooseColumns(first, choices)
		if err == nil && t.header == nil && (headed || isHeader(t.sample, cols.first(roleID))) {
			t.header, t.sample = first, t.sample[1:]
		}
		return cols, err
	}
	if t.header == nil {
		t.skipTitle()
	}
	if cols := t.vocabularyColumns(); cols != nil {
		return cols, nil
	}
	cols, headed := t.columns(columns.areNamed)
	switch {
	case headed:
		return cols, nil
	case t.c.report.Format == JSONL, t.c.report.Format == JSON:
		return nil, newHeaderError(slices.Concat([]row{{Cells: t.header}}, t.sample), inferColumns(t.sample))
	case t.c.report.Format == CTD:
		return nil, fmt.Errorf("the file has no header line such as %q", "# DiseaseName\tDiseaseID\tAltDiseaseIDs")
	}
	if bad := t.c.report.Errors; len(bad) > 0 && len(t.sample) == 1 {
		return nil, bad[0] // the first row is a header, and no other can be read
	}
	t.header = nil
	cols = inferColumns(t.sample)
	if isHeader(t.sample, cols.first(roleID)) {
		return nil, newHeaderError(t.sample, cols)
	}
	if t.c.report.Format == CSV && isProse(t.sample) {
		return nil, errors.New("want a dictionary, got text: lines end as sentences do, and none begins with an id")
	}
	if t.isWide() {
		return nil, newHeaderError(t.sample, cols)
	}
	return cols[:max(2, min(len(cols), t.width()))], nil
}

// isWide reports whether each row of a table without a header has more cells than an id, a name and synonyms: what they
// have is not guessed.
func (t *tableFile) isWide() bool {
	return len(t.sample) > 0 && !slices.ContainsFunc(t.sample, func(r row) bool { return len(r.Cells) <= 3 })
}

// isProse reports whether the rows of a table without a header are lines of a text that were split at its commas: half
// of them end as a sentence does, and no cell in the columns of identifiers and names looks like an identifier.
func isProse(sample []row) bool {
	sentences := 0
	for _, r := range sample {
		last := strings.TrimSpace(r.Cells[len(r.Cells)-1])
		if strings.Contains(last, " ") && strings.IndexByte(".?!", last[len(last)-1]) >= 0 {
			sentences++
		}
	}
	ids := statsOf(sample, 0).idLikeCells + statsOf(sample, 1).idLikeCells
	return sentences > 0 && 2*sentences >= len(sample) && ids == 0
}

// HeaderError is the error for a table with a header whose names are not known.
type HeaderError struct {
	Rows     [][]string // the header and the rows after it, at most 3
	ID, Name int        // the columns, from 1, whose cells look like identifiers and names
}

func newHeaderError(sample []row, cols columns) *HeaderError {
	e := &HeaderError{ID: cols.first(roleID) + 1, Name: cols.first(roleName) + 1}
	for _, r := range sample[:min(3, len(sample))] {
		e.Rows = append(e.Rows, r.Cells)
	}
	return e
}

func (e *HeaderError) Error() string {
	var after []string
	for _, cells := range e.Rows[1:] {
		after = append(after, fmt.Sprintf("%q", cells))
	}
	return fmt.Sprintf("want a header that names a column of ids and one of names, got %q, then %s",
		e.Rows[0], strings.Join(after, " and "))
}

// describe returns the columns of the table for the report, as many as its widest row has.
func (t *tableFile) describe(cols columns) []Column {
	width := max(len(cols), len(t.header))
	if t.header == nil {
		width = t.width()
	}
	described := make([]Column, width)
	for i := range described {
		if i < len(t.header) {
			described[i].Name = strings.TrimSpace(t.header[i])
		}
		if i < len(cols) {
			described[i].Role = roleLabels[cols[i]]
			described[i].Separator = t.separator(i, cols[i])
			if t.vocabulary == nil && cols[i] == roleSynonyms && described[i].Separator == "" {
				t.c.report.Commas += t.countCells(i, ", ")
			}
		}
	}
	return described
}

// floatID is a number of four digits or more that was written as one with a fraction.
var floatID = regexp.MustCompile(`^\d{4,}\.0$`)

// areFloats reports whether all ids of the sample are numbers with a fraction of 0, of which a vocabulary has none.
func areFloats(sample []row, cols columns) bool {
	floats := 0
	for _, r := range sample {
		switch id := strings.TrimSpace(cols.firstCell(r, roleID)); {
		case floatID.MatchString(id):
			floats++
		case id != "" && !missingValues[id]:
			return false
		}
	}
	return floats > 0
}
