package formats

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// tableColumn is a column of the tables that are written: CSV, TSV, XLSX and Parquet. The columns of a table that was
// read come first.
type tableColumn struct {
	name    string
	repeats bool                // a value is often the same as in the previous row
	cell    func(*tableRow) any // a string, an int, a bool, or a *bool or *float64, which is nil for an empty cell
}

// tableRow is a mention in the form that the columns need. A table row without a mention has an empty one.
type tableRow struct {
	*linkedRecord
	*linked.Mention
	// the value that the method ranks by; for a composite mention that of its least probable sub-mention; 0 for NIL
	score float64
	// likewise; 0 for NIL, and for methods without probabilities
	probability float64
	hasRules    bool // the text may be in a language with assertion rules
}

// rowColumns are the columns of every table.
var rowColumns = []tableColumn{
	{name: "document", cell: func(r *tableRow) any { return r.Record.ID }},
	{name: "start", cell: func(r *tableRow) any { return inputOffset(r.SourceStart, r.SourceEnd, r.Start) }},
	{name: "end", cell: func(r *tableRow) any { return inputOffset(r.SourceEnd, r.SourceStart, r.End) }},
	{name: "text", cell: func(r *tableRow) any { return r.Mention.Text }},
	{name: "resolved_text", cell: func(r *tableRow) any { return cmp.Or(r.ResolvedText, r.Mention.Text) }},
	{name: "type", repeats: true, cell: func(r *tableRow) any { return r.Type }},
	{name: "id", repeats: true, cell: func(r *tableRow) any { return joinBest(r.Mention, "|", "", idOf) }},
	{name: "preferred_name", repeats: true, cell: func(r *tableRow) any { return joinBest(r.Mention, "|", "", nameOf) }},
	{name: "matched_name", repeats: true, cell: func(r *tableRow) any {
		return joinBest(r.Mention, "|", "", func(c *linked.Candidate) string { return c.MatchedName })
	}},
	{name: "score", cell: func(r *tableRow) any { return optional(linked.Rounded(r.score)) }},
	{name: "probability", cell: func(r *tableRow) any { return optional(r.probability) }},
	{name: "nil", cell: func(r *tableRow) any { return linkedID(r.Mention) == none }},
	{name: "suggested_id", cell: func(r *tableRow) any { return joinBest(suggestedOf(r.Mention), "|", "", idOf) }},
	{name: "suggested_name", cell: func(r *tableRow) any { return joinBest(suggestedOf(r.Mention), "|", "", nameOf) }},
	{name: "suggested_probability", cell: func(r *tableRow) any {
		suggested := tableRow{Mention: suggestedOf(r.Mention)}
		suggested.least()
		return optional(suggested.probability)
	}},
	{name: "broader", cell: func(r *tableRow) any { return broaderOf(r.Mention) }},
	{name: "best_evidence", cell: func(r *tableRow) any { return firstEvidence(r.Mention) }},
}

// reviewed is the value of the column review for a row that needs review.
const reviewed = "yes"

// columnsAddedBy returns the columns that the options add, in order.
func columnsAddedBy(o *WriterOptions) []tableColumn {
	asserts := o.Assertion
	added := []tableColumn{{name: "review", cell: func(r *tableRow) any {
		if r.IsUnsure() || !asserts && len(r.Attributes()) > 0 { // which no column shows
			return reviewed
		}
		return "no"
	}}}
	if o.Recognition {
		added = append(added, tableColumn{name: "mention_source", repeats: true, cell: func(r *tableRow) any { return r.Source }},
			tableColumn{name: "recognition_score", cell: func(r *tableRow) any {
				if r.Source != linked.SourceRecognized {
					return (*float64)(nil)
				}
				return new(linked.Rounded(r.RecognitionScore))
			}})
	}
	for i, name := range linked.AssertionNames {
		if o.Assertion {
			added = append(added, tableColumn{name: name, cell: func(r *tableRow) any {
				if !r.hasRules && len(r.Attributes()) == 0 {
					return (*bool)(nil)
				}
				return new(r.AttributeValues()[i])
			}})
		}
	}
	if o.Correction {
		added = append(added, tableColumn{name: "corrected", cell: func(r *tableRow) any { return r.Corrected.String() }})
	}
	if o.Xrefs {
		added = append(added, tableColumn{name: "xrefs", repeats: true, cell: func(r *tableRow) any { return xrefsOf(r.Mention) }})
	}
	if o.OtherCandidates {
		added = append(added, tableColumn{name: "other_candidates", cell: func(r *tableRow) any { return othersOf(r.Mention) }})
	}
	return added
}

