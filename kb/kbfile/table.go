package kbfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/table"
	"github.com/ctxnorm/ctxnorm/kb"
)

// sampleRows is the number of rows from which the columns of a table without a header are
// inferred: a thousand rows show which cells repeat, and take no noticeable time.
const sampleRows = 1000

// table is an open table, after its comments and a sample of its rows have been read.
type tableFile struct {
	c      *collector
	rows   table.Rows
	terms  bool // of RDF: see dialectOf
	dump   bool // of NCBI
	sample []row
	header []string // from the comments, or nil

	vocabulary *vocabulary             // that is known, or nil
	schemes    map[kb.ConceptID]string // of the identifiers of rows, where a column has them
	at         map[string]int          // of a vocabulary: name of a column, in lower case -> its position

	marked   bool // a column says which names are preferred
	floatIDs bool // the ids are written as numbers with a fraction of 0: see areFloats

	err error // the error that ended reading, to be returned after the sample
}

// endsWithCR reports whether the lines at the start of a file end with CR alone, as those of old Macs.
func endsWithCR(head string) bool {
	return !strings.Contains(head, "\n") && strings.Contains(strings.TrimRight(head, "\r"), "\r")
}

// openTable reads the comments and a sample of the rows. The header of CTD is in the line
// after "# Fields:"; the last comment with an identifier column among its cells counts as
// the header.
func openTable(r *bufio.Reader, c *collector) (*tableFile, error) {
	if head, _ := r.Peek(r.Size()); endsWithCR(string(head)) {
		return nil, errors.New("want lines that end with LF or CRLF, got CR alone")
	}
	t, lines := &tableFile{c: c}, input.NewLines(r, c.opts.Limits)
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
	delimiter := table.SeparatorLine(firstLine(r))
	if delimiter != "" {
		if _, err := c.nextLine(lines); err != nil {
			return nil, err
		}
	}
	if c.opts.Delimiter != "" || delimiter == "" {
		var err error
		if delimiter, err = delimiterOf(r, c, comments); err != nil {
			return nil, err
		}
	}
	c.report.Delimiter = delimiter
	var dialect table.Dialect
	dialect, t.terms = dialectOf(delimiter, firstLine(r))
	t.dump = dialect.End == dumpEnd
	t.rows = table.NewReader(r, dialect, c.opts.Limits, lines.Number())
	for _, comment := range comments {
		cells := strings.Split(comment, delimiter)
		if len(cells) > 1 && (rolesOf(cells).has(roleID) || knownVocabulary(cells, false) != nil) {
			t.header = cells
		}
	}
	t.readSample()
	return t, nil
}

// firstLine returns the line that is next, as far as it is in the buffer of r.
func firstLine(r *bufio.Reader) string {
	head, _ := r.Peek(r.Size())
	line, _, _ := strings.Cut(string(head), "\n")
	return strings.TrimSuffix(line, "\r")
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
	for _, comment := range comments {
		if delimiter := table.Sniff([]byte(comment), isHeaderRow); delimiter != "" {
			return delimiter, nil
		}
	}
	head, _ := r.Peek(r.Size())
	if c.report.Format == CTD && strings.Contains(strings.Join(comments, "\n")+firstRow(head), "\t") {
		return "\t", nil
	}
	return sniffDelimiter(head)
}

// readSample reads the first rows, from which the columns are inferred.
func (t *tableFile) readSample() {
	var bytes int64
	for len(t.sample) < sampleRows && t.err == nil && bytes < t.c.opts.Limits.Record {
		r, err := t.read()
		if err == nil && t.header == nil && len(t.sample) == 0 && len(t.c.report.Errors) > 0 { // the header, perhaps
			err = t.c.report.Errors[0]
		}
		if t.err = err; err == nil {
			t.sample = append(t.sample, r)
			bytes += r.Bytes()
		}
	}
}

// read returns the next row. Rows that cannot be parsed are malformed rows and skipped.
func (t *tableFile) read() (row, error) {
	for {
		r, err := t.rows.Next()
		bad, ok := err.(*input.LineError)
		for i, cell := range r.Cells {
			if t.terms {
				r.Cells[i] = termText(cell)
			}
			if strings.IndexByte(cell, 0) >= 0 {
				bad, ok = hasNUL(cell), true
			}
		}
		if err == nil && !ok && r.IsBlank() {
			continue
		}
		if !ok {
			return r, err
		}
		t.c.report.Rows++
		if err := t.c.reject(r.Line, bad); err != nil {
			return r, err
		}
	}
}

// each calls do for each row.
func (t *tableFile) each(do func(row) error) error {
	charged := func(r row) error {
		t.c.rowBytes = r.Bytes()
		if err := do(r); err != nil {
			return err
		}
		if t.c.full != nil {
			return fmt.Errorf("line %d: %w", r.Line, t.c.full)
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

// columns returns the columns of the header, and reports whether there is a header whose
// columns are enough. If the first row is the header, columns removes it from the sample.
func (t *tableFile) columns(enough func(columns) bool) (columns, bool) {
	header := t.header
	if header == nil && len(t.sample) > 0 {
		header = t.sample[0].Cells
	}
	cols := rolesOf(header)
	if !enough(cols) {
		return nil, false
	}
	if t.header == nil {
		t.header, t.sample = header, t.sample[1:]
	}
	return cols, true
}

// haveAll returns a function that reports whether columns have all the roles.
func haveAll(roles ...role) func(columns) bool {
	return func(c columns) bool {
		return !slices.ContainsFunc(roles, func(want role) bool { return !c.has(want) })
	}
}

// width returns the number of cells of the widest row of the sample.
func (t *tableFile) width() int {
	width := 0
	for _, r := range t.sample {
		width = max(width, len(r.Cells))
	}
	return width
}

// countCells returns the number of cells of a column of the sample that contain a text.
func (t *tableFile) countCells(column int, text string) int {
	n := 0
	for _, r := range t.sample {
		if column < len(r.Cells) && strings.Contains(r.Cells[column], text) {
			n++
		}
	}
	return n
}

// cell returns the cell of a row of a known vocabulary in the column with this name, in lower case, or "".
func (t *tableFile) cell(r row, column string) string {
	if i, found := t.at[column]; found && i < len(r.Cells) {
		return strings.TrimSpace(r.Cells[i])
	}
	return ""
}
