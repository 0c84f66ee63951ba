package kbfile

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/table"
)

// sampleRows is the number of rows from which the columns of a table without a header are inferred: a thousand rows are
// enough to see which cells repeat, and take no noticeable time.
const sampleRows = 1000

type row = table.Row

// tableFile is an open table whose comments and first rows (the sample) have been read.
type tableFile struct {
	c      *collector
	rows   table.Rows
	kind   Format // of vocabularies whose tables have no header: see knownVocabulary
	plain  bool   // rows are long, and their strings are copied
	terms  bool   // cells are RDF terms, as in SPARQL results
	sample []row
	header []string // from the comments, or nil

	cols       columns
	described  []Column
	states     []role         // roles of the columns of states
	last       time.Time      // see lastDay
	vocabulary *vocabulary    // the known vocabulary, or nil
	at         map[string]int // index of a vocabulary's column, by its name in lower case

	marked   bool // a column marks the preferred names
	floatIDs bool // the ids are written as floats: see areFloats

	err error // the error that ended reading, to return after the sample
}

// readTable reads a TSV or CSV file, a CTD file (one of these with the header in its comments), or a file of UMLS or
// MedDRA.
func (c *collector) readTable(r *bufio.Reader) error {
	t, err := openTable(r, c)
	if err != nil {
		return err
	}
	return c.readRows(t)
}

// readXLSX reads the dictionary in a sheet of a workbook.
func (c *collector) readXLSX(r *bufio.Reader) error {
	sheet, err := table.OpenWorksheet(r, c.opts.Sheet, c.opts.Limits)
	if err != nil {
		return err
	}
	defer sheet.Close()
	c.report.Sheet = sheet.Name
	if len(sheet.Others) > 0 {
		c.note("reading sheet %q, ignoring %q", sheet.Name, sheet.Others)
	}
	t := &tableFile{c: c, rows: sheet}
	t.readSample()
	if c.opts.Sheet == "" && len(c.opts.Columns) == 0 && len(sheet.Others) > 0 && t.width() < 2 {
		return fmt.Errorf("want ids and names in the first sheet, got one column in %q, and other sheets: name the sheet to "+
			"read (DictionaryOptions.Sheet), %q or one of %q", sheet.Name, sheet.Name, sheet.Others)
	}
	return c.readRows(t)
}

// openTable reads the comments and a sample of the rows. In CTD, the header is in the line after "# Fields:"; the last
// comment with a column of identifiers counts as the header.
func openTable(r *bufio.Reader, c *collector) (*tableFile, error) {
	t := &tableFile{c: c}
	if end := plainFormats[c.report.Format]; end != "" {
		t.kind, t.plain = c.report.Format, true
		t.rows = table.NewReader(r, table.Dialect{Delimiter: end, Plain: true, End: end}, c.opts.Limits, 0)
		t.readSample()
		return t, nil
	}
	lines := input.NewLines(r, c.opts.Limits)
	comments, err := c.comments(r, lines)
	if err != nil {
		return nil, err
	}
	delimiter := table.SeparatorLine(firstLine(r))
	if delimiter != "" {
		if _, err := c.nextLine(lines); err != nil {
			return nil, err
		}
	}
	if delimiter = cmp.Or(c.opts.Delimiter, delimiter); delimiter == "" {
		if delimiter, err = delimiterOf(r, c, comments); err != nil {
			return nil, err
		}
	}
	c.report.Delimiter = delimiter
	dialect := table.Dialect{Delimiter: delimiter}
	if first := firstLine(r); delimiter == "\t" && strings.HasSuffix(first, dumpEnd) {
		t.kind, dialect = dumpFormat, table.Dialect{Delimiter: dumpEnd + "\t", Plain: true, End: dumpEnd}
	} else if delimiter == "\t" {
		isNoVariable := func(cell string) bool { return len(cell) < 2 || cell[0] != '?' }
		t.terms = !slices.ContainsFunc(strings.Split(first, "\t"), isNoVariable)
		dialect.Plain = t.terms
	}
	t.rows = table.NewReader(r, dialect, c.opts.Limits, lines.Number())
	for _, comment := range comments {
		cells := strings.Split(comment, delimiter)
		if len(cells) > 1 && (rolesOf(cells).has(roleID) || knownVocabulary(cells, "") != nil) {
			t.header = cells
		}
	}
	t.readSample()
	return t, nil
}