// inputOffset returns an offset in the unit of the input if the input gives both ends, and otherwise offset.
func inputOffset(source, other *int, offset int) int {
	if source == nil || other == nil {
		return offset
	}
	return *source
}

// optional returns a rounded number as a cell, or nil for 0.
func optional(x float64) *float64 {
	if x == 0 {
		return nil
	}
	return new(linked.Rounded(x))
}

// broaderOf returns the name, id and probability of the concept above a NIL mention: "anemia (D000740) 0.36". It joins
// those of several sub-mentions by "|".
func broaderOf(m *linked.Mention) string {
	var all []string
	for _, l := range m.Links() {
		if b := l.Broader; b != nil {
			all = append(all, conceptCell(b.Name, b.Concept, b.Probability))
		}
	}
	return strings.Join(all, "|")
}

// suggestedOf returns a copy of a mention whose candidates are the suggested ones.
func suggestedOf(m *linked.Mention) *linked.Mention {
	suggested := &linked.Mention{Candidates: m.Suggested, SubMentions: slices.Clone(m.SubMentions)}
	for i := range suggested.SubMentions {
		suggested.SubMentions[i].Candidates = suggested.SubMentions[i].Suggested
	}
	return suggested
}

// conceptCell formats a concept with a number as a cell.
func conceptCell(name string, id kb.ConceptID, number float64) string {
	return fmt.Sprintf("%s (%s) %.2f", name, id, number)
}

// othersOf returns the candidates to which the mention was not linked, joined by "|".
func othersOf(m *linked.Mention) string {
	best := m.Best()
	var others []string
	for i := range m.Candidates {
		c := &m.Candidates[i]
		if !slices.ContainsFunc(best, func(b *linked.Candidate) bool { return b != nil && b.Concept == c.Concept }) {
			others = append(others, conceptCell(c.Name, c.Concept, c.Certainty()))
		}
	}
	return strings.Join(others, "|")
}

// xrefsOf returns the concepts' identifiers in other vocabularies, joined by "|", or "" if a sub-mention is NIL.
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

// firstEvidence returns the first evidence of the sub-mentions. It stops at a sub-mention that is NIL.
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

// least sets the score and probability of a row.
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

// attributesOf returns the names of a mention's attributes: those of its assertion, and "recognized" if it was
// recognized.
func attributesOf(m *linked.Mention) []string {
	names := m.Attributes()
	if m.Source == linked.SourceRecognized {
		names = append(names, linked.SourceRecognized)
	}
	return names
}

// tableWriter writes one row per mention. A row of a table without a mention stays one row.
type tableWriter struct {
	options WriterOptions
	columns []tableColumn // without those of the source
	source  []string      // column names of the source: by default those of the first row
	begun   bool
	mapped  bool // the file stores all cells of the source in one column
	rows    rowFile
}

// rowFile is a file of rows: CSV, TSV, XLSX or Parquet.
type rowFile interface {
	begin(names []string) error // with the names of the columns
	row(document string, source []Column, cells []any) error
	flush() error // at the end of a document
	Close() error
}

func newTableWriter(rows rowFile, o *WriterOptions) *tableWriter {
	return &tableWriter{options: *o, columns: columnsOf(o), source: o.Columns, rows: rows}
}

// columnsOf returns the columns of a table written with these options.
func columnsOf(o *WriterOptions) []tableColumn { return slices.Concat(rowColumns, columnsAddedBy(o)) }

// Write implements [Writer].
func (w *tableWriter) Write(r *Record, d *linked.Document) error {
	w.options.lostControls(r.ID, r.Text)
	l := newLinkedRecord(r, d)
	mentions := l.Mentions
	if len(mentions) == 0 && l.Columns != nil {
		mentions = make([]linked.Mention, 1)
	}
	hasRules := w.options.Assertion && language.MayAssert(l.Text)
	for i := range mentions {
		row := tableRow{linkedRecord: l, Mention: &mentions[i], hasRules: hasRules}
		row.least()
		source, err := w.sourceCells(l)
		if err == nil {
			err = w.rows.row(l.ID, source, cellsOf(w.columns, &row))
		}
		if err != nil {
			return err
		}
	}
	return w.rows.flush()
}

