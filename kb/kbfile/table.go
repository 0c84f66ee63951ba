package kbfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

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
	return c.readRows(t)
}

// readRows determines the columns of a table and reads its rows.
func (c *collector) readRows(t *table) error {
	cols, err := t.dictionaryColumns()
	if err != nil {
		return err
	}
	described := t.describe(cols)
	c.report.Columns = described
	err = t.each(func(r row) error {
		c.report.Rows++
		return c.addRow(r, cols, described)
	})
	if err != nil {
		return err
	}
	if !cols.has(roleSynonyms) && !cols.has(rolePreferred) {
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

// dictionaryColumns returns the columns of a dictionary: those that were chosen, those of
// the header, or those that its rows show.
func (t *table) dictionaryColumns() (columns, error) {
	if choices := t.c.opts.Columns; len(choices) > 0 {
		first := t.header
		if first == nil && len(t.sample) > 0 {
			first = t.sample[0].cells
		}
		cols, headed, err := chooseColumns(first, choices)
		if err == nil && headed && t.header == nil {
			t.header, t.sample = first, t.sample[1:]
		}
		return cols, err
	}
	cols, headed := t.columns(roleID, roleName)
	switch {
	case !headed && t.c.report.Format == CTD:
		return nil, fmt.Errorf("the file has no header line such as %q", "# DiseaseName\tDiseaseID\tAltDiseaseIDs")
	case !headed:
		t.header = nil
		cols = inferColumns(t.sample)
		if id := cols.first(roleID); isHeader(t.sample, id) {
			t.header, t.sample = t.sample[0].cells, t.sample[1:]
		}
		cols = cols[:max(2, min(len(cols), t.width()))]
	}
	return cols, nil
}

// width returns the number of cells of the widest row of the sample.
func (t *table) width() int {
	width := 0
	for _, r := range t.sample {
		width = max(width, len(r.cells))
	}
	return width
}

// describe returns the columns of the table for the report, as many as its widest row has.
func (t *table) describe(cols columns) []Column {
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
		}
	}
	return described
}

// separator returns what separates several names in the cells of a column, or "". A cell
// of synonyms has bars; if no cell of the sample has one, it has semicolons (with a space
// or without), line breaks or ideographic commas. The cells of other columns have one
// name, unless the options say otherwise.
func (t *table) separator(column int, role role) string {
	if chosen := t.c.opts.Separator; chosen != "" && role.names() {
		return chosen
	}
	if role != roleSynonyms {
		return ""
	}
	for _, separator := range cellSeparators {
		for _, r := range t.sample {
			if column < len(r.cells) && strings.Contains(r.cells[column], separator) {
				return separator
			}
		}
	}
	return ""
}

// cellSeparators are what separates the names in a cell, the most certain first.
var cellSeparators = []string{"|", ";", "；", "\n", "、"}

// namesIn returns the names in a cell.
func namesIn(cell, separator string) []string {
	if separator == "" {
		separator = cellSeparators[0] // no cell of the sample has it
	}
	var names []string
	start, at := 0, 0
	for {
		length := strings.Index(cell[at:], separator)
		if length < 0 {
			return append(names, cell[start:])
		}
		end := at + length
		at = end + len(separator)
		if separator == ";" && endsInEntity(cell[start:end]) {
			continue // "R&amp;D" is one name
		}
		names = append(names, cell[start:end])
		start = at
	}
}

