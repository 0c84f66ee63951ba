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
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// Row is a mention as a row of a table. Columns of a table that was read come first.
type Row struct {
	Source        []Column
	Numbers       []bool // whether each of Source is a number in a workbook; nil otherwise
	Document      string
	Start, End    int // as the input counts
	Text          string
	ResolvedText  string
	Type          string
	ID            string // of the concept; several for a composite mention, with "|" between them; empty for NIL
	PreferredName string
	MatchedName   string
	// what the method ranks by; of a composite mention, that of the sub-mention of Probability; 0 for NIL
	Score float64
	// of a composite mention, that of its least probable sub-mention; nil for NIL, and from methods that return none
	Probability *float64
	NIL         bool
	// of NIL, the name, id and probability of [linked.Broader]; of several sub-mentions, with "|" between them
	Broader       string
	BestEvidence  string
	MentionSource string   // [linked.Mention].Source
	Recognition   *float64 // [linked.Mention].RecognitionScore; nil unless the mention was recognized
	Assertion     linked.Assertion
	Xrefs         string // of the concept, with "|" between them
	// the candidates of which none is ID: name, id, and probability or else score, with "|" between them
	Others string
}

// RowColumns are the columns of a [Row] after those of its source. Those that [WriterOptions] add follow.
var RowColumns = []string{
	"document", "start", "end", "text", "resolved_text", "type", "id", "preferred_name", "matched_name", "score",
	"probability", "nil", "broader", "best_evidence",
}

// Rows returns a row for each mention of a linked record. A row of a table without a mention
// stays one row.
func Rows(record *Record, d *linked.Document) []Row {
	l := newLinkedRecord(record, d)
	rows := make([]Row, len(l.Mentions))
	for i := range l.Mentions {
		m := &l.Mentions[i]
		r := Row{
			Source: l.Columns, Numbers: l.Numbers, Document: l.ID, MentionSource: m.Source, Assertion: m.Assertion,
			Start: m.Start, End: m.End, Text: m.Text, ResolvedText: m.ResolvedText, Type: m.Type,
			PreferredName: joinBest(m, "|", "", func(c *linked.Candidate) string { return c.Name }),
			MatchedName:   joinBest(m, "|", "", func(c *linked.Candidate) string { return c.MatchedName }),
			ID:            joinBest(m, "|", "", func(c *linked.Candidate) string { return string(c.Concept) }),
		}
		if m.SourceStart != nil && m.SourceEnd != nil {
			r.Start, r.End = *m.SourceStart, *m.SourceEnd
		}
		if r.ResolvedText == "" {
			r.ResolvedText = m.Text
		}
		if m.Source == linked.SourceRecognized {
			r.Recognition = new(linked.Rounded(m.RecognitionScore))
		}
		r.NIL, r.Broader, r.Others = r.ID == "", broaderOf(m), othersOf(m)
		for k, c := range m.Best() {
			if c == nil {
				r.Score, r.Probability, r.Xrefs = 0, nil, ""
				break
			}
			if k == 0 || cmp.Or(compareProbabilities(probabilityOf(c), r.Probability),
				cmp.Compare(linked.Rounded(c.Score), r.Score)) < 0 {
				r.Score, r.Probability = linked.Rounded(c.Score), probabilityOf(c)
			}
			for _, xref := range c.Xrefs {
				r.Xrefs += strings.Repeat("|", min(len(r.Xrefs), 1)) + string(xref)
			}
			if r.BestEvidence == "" && len(c.Evidence) > 0 {
				r.BestEvidence = c.Evidence[0].Text
			}
		}
		rows[i] = r
	}
	if len(rows) == 0 && l.Columns != nil {
		rows = append(rows, Row{Source: l.Columns, Numbers: l.Numbers, Document: l.ID, NIL: true})
	}
	return rows
}

// broaderOf returns the name, the id and the probability of the concept above a NIL mention: "anemia (D000740) 0.36".
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

// othersOf returns the candidates of a mention after those that it is linked to.
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

// probabilityOf returns the probability of a candidate, rounded; nil from methods that return
// none.
func probabilityOf(c *linked.Candidate) *float64 {
	if c.Probability == 0 {
		return nil
	}
	return new(linked.Rounded(c.Probability))
}