// cellsOf returns the cells of a row.
func cellsOf(columns []tableColumn, r *tableRow) []any {
	cells := make([]any, len(columns))
	for i := range columns {
		cells[i] = columns[i].cell(r)
	}
	return cells
}

// valueOf returns the value of a cell, nil for an empty one.
func valueOf(cell any) any {
	if v := reflect.ValueOf(cell); v.Kind() != reflect.Pointer {
		return cell
	} else if !v.IsNil() {
		return v.Elem().Interface()
	}
	return nil
}

// begin writes the names of all columns; source is the first row's. A source column with the name of another column
// gets the prefix "source_".
func (w *tableWriter) begin(source []Column) error {
	if w.begun {
		return nil
	}
	w.begun = true
	if w.source == nil {
		for _, c := range source {
			w.source = append(w.source, c.Name)
		}
	}
	var own, names []string
	for _, c := range w.columns {
		own = append(own, c.name)
	}
	for _, name := range w.source {
		for slices.Contains(own, name) || slices.Contains(names, name) {
			name = "source_" + name
		}
		names = append(names, name)
	}
	return w.rows.begin(append(names, own...))
}

// sourceCells returns the source cells of a row in the order of the columns. It refuses a row with a column that is not
// in the table.
func (w *tableWriter) sourceCells(r *linkedRecord) ([]Column, error) {
	if err := w.begin(r.Columns); err != nil || w.mapped {
		return r.Columns, err
	}
	cells := make([]Column, len(w.source))
	for at, c := range r.Columns {
		i := at
		if i >= len(w.source) || w.source[i] != c.Name {
			i = slices.Index(w.source, c.Name)
		}
		if i < 0 {
			return nil, fmt.Errorf("document %q has a column %q, which the first document does not have: "+
				"write tables with different columns to separate outputs", r.ID, c.Name)
		}
		cells[i] = c
	}
	return cells, nil
}

// Close implements [Writer].
func (w *tableWriter) Close() error {
	if err := w.begin(nil); err != nil {
		return err
	}
	return w.rows.Close()
}

// isFormula reports whether a spreadsheet that opens a CSV file would take a cell for a formula, which can run programs
// and send data ("CSV injection", OWASP): it begins with =, +, -, @, a tab or a carriage return, and is not a number.
func isFormula(cell string) bool {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return false
	}
	_, err := strconv.ParseFloat(cell, 64)
	return err != nil
}

// csvFile is a CSV file with a header.
type csvFile struct {
	*output
	csv    *csv.Writer
	header []string // nil once it has been written
}

func newCSVFile(w io.Writer, header ...string) csvFile {
	out := newOutput(w)
	return csvFile{out, csv.NewWriter(out), header}
}

// writeRows writes rows, preceded by the header if it has not been written.
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

// csvTable writes the rows of a table as CSV (RFC 4180) or TSV.
type csvTable struct {
	csvFile
	options WriterOptions
}

// newCSVTable returns a function that makes a table writer with a delimiter.
func newCSVTable(delimiter rune) func(io.Writer, WriterOptions) Writer {
	return func(w io.Writer, o WriterOptions) Writer {
		t := &csvTable{newCSVFile(w), o}
		t.csv.Comma = delimiter
		return newTableWriter(t, &o)
	}
}

func (t *csvTable) begin(names []string) error {
	return t.csv.Write(t.safe(names))
}

func (t *csvTable) row(_ string, source []Column, cells []any) error {
	var row []string
	for _, cell := range source {
		row = append(row, cell.Value)
	}
	for _, cell := range cells {
		switch value := valueOf(cell).(type) {
		case nil:
			row = append(row, "")
		case float64:
			row = append(row, strconv.FormatFloat(value, 'f', -1, 64))
		default:
			row = append(row, fmt.Sprint(value))
		}
	}
	return t.csv.Write(t.safe(row))
}

func (t *csvTable) flush() error { return t.writeRows() }

// safe prepares cells for writing. In TSV it replaces tabs and line breaks by spaces, so that a row is a line.
func (t *csvTable) safe(cells []string) []string {
	for i, cell := range cells {
		cell = printable(cell)
		if t.csv.Comma == '\t' {
			cell = oneLine(cell)
		}
		switch {
		case !isFormula(cell):
		case t.options.SpreadsheetSafe:
			cell = "'" + cell
		case t.options.Formula != nil:
			t.options.Formula(cell)
		}
		cells[i] = cell
	}
	return cells
}
