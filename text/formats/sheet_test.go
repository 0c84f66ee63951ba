package formats

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// linkedTable returns the linked rows of a table.
func linkedTable(t *testing.T) (docs []*linkedTo) {
	t.Helper()
	for _, record := range records(t, NewReader(strings.NewReader("id;mention\n7;MARCH1\n8;=1+1\n"), "file", Options{})) {
		m := linked.Mention{Text: record.Text, Span: text.Span{End: len(record.Text)}}
		if record.ID == "7" {
			m.Candidates = []linked.Candidate{{Concept: "G", Name: "gene", MatchedName: "MARCH1", Score: 2.5, Probability: .75}}
		}
		docs = append(docs, &linkedTo{record, &linked.Document{ID: record.ID, Text: record.Text, Mentions: []linked.Mention{m}}})
	}
	return docs
}

// openSheet returns the written workbook, and its rows.
func openSheet(t *testing.T, content *bytes.Buffer) (file *excelize.File, rows [][]string) {
	t.Helper()
	file, err := excelize.OpenReader(content)
	if err == nil {
		rows, err = file.GetRows("mentions")
	}
	if err != nil {
		t.Fatal(err)
	}
	return file, rows
}

// Numbers in a workbook stay numbers, also in the columns that linking adds, and texts stay texts.
func TestXLSXNumbers(t *testing.T) {
	var columns []Column
	for _, cell := range []string{"12", "=12", "007", "1.5", "12345678901234570", "NaN", "+Inf"} { // "=" marks a text
		value, isText := strings.CutPrefix(cell, "=")
		columns = append(columns, Column{Name: "of " + cell, Value: value, Number: !isText})
	}
	record := &Record{
		Document: &text.Document{ID: "1", Text: "gout"}, Columns: columns,
	}
	var out bytes.Buffer
	write(t, newXLSX(&out, WriterOptions{}), &linkedTo{record, &linked.Document{ID: "1", Text: "gout"}})
	file, _ := openSheet(t, &out)
	for cell, want := range map[string]bool{"A2": true, "B2": false, "C2": false, "D2": true, "E2": false, "F2": false, "G2": false} {
		kind := must.Get(file.GetCellType("mentions", cell))
		isText := kind == excelize.CellTypeInlineString || kind == excelize.CellTypeSharedString
		if isText == want {
			t.Errorf("%s has the type %v, want a number: %t", cell, kind, want)
		}
	}
}