// compareProbabilities compares two probabilities, of which none is the lowest.
func compareProbabilities(a, b *float64) int {
	switch {
	case a != nil && b != nil:
		return cmp.Compare(*a, *b)
	case a != nil:
		return 1
	case b != nil:
		return -1
	}
	return 0
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

// Header is the names of a table's columns: those of its sources, by default of the first row's, followed by
// [RowColumns] and those that the options add.
type Header struct {
	added  []addedColumns
	source []string
	known  bool
}

// NewHeader returns the header of a table that is written with these options.
func NewHeader(o *WriterOptions) Header {
	return Header{added: columnsAddedBy(o), source: o.Columns, known: o.Columns != nil}
}

// addedColumns are the columns of a table that an option adds.
type addedColumns struct {
	names []string
	cells func(r *Row) []any // strings, numbers and booleans; nil for an empty cell
}

// columnsAddedBy returns the columns that the options add, in their order.
func columnsAddedBy(o *WriterOptions) []addedColumns {
	var added []addedColumns
	add := func(option bool, cells func(r *Row) []any, names ...string) {
		if option {
			added = append(added, addedColumns{names, cells})
		}
	}
	add(o.Recognition, func(r *Row) []any {
		if r.Recognition == nil {
			return []any{r.MentionSource, nil}
		}
		return []any{r.MentionSource, *r.Recognition}
	}, "mention_source", "recognition_score")
	add(o.Assertion, func(r *Row) (cells []any) {
		for _, set := range r.Assertion.AttributeValues() {
			cells = append(cells, set)
		}
		return cells
	}, linked.AssertionNames...)
	add(o.Xrefs, func(r *Row) []any { return []any{r.Xrefs} }, "xrefs")
	add(o.OtherCandidates, func(r *Row) []any { return []any{r.Others} }, "other_candidates")
	return added
}

// Added returns the cells of the columns that the options add, in their order: strings, numbers and booleans; nil for
// an empty cell.
func (h *Header) Added(r *Row) []any {
	var cells []any
	for _, columns := range h.added {
		cells = append(cells, columns.cells(r)...)
	}
	return cells
}

// Columns returns the names of the columns, given the first row. A column that has a name of
// [RowColumns], or that is taken, is called "source_" and its name.
func (h *Header) Columns(first *Row) []string {
	if !h.known {
		h.known = true
		for _, c := range first.Source {
			h.source = append(h.source, c.Name)
		}
	}
	own := slices.Clip(RowColumns)
	for _, columns := range h.added {
		own = append(own, columns.names...)
	}
	names := make([]string, 0, len(h.source)+len(own))
	for _, name := range h.source {
		for slices.Contains(own, name) || slices.Contains(names, name) {
			name = "source_" + name
		}
		names = append(names, name)
	}
	return append(names, own...)
}

// Source returns the cells of a row's source in the order of the columns, and whether each is a number in a workbook.
// It refuses a row with a column that the header has not.
func (h *Header) Source(r *Row) (cells []string, numbers []bool, err error) {
	cells, numbers = make([]string, len(h.source)), make([]bool, len(h.source))
	for at, c := range r.Source {
		i := at
		if i >= len(h.source) || h.source[i] != c.Name {
			i = slices.Index(h.source, c.Name)
		}
		if i < 0 {
			return nil, nil, fmt.Errorf("document %q has a column %q, which the table has not, as its first document "+
				"has not: tables of different columns need outputs of their own", r.Document, c.Name)
		}
		cells[i], numbers[i] = c.Value, r.Numbers != nil && r.Numbers[at]
	}
	return cells, numbers, nil
}

// tsvOutput is a row a mention, with tabs between the cells.
var tsvOutput = OutputFormat{
	Name: TSV, Extensions: []string{".tsv"}, MIME: "text/tab-separated-values; charset=utf-8",
	New: newTableWriter('\t'),
}

// csvOutput is a row a mention, as RFC 4180 has it.
var csvOutput = OutputFormat{
	Name: CSV, Extensions: []string{".csv"}, MIME: "text/csv; charset=utf-8", New: newTableWriter(','),
}

// newTableWriter returns what makes writers of a row a mention.
func newTableWriter(delimiter rune) func(w io.Writer, o WriterOptions) Writer {
	return func(w io.Writer, o WriterOptions) Writer {
		return &tableWriter{output: newOutput(w), delimiter: delimiter, options: o, header: NewHeader(&o)}
	}
}

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

// tableWriter writes a row a mention, as CSV (RFC 4180) or with tabs.
type tableWriter struct {
	*output
	delimiter rune
	options   WriterOptions
	header    Header
	csv       *csv.Writer
}

// Write implements [Writer].
func (w *tableWriter) Write(r *Record, d *linked.Document) error {
	w.options.lostControls(r.ID, r.Text)
	for _, row := range Rows(r, d) {
		if err := w.begin(&row); err != nil {
			return err
		}
		cells, _, err := w.header.Source(&row)
		if err != nil {
			return err
		}
		start, end := strconv.Itoa(row.Start), strconv.Itoa(row.End)
		cells = append(cells, row.Document, start, end, row.Text, row.ResolvedText, row.Type, row.ID, row.PreferredName,
			row.MatchedName,
			number(row.Score), optional(row.Probability), strconv.FormatBool(row.NIL), row.Broader, row.BestEvidence)
		for _, cell := range w.header.Added(&row) {
			if cell == nil {
				cell = ""
			}
			cells = append(cells, fmt.Sprint(cell))
		}
		if err := w.row(cells); err != nil {
			return err
		}
	}
	return w.flush()
}

func (w *tableWriter) begin(first *Row) error {
	if w.csv != nil {
		return nil
	}
	w.csv = csv.NewWriter(w.output)
	w.csv.Comma = w.delimiter
	return w.row(w.header.Columns(first))
}

// number returns a number as a cell; 0 is none.
func number(x float64) string {
	if x == 0 {
		return ""
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// optional returns a number as a cell; nil is none.
func optional(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'f', -1, 64)
}

// row writes cells. Those of TSV have spaces for tabs and line breaks, so that a row is a line.
func (w *tableWriter) row(cells []string) error {
	for i := range cells {
		cells[i] = printable(cells[i])
	}
	if w.delimiter == '\t' {
		for i := range cells {
			cells[i] = oneLine(cells[i])
		}
	}
	for i, cell := range cells {
		switch {
		case !isFormula(cell):
		case w.options.SpreadsheetSafe:
			cells[i] = "'" + cell
		case w.options.Formula != nil:
			w.options.Formula(cell)
		}
	}
	return w.csv.Write(cells)
}

func (w *tableWriter) flush() error {
	if w.csv != nil {
		w.csv.Flush()
		if err := w.csv.Error(); err != nil {
			return err
		}
	}
	return w.Flush()
}

// Close implements [Writer].
func (w *tableWriter) Close() error {
	if err := w.begin(&Row{}); err != nil {
		return err
	}
	return w.flush()
}