// plainFormats are the formats of tables without header and quotes, with the end of each cell.
var plainFormats = map[Format]string{MRCONSO: "|", formatMRSTY: "|", formatMedDRA: "$"}

// dumpEnd ends the rows in NCBI's dumps, where a bar between tabs separates the cells.
const dumpEnd = "\t|"

// comments reads the comments above the rows.
func (c *collector) comments(r *bufio.Reader, lines *input.Lines) (comments []string, err error) {
	var size int64
	for {
		if head, err := r.Peek(1); err != nil || head[0] != '#' {
			return comments, nil
		}
		comment, err := c.nextLine(lines)
		if err != nil {
			return nil, err
		}
		comments = append(comments, strings.TrimSpace(strings.TrimLeft(comment, "#")))
		size += int64(len(comment))
		if err := c.opts.Limits.CheckRecord("the comments above the rows", size); err != nil {
			return nil, fmt.Errorf("line %d: %w", lines.Number(), err)
		}
	}
}

// firstLine returns as much of the next line as is in the buffer of r.
func firstLine(r *bufio.Reader) string {
	head, _ := r.Peek(r.Size())
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return strings.TrimSuffix(string(line), "\r")
}

// ErrDelimiter reports a table with an ambiguous delimiter.
var ErrDelimiter = errors.New("the delimiter is not certain")

// checkDelimiter returns an error unless the delimiter is empty or known.
func checkDelimiter(delimiter string) error {
	if delimiter == "" || len(delimiter) == 1 && strings.Contains(table.Delimiters, delimiter) {
		return nil
	}
	return fmt.Errorf("DictionaryOptions.Delimiter: delimiter is %q, want a tab, a comma, a semicolon or a bar", delimiter)
}

// delimiterOf returns the delimiter of the cells: a tab in TSV and in CTD files with tabs, or the delimiter that makes
// a header of a comment, or else the one that fits the rows.
func delimiterOf(r *bufio.Reader, c *collector, comments []string) (string, error) {
	if c.report.Format == TSV {
		return "\t", nil
	}
	for _, comment := range comments {
		if delimiter := table.Sniff([]byte(comment), isHeaderRow); delimiter != "" {
			return delimiter, nil
		}
	}
	head, _ := r.Peek(r.Size())
	if c.report.Format == formatCTD && strings.Contains(strings.Join(comments, "\n")+firstRow(head), "\t") {
		return "\t", nil
	}
	return sniffDelimiter(head)
}

// isHeaderRow reports whether cells are the header of a dictionary, or the first row of a known vocabulary.
func isHeaderRow(cells []string) bool {
	return rolesOf(cells).areNamed() || len(cells) > 1 && knownVocabulary(cells, "") != nil
}

// sniffDelimiter returns the delimiter of a table without tabs from the start of its text: the one that makes a header
// of the first row, or else the only one in the first row, or else the only one that gives all rows the same number of
// cells. A bar is a delimiter only in a header, because it also separates names in a cell.
func sniffDelimiter(head []byte) (string, error) {
	const sniffed = 100 // rows
	if delimiter := table.Sniff(head, isHeaderRow); delimiter != "" {
		return delimiter, nil
	}
	width, isRegular := make(map[string]int), make(map[string]bool)
	for _, delimiter := range []string{",", ";"} {
		rows := slices.DeleteFunc(table.FirstRows(head, delimiter, sniffed),
			func(cells []string) bool { return strings.HasPrefix(cells[0], "#") })
		if len(rows) > 0 {
			width[delimiter] = len(rows[0])
			isRegular[delimiter] = !slices.ContainsFunc(rows,
				func(cells []string) bool { return len(cells) != len(rows[0]) })
		}
	}
	switch byCommas, bySemicolons := width[","] > 1, width[";"] > 1; {
	case !bySemicolons, byCommas && isRegular[","] && !isRegular[";"]:
		return ",", nil // or a single column, which readRows handles
	case !byCommas, isRegular[";"] && !isRegular[","]:
		return ";", nil
	}
	return "", fmt.Errorf("%w: the first row %s has %d cells by commas and %d by semicolons", ErrDelimiter,
		input.Quote(firstRow(head)), width[","], width[";"])
}

