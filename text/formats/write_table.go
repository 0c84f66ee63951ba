package formats

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// TableColumn is a column of the tables that are written: CSV, TSV, XLSX and Parquet. Those of a table that was read come
// first.
type TableColumn struct {
	Name string
	// Repeats says that a value is often that of the row before.
	Repeats bool
	// of a row: a string, an int, a bool or a *float64, which is nil for an empty cell
	cell func(*tableRow) any
}

// tableRow is a mention as the columns see it. A row of a table without a mention has an empty one.
type tableRow struct {
	*linkedRecord
	*linked.Mention
	// what the method ranks by; of a composite mention, that of the sub-mention of probability; 0 for NIL
	score float64
	// of a composite mention, that of its least probable sub-mention; 0 for NIL, and from methods that return none
	probability float64
}

// rowColumns are the columns of every table.
var rowColumns = []TableColumn{
	{Name: "document", cell: func(r *tableRow) any { return r.Record.ID }},
	{Name: "start", cell: func(r *tableRow) any { return inputOffset(r.SourceStart, r.SourceEnd, r.Start) }},
	{Name: "end", cell: func(r *tableRow) any { return inputOffset(r.SourceEnd, r.SourceStart, r.End) }},
	{Name: "text", cell: func(r *tableRow) any { return r.Mention.Text }},
	{Name: "resolved_text", cell: func(r *tableRow) any { return cmp.Or(r.ResolvedText, r.Mention.Text) }},
	{Name: "type", Repeats: true, cell: func(r *tableRow) any { return r.Type }},
	{Name: "id", Repeats: true, cell: func(r *tableRow) any {
		return joinBest(r.Mention, "|", "", func(c *linked.Candidate) string { return string(c.Concept) })
	}},
	{Name: "preferred_name", Repeats: true, cell: func(r *tableRow) any {
		return joinBest(r.Mention, "|", "", func(c *linked.Candidate) string { return c.Name })
	}},
	{Name: "matched_name", Repeats: true, cell: func(r *tableRow) any {
		return joinBest(r.Mention, "|", "", func(c *linked.Candidate) string { return c.MatchedName })
	}},
	{Name: "score", cell: func(r *tableRow) any { return optional(linked.Rounded(r.score)) }},
	{Name: "probability", cell: func(r *tableRow) any { return optional(r.probability) }},
	{Name: "nil", cell: func(r *tableRow) any { return linkedID(r.Mention) == none }},
	{Name: "broader", cell: func(r *tableRow) any { return broaderOf(r.Mention) }},
	{Name: "best_evidence", cell: func(r *tableRow) any { return firstEvidence(r.Mention) }},
}

// columnsAddedBy returns the columns that the options add, in their order.
func columnsAddedBy(o *WriterOptions) (added []TableColumn) {
	if o.Recognition {
		added = append(added, TableColumn{Name: "mention_source", Repeats: true, cell: func(r *tableRow) any { return r.Source }},
			TableColumn{Name: "recognition_score", cell: func(r *tableRow) any {
				if r.Source != linked.SourceRecognized {
					return (*float64)(nil)
				}
				return new(linked.Rounded(r.RecognitionScore))
			}})
	}
	for i, name := range linked.AssertionNames {
		if o.Assertion {
			added = append(added, TableColumn{Name: name, cell: func(r *tableRow) any { return r.AttributeValues()[i] }})
		}
	}
	if o.Xrefs {
		added = append(added, TableColumn{Name: "xrefs", Repeats: true, cell: func(r *tableRow) any { return xrefsOf(r.Mention) }})
	}
	if o.OtherCandidates {
		added = append(added, TableColumn{Name: "other_candidates", cell: func(r *tableRow) any { return othersOf(r.Mention) }})
	}
	return added
}

// inputOffset returns an offset as the input counts it, if it counts both ends otherwise.
func inputOffset(source, other *int, offset int) int {
	if source == nil || other == nil {
		return offset
	}
	return *source
}

// optional returns a number as a cell, rounded; 0 is none.
func optional(x float64) *float64 {
	if x == 0 {
		return nil
	}
	return new(linked.Rounded(x))
}

// broaderOf returns the name, the id and the probability of the concept above a NIL mention: "anemia (D000740) 0.36". Of
// several sub-mentions they have "|" between them.
func broaderOf(m *linked.Mention) string {
	var all []string
	for _, b := range m.Above() {
		if b != nil {
			all = append(all, conceptCell(b.Name, b.Concept, b.Probability))
		}
	}
	return strings.Join(all, "|")
}