// TestXLSX checks that text stays text even if it looks like a date or a formula.
func TestXLSX(t *testing.T) {
	var out bytes.Buffer
	write(t, newXLSX(&out, WriterOptions{}), linkedTable(t)...)
	file, rows := openSheet(t, &out)
	want := [][]string{
		{"source_id", "mention", "document", "start", "end", "text", "resolved_text", "id", "preferred_name", "matched_name", "score", "probability", "nil", "review"},
		{"7", "MARCH1", "7", "0", "6", "MARCH1", "MARCH1", "G", "gene", "MARCH1", "2.5", "0.75", "FALSE", "yes"},
		{"8", "=1+1", "8", "0", "4", "=1+1", "=1+1", "", "", "", "", "", "TRUE", "no"},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if formula, err := file.GetCellFormula("mentions", "B3"); formula != "" || err != nil {
		t.Errorf("the cell is a formula %q, %v", formula, err)
	}
}

// TestXLSXToReview checks that the rows to review come first, in order, and that the header stays in view, has filters,
// and is as wide as the cells below it. Empty columns of the source stay.
func TestXLSXToReview(t *testing.T) {
	var docs []*linkedTo
	for i := range 6 {
		name := strings.Repeat("gout", 1+i/5*20)
		record := &Record{
			Document: &text.Document{ID: fmt.Sprint(i), Text: name}, Columns: []Column{{Name: "Case", Value: fmt.Sprint(i)}, {Name: "Note"}},
		}
		m := linked.Mention{Text: name, Span: text.Span{End: len(name)}}
		m.Candidates = []linked.Candidate{{Concept: "G", Name: "gout", MatchedName: "gout", Score: []float64{1, .5}[i%2]}}
		docs = append(docs, &linkedTo{record, &linked.Document{ID: record.ID, Text: name, Mentions: []linked.Mention{m}}})
	}
	var out bytes.Buffer
	write(t, newXLSX(&out, WriterOptions{}), docs...)
	file, rows := openSheet(t, &out)
	var order string
	for _, row := range rows {
		order += row[0] + row[len(row)-1] + " "
	}
	if want := "Casereview 1yes 3yes 5yes 0no 2no 4no "; order != want || rows[0][1] != "Note" {
		t.Errorf("the rows are %s, of columns %q, want %s and Note", order, rows[0], want)
	}
	for column, want := range map[string]float64{"A": 9, "F": maxWidth + 1, "B": 9} {
		if width, err := file.GetColWidth("mentions", column); err != nil || width != want {
			t.Errorf("column %s (%s) has the width %v, %v, want %v", column, rows[0], width, err, want)
		}
	}
	panes, err := file.GetPanes("mentions")
	if err != nil || !panes.Freeze || panes.YSplit != 1 {
		t.Errorf("panes %v, %v, want a header that stays", panes, err)
	}
	part, _ := file.Pkg.Load("xl/worksheets/sheet1.xml")
	if sheet := string(part.([]byte)); !strings.Contains(sheet, `<autoFilter ref="$A$1:$M$7">`) {
		t.Errorf("no filter over all columns in %s", sheet[max(0, len(sheet)-300):])
	}
}

// TestNoRows checks that a document without mentions yields a file without rows.
func TestNoRows(t *testing.T) {
	doc := &linkedTo{NewRecord(&text.Document{ID: "1"}), &linked.Document{ID: "1"}}
	var workbook, table bytes.Buffer
	write(t, newXLSX(&workbook, WriterOptions{}), doc)
	write(t, newParquet(&table, WriterOptions{}), doc)
	if _, header := openSheet(t, &workbook); len(header) != 1 {
		t.Errorf("a workbook of %q, want a header", header)
	}
	rows, err := parquet.Read[readRow](bytes.NewReader(table.Bytes()), int64(table.Len()))
	if err != nil || len(rows) != 0 {
		t.Errorf("Parquet of %v, %v, want no rows", rows, err)
	}
}

// readRow is a row in the form in which readers get it.
type readRow struct {
	Document      string      `parquet:"document"`
	Start         int64       `parquet:"start"`
	End           int64       `parquet:"end"`
	Text          string      `parquet:"text"`
	ResolvedText  string      `parquet:"resolved_text"`
	Type          string      `parquet:"type,dict"`
	ID            string      `parquet:"id,dict"`
	PreferredName string      `parquet:"preferred_name,dict"`
	MatchedName   string      `parquet:"matched_name,dict"`
	Score         *float64    `parquet:"score"`
	Probability   *float64    `parquet:"probability"`
	NIL           bool        `parquet:"nil"`
	Broader       string      `parquet:"broader"`
	BestEvidence  string      `parquet:"best_evidence"`
	Source        sourceCells `parquet:"source"`
}

func TestParquet(t *testing.T) {
	var out bytes.Buffer
	write(t, newParquet(&out, WriterOptions{}), linkedTable(t)...)
	rows := must.Get(parquet.Read[readRow](bytes.NewReader(out.Bytes()), int64(out.Len())))
	score, probability := 2.5, .75
	want := []readRow{
		{Document: "7", End: 6, Text: "MARCH1", ResolvedText: "MARCH1", ID: "G", PreferredName: "gene", MatchedName: "MARCH1", Score: &score, Probability: &probability, Source: sourceCells{[]sourceCell{{"id", "7"}, {"mention", "MARCH1"}}}},
		{Document: "8", End: 4, Text: "=1+1", ResolvedText: "=1+1", NIL: true, Source: sourceCells{[]sourceCell{{"id", "8"}, {"mention", "=1+1"}}}},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestParquetSource: readers get the cells of a table as a map in the table's order, whenever they are written.
func TestParquetSource(t *testing.T) {
	var columns []Column
	want := make(map[string]string)
	for _, name := range strings.Fields("text case ward age code year room") {
		columns = append(columns, Column{Name: name, Value: "a " + name})
		want[name] = "a " + name
	}
	record := &Record{Document: &text.Document{ID: "1", Text: "gout"}, Columns: columns}
	doc := &linked.Document{ID: "1", Text: "gout", Mentions: []linked.Mention{{Text: "gout", Span: text.Span{End: 4}}}}
	var first []byte
	for range 20 {
		var out bytes.Buffer
		write(t, newParquet(&out, WriterOptions{}), &linkedTo{record, doc})
		if first == nil {
			first = out.Bytes()
		}
		if !bytes.Equal(out.Bytes(), first) {
			t.Fatal("the same rows are written as other bytes")
		}
	}
	rows := must.Get(parquet.Read[struct {
		Source map[string]string `parquet:"source"`
	}](bytes.NewReader(first), int64(len(first))))
	if len(rows) != 1 || !maps.Equal(rows[0].Source, want) {
		t.Errorf("read %v, want %v", rows, want)
	}
	file := must.Get(parquet.OpenFile(bytes.NewReader(first), int64(len(first))))
	source, _ := file.Schema().Lookup("source", "key_value", "key")
	if !source.Node.Leaf() || !strings.Contains(file.Schema().String(), "source (MAP)") {
		t.Errorf("source is no map:\n%s", file.Schema())
	}
}

// TestCutCells: cut cells are reported once per document, and the longest cells that fit are kept whole.
func TestCutCells(t *testing.T) {
	for _, n := range []int{maxCell - 1, maxCell, maxCell + 1} {
		var lost []string
		var b bytes.Buffer
		w := newXLSX(&b, WriterOptions{Lost: func(document, what string) { lost = append(lost, document+": "+what) }})
		content := strings.Repeat("x", n)
		r := NewRecord(&text.Document{ID: "L", Text: content})
		r.Columns = []Column{{Name: "text", Value: content}, {Name: "again", Value: content}}
		write(t, w, &linkedTo{r, &linked.Document{ID: "L", Text: content}})
		_, rows := openSheet(t, &b)
		cell := rows[1][0]
		want, report := content, []string(nil)
		if n > maxCell {
			want, report = content[:maxCell-1]+"…", []string{"L: a text of 32768 characters is cut to 32767, the most that a cell of Excel holds"}
		}
		if cell != want || !slices.Equal(lost, report) {
			t.Errorf("%d characters: a cell of %d, reported %q, want %q", n, len(cell), lost, report)
		}
	}
}

// TestChangedCells warns of a date in a column of mentions, but not in a column that is only copied.
func TestChangedCells(t *testing.T) {
	book := excelize.NewFile()
	for cell, value := range map[string]any{"A1": "Seen", "B1": "mention", "A2": time.Now(), "B2": time.Date(2024, 8, 1, 0, 0, 0, 0, time.UTC)} {
		must.Succeed(t, book.SetCellValue("Sheet1", cell, value))
	}
	var content bytes.Buffer
	must.Succeed(t, book.Write(&content))
	var warnings []string
	docs, faults := readAll(t, NewReader(&content, "dates.xlsx", Options{
		Workbooks: true, Warn: func(w *RecordError) { warnings = append(warnings, w.Error()) },
	}))
	if len(docs) != 1 || len(faults) > 0 {
		t.Fatalf("%d documents and faults %q, want 1 and none", len(docs), faults)
	}
	want := []string{"dates.xlsx:2: cell 2 is the date Aug-24, read as it is shown: Excel has changed what was typed"}
	if !slices.Equal(warnings, want) {
		t.Errorf("warnings %q, want %q", warnings, want)
	}
}