// readSample reads the first rows, from which the columns are inferred.
func (t *tableFile) readSample() {
	var size int64
	for len(t.sample) < sampleRows && t.err == nil && size < t.c.opts.Limits.Record {
		size += t.readOne()
		if t.err == nil && t.header == nil && t.kind == "" && len(t.sample) == 1 && len(t.c.report.Errors) > 0 {
			t.sample, t.err = nil, t.c.report.Errors[0] // it may be the header
		}
	}
}

// readOne adds the next row to the sample, and returns its size.
func (t *tableFile) readOne() int64 {
	r, err := t.read()
	if t.err = err; err != nil {
		return 0
	}
	t.sample = append(t.sample, r)
	return r.Bytes()
}

// read returns the next row. Rows that cannot be parsed count as malformed rows and are skipped.
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
		switch {
		case err == nil && !ok && r.IsBlank():
			continue
		case !ok:
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
	for at := 0; ; at++ {
		if at == len(t.sample) {
			if t.sample, at = t.sample[:0], 0; t.err == nil {
				t.readOne()
			}
			if t.err == io.EOF {
				return nil
			}
			if t.err != nil {
				return t.err
			}
		}
		r := t.sample[at]
		if !t.plain {
			t.c.charge(int(r.Bytes()))
		}
		if err := do(r); err != nil {
			return err
		}
		if t.c.full != nil {
			return fmt.Errorf("line %d: %w", r.Line, t.c.full)
		}
	}
}

// readRows determines the columns of a table and reads its rows.
func (c *collector) readRows(t *tableFile) error {
	find := t.dictionaryColumns
	switch {
	case c.opts.edgesOnly:
		find = t.hierarchyColumns
	case len(c.opts.Columns) == 0 && c.report.Format != TSV && t.kind == "" && t.header == nil && t.width() == 1:
		find = t.nameColumn
	}
	cols, err := find()
	if err != nil {
		return err
	}
	t.marked = t.vocabulary == nil && slices.ContainsFunc(t.sample, func(r row) bool { return cols.isMarked(r) })
	if at := cols.first(roleMark); at >= 0 && !t.marked {
		cols[at] = roleUnused
	}
	t.describe(cols)
	t.floatIDs = t.vocabulary == nil && areFloats(t.sample, cols)
	if v := t.vocabulary; v != nil {
		if v.format == "" || v.format == dumpFormat {
			c.report.Vocabulary = v.name
		} else {
			c.report.Columns = nil // they are fixed by the format
		}
		if v.refused != "" && !c.opts.edgesOnly {
			return fmt.Errorf("the table is %s: %s", v.name, v.refused)
		}
		if err := t.checkSnapshot(); err != nil {
			return err
		}
	}
	t.last = t.lastDay()
	taken := len(t.sample) > 0 && strings.HasPrefix(t.sample[0].Cells[0], "#")
	err = t.each(func(r row) error {
		c.report.Rows++
		isComment := !taken && cols.first(roleID) <= 0 && strings.HasPrefix(r.Cells[0], "#")
		if isComment || r.Repeats(t.header) { // a row that is commented out, or a repeated header in concatenated files
			return nil
		}
		return t.addRow(r)
	})
	if err == nil && cols.has(roleID) && !cols.has(roleSynonyms) && !cols.has(rolePreferred) && !t.marked && c.concepts.Repeated {
		c.concepts.Unmark() // if a concept has several rows with one name each, none is preferred
	}
	return err
}

// firstCells returns the header from the comments, or else the cells of the first row.
func (t *tableFile) firstCells() []string {
	if t.header == nil && len(t.sample) > 0 {
		return t.sample[0].Cells
	}
	return t.header
}

// takeHeader moves the first row from the sample to the header, unless the comments contain the header.
func (t *tableFile) takeHeader() {
	if t.header == nil {
		t.header, t.sample = t.sample[0].Cells, t.sample[1:]
	}
}