// endsInEntity reports whether text ends in an XML entity without its semicolon: "&amp".
func endsInEntity(text string) bool {
	at := strings.LastIndexByte(text, '&')
	if at < 0 || at == len(text)-1 {
		return false
	}
	return strings.IndexFunc(text[at+1:], func(r rune) bool { return r != '#' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) < 0
}

// addRow adds the concepts of one row: each of its identifiers is a concept with its
// names.
func (c *collector) addRow(r row, cols columns, described []Column) error {
	if least := 1 + max(cols.first(roleID), cols.first(roleName)); len(r.cells) < least {
		return c.badRow(r.line, fmt.Sprintf("at least %d columns", least), fmt.Sprintf("%d: %s", len(r.cells), input.Quote(strings.Join(r.cells, "\t"))))
	}
	concept := kb.Concept{
		AltIDs:  splitIDs(strings.Join(cols.cells(r, roleAltIDs), "|")),
		Parents: splitIDs(strings.Join(cols.cells(r, roleParents), "|")),
	}
	for _, cell := range cols.cells(r, roleTypes) {
		for name := range strings.SplitSeq(cell, "|") {
			concept.Types = append(concept.Types, strings.TrimSpace(name))
		}
	}
	var preferred string
	for i, cell := range r.cells {
		if i >= len(cols) {
			if i >= len(described) && strings.TrimSpace(cell) != "" {
				c.report.ExtraCells++
			}
			continue
		}
		if cell = strings.TrimSpace(cell); !cols[i].names() || cell == "" {
			continue
		}
		names := namesIn(cell, described[i].Separator)
		switch cols[i] {
		case roleName:
			concept.Name = strings.TrimSpace(names[0])
			concept.Synonyms = append(names[1:], concept.Synonyms...)
		case rolePreferred:
			if preferred == "" && !isNone(cell) {
				preferred = strings.TrimSpace(names[0])
			}
		case roleSynonyms:
			concept.Synonyms = append(concept.Synonyms, names...)
		}
	}
	ids := splitIDs(cols.firstCell(r, roleID))
	if len(ids) == 0 {
		return c.badRow(r.line, fmt.Sprintf("an id in column %d", cols.first(roleID)+1), input.Quote(strings.Join(r.cells, "\t")))
	}
	if bad := checkIDs(ids, concept.AltIDs, concept.Parents); bad != nil {
		return c.badRow(r.line, bad.Want, bad.Got)
	}
	if concept.Name == "" {
		c.report.EmptyNames++
	}
	if preferred != "" {
		concept.Synonyms = append([]string{concept.Name}, concept.Synonyms...)
		concept.Name = preferred
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

// endsWithCR reports whether the lines at the start of a file end with CR alone, as those of old Macs.
func endsWithCR(head string) bool {
	return !strings.Contains(head, "\n") && strings.Contains(strings.TrimRight(head, "\r"), "\r")
}

// openTable reads the comments and a sample of the rows. The header of CTD is in the line
// after "# Fields:"; the last comment with an identifier column among its cells counts as
// the header.
func openTable(r *bufio.Reader, lines *input.Lines, c *collector) (*table, error) {
	if head, _ := r.Peek(r.Size()); endsWithCR(string(head)) {
		return nil, errors.New("want lines that end with LF or CRLF, got CR alone")
	}
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
	delimiter, err := delimiterOf(r, c, comments)
	if err != nil {
		return nil, err
	}
	c.report.Delimiter = delimiter
	if delimiter == "\t" {
		t.rows = &tsvRows{lines: lines}
	} else {
		t.rows = newCSVRows(r, rune(delimiter[0]), lines.Number(), c.opts.Limits)
	}
	for _, comment := range comments {
		if cells := strings.Split(comment, delimiter); len(cells) > 1 && rolesOf(cells).has(roleID) {
			t.header = cells
		}
	}
	t.readSample()
	return t, nil
}

// readSample reads the first rows, from which the columns are inferred.
func (t *table) readSample() {
	var bytes int64
	for len(t.sample) < sampleRows && t.err == nil && bytes < t.c.opts.Limits.Record {
		r, err := t.read()
		if t.err = err; err == nil {
			t.sample = append(t.sample, r)
			bytes += r.bytes()
		}
	}
}

// delimiterOf returns the delimiter of the cells: the one that the options name, a tab in
// TSV and where the first row or a comment has one, and otherwise the one that the rows
// show.
func delimiterOf(r *bufio.Reader, c *collector, comments []string) (string, error) {
	switch {
	case c.opts.Delimiter != "":
		return c.opts.Delimiter, nil
	case c.report.Format == TSV:
		return "\t", nil
	}
	head, _ := r.Peek(r.Size())
	if c.report.Format == CTD && strings.Contains(strings.Join(comments, "\n")+firstRow(head), "\t") {
		return "\t", nil
	}
	char, err := sniffDelimiter(head)
	return string(char), err
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
		t.header, t.sample = header, t.sample[1:]
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