// conceptCell returns a concept with a number as a cell has it.
func conceptCell(name string, id kb.ConceptID, number float64) string {
	return fmt.Sprintf("%s (%s) %.2f", name, id, number)
}

// othersOf returns the candidates of which none is what the mention is linked to, with "|" between them.
func othersOf(m *linked.Mention) string {
	best := m.Best()
	var others []string
	for i := range m.Candidates {
		c := &m.Candidates[i]
		if !slices.ContainsFunc(best, func(b *linked.Candidate) bool { return b != nil && b.Concept == c.Concept }) {
			others = append(others, conceptCell(c.Name, c.Concept, cmp.Or(c.Probability, c.Score)))
		}
	}
	return strings.Join(others, "|")
}

// xrefsOf returns the identifiers of the concept in other vocabularies, with "|" between them; none if a part is NIL.
func xrefsOf(m *linked.Mention) string {
	var all []string
	for _, c := range m.Best() {
		if c == nil {
			return ""
		}
		for _, xref := range c.Xrefs {
			all = append(all, string(xref))
		}
	}
	return strings.Join(all, "|")
}

// firstEvidence returns the first evidence of the sub-mentions before one that is NIL.
func firstEvidence(m *linked.Mention) string {
	for _, c := range m.Best() {
		switch {
		case c == nil:
			return ""
		case len(c.Evidence) > 0:
			return c.Evidence[0].Text
		}
	}
	return ""
}

// least sets score and probability of a row.
func (r *tableRow) least() {
	for i, c := range r.Best() {
		if c == nil {
			r.score, r.probability = 0, 0
			break
		}
		if i == 0 || cmp.Or(cmp.Compare(linked.Rounded(c.Probability), linked.Rounded(r.probability)),
			cmp.Compare(linked.Rounded(c.Score), linked.Rounded(r.score))) < 0 {
			r.score, r.probability = c.Score, c.Probability
		}
	}
}

// attributesOf returns the names of what is true of a mention beside its concepts: of its assertion, and that it was
// recognized.
func attributesOf(m *linked.Mention) []string {
	names := m.Attributes()
	if m.Source == linked.SourceRecognized {
		names = append(names, linked.SourceRecognized)
	}
	return names
}

// Table lays linked records out as rows.
type Table struct {
	// Columns are those after the columns of the source.
	Columns []TableColumn
	source  []string // names of the columns of the source: by default those of the first row
	known   bool
}

// NewTable returns a table that is written with these options.
func NewTable(o *WriterOptions) *Table {
	return &Table{Columns: slices.Concat(rowColumns, columnsAddedBy(o)), source: o.Columns, known: o.Columns != nil}
}

// RowColumns returns the names of the columns that every table has.
func RowColumns() (names []string) {
	for _, c := range rowColumns {
		names = append(names, c.Name)
	}
	return names
}

// Row is a row of a [Table].
type Row struct {
	Document string
	Source   []Column // of a table that was read
	Cells    []any    // of the columns of the table: strings, ints, bools, and *float64, nil for an empty cell
}

// Rows returns a row for each mention of a linked record. A row of a table without a mention stays one row.
func (t *Table) Rows(record *Record, d *linked.Document) []Row {
	l := newLinkedRecord(record, d)
	mentions := l.Mentions
	if len(mentions) == 0 && l.Columns != nil {
		mentions = make([]linked.Mention, 1)
	}
	rows := make([]Row, len(mentions))
	for i := range mentions {
		r := tableRow{linkedRecord: l, Mention: &mentions[i]}
		r.least()
		rows[i] = Row{Document: l.ID, Source: l.Columns, Cells: t.cells(&r)}
	}
	return rows
}

// Empty returns the cells of a row without anything, which have the types of the columns.
func (t *Table) Empty() []any {
	return t.cells(&tableRow{linkedRecord: &linkedRecord{Record: NewRecord(&text.Document{})}, Mention: &linked.Mention{}})
}

func (t *Table) cells(r *tableRow) []any {
	cells := make([]any, len(t.Columns))
	for i := range t.Columns {
		cells[i] = t.Columns[i].cell(r)
	}
	return cells
}

// Names returns the names of all columns, given the first row. A column of the source that has a name of the others, or
// that is taken, is called "source_" and its name.
func (t *Table) Names(first *Row) []string {
	if !t.known {
		t.known = true
		for _, c := range first.Source {
			t.source = append(t.source, c.Name)
		}
	}
	var own, names []string
	for _, c := range t.Columns {
		own = append(own, c.Name)
	}
	for _, name := range t.source {
		for slices.Contains(own, name) || slices.Contains(names, name) {
			name = "source_" + name
		}
		names = append(names, name)
	}
	return append(names, own...)
}