// dictionaryColumns returns the columns of a dictionary: those chosen by the user, those of the header, or those
// inferred from its rows.
func (t *tableFile) dictionaryColumns() (columns, error) {
	t.completeHeader()
	if choices := t.c.opts.Columns; len(choices) > 0 {
		cols, headed, err := chooseColumns(t.firstCells(), choices)
		if err == nil && (headed || t.header == nil && isHeader(t.sample, cols.first(roleID))) {
			t.takeHeader()
		}
		return cols, err
	}
	if t.header == nil { // it may stand below rows with one cell, such as the title of a sheet
		var rows [][]string
		for _, r := range t.sample[:min(table.MaxTitle, len(t.sample))] {
			rows = append(rows, r.Cells)
		}
		t.sample = t.sample[max(0, table.Header(rows, isHeaderRow)):]
	}
	if cols := t.vocabularyColumns(); cols != nil {
		return cols, nil
	}
	if cols := rolesOf(t.firstCells()); cols.areNamed() {
		t.takeHeader()
		return cols, nil
	}
	switch bad := t.c.report.Errors; {
	case t.c.report.Format == JSONL, t.c.report.Format == formatJSON:
		return nil, newHeaderError(slices.Concat([]row{{Cells: t.header}}, t.sample), inferColumns(t.sample))
	case t.c.report.Format == formatCTD:
		return nil, fmt.Errorf("the file has no header line such as %q", "# DiseaseName\tDiseaseID\tAltDiseaseIDs")
	case len(bad) > 0 && len(t.sample) == 1:
		return nil, bad[0] // the first row is a header, and no other row can be read
	}
	t.header = nil
	cols := inferColumns(t.sample)
	isNarrow := func(r row) bool { return len(r.Cells) <= 3 } // columns after the third are not guessed
	switch {
	case isHeader(t.sample, cols.first(roleID)):
		return nil, newHeaderError(t.sample, cols)
	case t.c.report.Format == CSV && isProse(t.sample):
		return nil, errors.New("want a dictionary, got text: lines end as sentences do, and none begins with an id")
	case len(t.sample) > 0 && !slices.ContainsFunc(t.sample, isNarrow):
		return nil, newHeaderError(t.sample, cols)
	}
	return cols[:max(2, min(len(cols), t.width()))], nil
}

// vocabularyColumns returns the columns of a known vocabulary's table, or nil. It removes the header from the sample.
func (t *tableFile) vocabularyColumns() columns {
	first := t.firstCells()
	v := knownVocabulary(first, t.kind)
	if v == nil {
		return nil
	}
	if v.format != "" || v.begins != nil && v.begins.MatchString(strings.Join(first, "\t")) {
		t.header = v.header
	} else {
		t.takeHeader()
	}
	t.vocabulary, t.at = v, columnsOf(t.header)
	cols := make(columns, len(t.header))
	for name, role := range v.roles {
		if i, found := t.at[name]; found {
			cols[i] = role
		}
	}
	return cols
}

// HeaderError is the error for a table with a header whose names are unknown.
type HeaderError struct {
	Rows     [][]string // the header and up to 2 rows after it
	ID, Name int        // numbers, from 1, of the columns whose cells look like identifiers and names
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

// describe fills in the columns of the table, as many as its widest row has, for the report and the rows.
func (t *tableFile) describe(cols columns) {
	width := max(len(cols), len(t.header))
	if t.header == nil {
		width = t.width()
	}
	commas, sorted := 0, slices.Sorted(slices.Values(t.header)) // commas counts synonyms with commas, in the sample
	t.cols, t.described, t.states = cols, make([]Column, width), make([]role, width)
	for i := range t.described {
		if i < len(t.header) {
			t.described[i].Name = strings.TrimSpace(t.header[i])
		}
		if i >= len(cols) {
			continue
		}
		t.described[i].Role = string(cols[i])
		t.described[i].Separator = t.separator(i, cols[i], sorted)
		if cols[i] == roleStatus {
			t.states[i], _ = headerWords.Role(table.Plain(t.described[i].Name))
		}
		if t.vocabulary == nil && cols[i] == roleSynonyms && t.described[i].Separator == "" {
			commas += t.countCells(i, ", ")
		}
	}
	t.c.report.Columns = t.described
	if commas > 0 {
		t.c.note("read %d synonyms with commas as a single name each; DictionaryOptions.Separator , would split all names",
			commas)
	}
}

// width returns the number of cells in the widest row of the sample.
func (t *tableFile) width() int {
	width := 0
	for _, r := range t.sample {
		width = max(width, len(r.Cells))
	}
	return width
}

// countCells counts the cells of a column of the sample that contain text.
func (t *tableFile) countCells(column int, text string) int {
	n := 0
	for _, r := range t.sample {
		if column < len(r.Cells) && strings.Contains(r.Cells[column], text) {
			n++
		}
	}
	return n
}