// SourceCells returns the cells of a row's source in the order of the columns. It refuses a row with a column that the
// table has not.
func (t *Table) SourceCells(r *Row) ([]Column, error) {
	cells := make([]Column, len(t.source))
	for at, c := range r.Source {
		i := at
		if i >= len(t.source) || t.source[i] != c.Name {
			i = slices.Index(t.source, c.Name)
		}
		if i < 0 {
			return nil, fmt.Errorf("document %q has a column %q, which the table has not, as its first document "+
				"has not: tables of different columns need outputs of their own", r.Document, c.Name)
		}
		cells[i] = c
	}
	return cells, nil
}

var (
	// tsvOutput is a row a mention, with tabs between the cells.
	tsvOutput = OutputFormat{
		Name: TSV, Extensions: []string{".tsv"}, MIME: "text/tab-separated-values; charset=utf-8",
		New: func(w io.Writer, o WriterOptions) Writer { return newTableWriter(w, '\t', o) },
	}
	// csvOutput is a row a mention, as RFC 4180 has it.
	csvOutput = OutputFormat{
		Name: CSV, Extensions: []string{".csv"}, MIME: "text/csv; charset=utf-8",
		New: func(w io.Writer, o WriterOptions) Writer { return newTableWriter(w, ',', o) },
	}
)

// isFormula reports whether a spreadsheet that opens a CSV file takes a cell for a formula, which
// can run programs and send data ("CSV injection", OWASP): it begins with =, +, -, @, a tab or
// a carriage return, and is not a number.
func isFormula(cell string) bool {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return false
	}
	_, err := strconv.ParseFloat(cell, 64)
	return err != nil
}

// csvFile is a file of CSV with a header.
type csvFile struct {
	*output
	csv    *csv.Writer
	header []string // nil once it was written
}

func newCSVFile(w io.Writer, header ...string) csvFile {
	out := newOutput(w)
	return csvFile{out, csv.NewWriter(out), header}
}

// writeRows writes the header, if it was not written, and rows.
func (f *csvFile) writeRows(rows ...[]string) error {
	if f.header != nil {
		rows, f.header = slices.Insert(rows, 0, f.header), nil
	}
	if err := f.csv.WriteAll(rows); err != nil {
		return err
	}
	return f.Flush()
}

// Close implements [Writer].
func (f *csvFile) Close() error { return f.writeRows() }

// tableWriter writes a row a mention, as CSV (RFC 4180) or with tabs.
type tableWriter struct {
	csvFile
	options WriterOptions
	table   *Table
	begun   bool
}

func newTableWriter(w io.Writer, delimiter rune, o WriterOptions) Writer {
	t := &tableWriter{csvFile: newCSVFile(w), options: o, table: NewTable(&o)}
	t.csv.Comma = delimiter
	return t
}

// Write implements [Writer].
func (w *tableWriter) Write(r *Record, d *linked.Document) error {
	w.options.lostControls(r.ID, r.Text)
	var rows [][]string
	for _, row := range w.table.Rows(r, d) {
		rows = append(rows, w.begin(&row)...)
		source, err := w.table.SourceCells(&row)
		if err != nil {
			return err
		}
		var cells []string
		for _, cell := range source {
			cells = append(cells, cell.Value)
		}
		for _, cell := range row.Cells {
			switch cell := cell.(type) {
			case *float64:
				if cell == nil {
					cells = append(cells, "")
				} else {
					cells = append(cells, strconv.FormatFloat(*cell, 'f', -1, 64))
				}
			default:
				cells = append(cells, fmt.Sprint(cell))
			}
		}
		rows = append(rows, w.safe(cells))
	}
	return w.writeRows(rows...)
}

// begin returns the header, given the first row, once.
func (w *tableWriter) begin(first *Row) [][]string {
	if w.begun {
		return nil
	}
	w.begun = true
	return [][]string{w.safe(w.table.Names(first))}
}

// safe returns cells as they are written. Those of TSV have spaces for tabs and line breaks, so that a row is a line.
func (w *tableWriter) safe(cells []string) []string {
	for i, cell := range cells {
		cell = printable(cell)
		if w.csv.Comma == '\t' {
			cell = oneLine(cell)
		}
		switch {
		case !isFormula(cell):
		case w.options.SpreadsheetSafe:
			cell = "'" + cell
		case w.options.Formula != nil:
			w.options.Formula(cell)
		}
		cells[i] = cell
	}
	return cells
}

// Close implements [Writer].
func (w *tableWriter) Close() error { return w.writeRows(w.begin(&Row{})...) }
