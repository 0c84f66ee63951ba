package formats

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/xuri/excelize/v2"
)

// These are the limits of a worksheet.
const (
	maxRows = 1_048_576
	maxCell = 32_767 // in UTF-16 code units

	maxDigits = 15 // that Excel keeps in a number
)

// xlsxFile writes a workbook with one sheet, in which rows that need review come first. Cells are typed: text stays
// text, so a gene called MARCH1 does not become a date, and the numbers of a workbook stay numbers.
type xlsxFile struct {
	w       io.Writer
	names   []string // of the columns
	widths  []int    // of the columns, in characters; 0 if a column has no value
	own     int      // number of columns that are not from the source
	review  int      // index of the column review
	unsure  packedRows
	settled packedRows
	rows    int

	options WriterOptions
	cut     string // the last document that had a cell cut
}

// minWidth and maxWidth bound the width of a column, in characters.
const (
	minWidth = 8
	maxWidth = 48
)

// keptColumns are written even if empty, because tables are recognized by them: see [tableParser.chooseLinked].
var keptColumns = []string{"document", "text", "id", "preferred_name"}

// newXLSX returns a writer of an Excel workbook to w. The workbook is written when the writer is closed.
func newXLSX(w io.Writer, o WriterOptions) Writer {
	x := &xlsxFile{w: w, options: o}
	o.Lost = nil // a cell holds control characters
	return newTableWriter(x, &o)
}

func (x *xlsxFile) begin(names []string) error {
	x.names, x.widths = names, make([]int, len(names))
	x.review = slices.Index(names, "review") // a source column of this name is renamed
	return nil
}

func (x *xlsxFile) row(document string, source []Column, columns []any) error {
	if x.rows++; x.rows >= maxRows { // with the header
		return fmt.Errorf("an Excel sheet has at most %d rows: write CSV or Parquet", maxRows)
	}
	x.own = len(columns)
	var cells []any
	for _, cell := range source {
		value, err := strconv.ParseFloat(cell.Value, 64)
		isPlain := err == nil && !math.IsNaN(value) && !math.IsInf(value, 0) && len(cell.Value) <= maxDigits && strconv.FormatFloat(value, 'f', -1, 64) == cell.Value
		if isPlain && cell.Number {
			cells = append(cells, value)
		} else { // dates, "007" and "5 %" are numbers shown in another way
			cells = append(cells, cell.Value)
		}
	}
	for _, cell := range columns {
		cells = append(cells, valueOf(cell))
	}
	for i, value := range cells {
		if text, isText := value.(string); isText && text != "" {
			cells[i] = x.clip(document, text)
		} else if isText || value == nil {
			cells[i] = nil // an empty cell, also for filters
			continue
		}
		x.widths[i] = max(x.widths[i], widthOf(fmt.Sprint(value)))
	}
	if cells[x.review] == reviewed {
		return x.unsure.add(cells)
	}
	return x.settled.add(cells)
}

// widthOf returns the width of the first line of a cell.
func widthOf(cell string) int {
	line, _, _ := strings.Cut(cell, "\n")
	return utf8.RuneCountInString(line)
}

// packedRows stores rows compressed, because a sheet may have a million.
type packedRows struct {
	packed bytes.Buffer
	zip    *gzip.Writer // nil before the first row
	json   *json.Encoder
}

func (p *packedRows) add(cells []any) error {
	if p.zip == nil {
		p.zip, _ = gzip.NewWriterLevel(&p.packed, gzip.BestSpeed) // the level is valid
		p.json = json.NewEncoder(p.zip)
	}
	return p.json.Encode(cells)
}

// each passes all rows to do, and discards them.
func (p *packedRows) each(do func(cells []any) error) error {
	if p.zip == nil {
		return nil
	}
	if err := p.zip.Close(); err != nil {
		return err
	}
	unzipped, err := gzip.NewReader(&p.packed)
	if err != nil {
		return err
	}
	rows := json.NewDecoder(unzipped)
	for err == nil && rows.More() {
		var cells []any
		if err = rows.Decode(&cells); err == nil {
			err = do(cells)
		}
	}
	return err
}

func (x *xlsxFile) flush() error { return nil } // a workbook is written as a whole

// clip cuts s to the maximum length of a cell, and reports this once per document.
func (x *xlsxFile) clip(document, s string) string {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	if len(s) <= maxCell {
		return s
	}
	offsets := UTF16.offsets(s)
	if offsets.Len() <= maxCell {
		return s
	}
	if x.cut != document {
		x.cut = document
		x.options.lost(document, "a text of %d characters is cut to %d, the most that a cell of Excel holds",
			offsets.Len(), maxCell)
	}
	cut, _ := offsets.Byte(maxCell - 1) // the start of the character there
	return s[:cut] + "…"
}

// Close writes the sheet. The header stays in view and has filters, and columns are as wide as their content. A column
// that is empty in all rows is left out unless it comes from the source.
func (x *xlsxFile) Close() error {
	file := excelize.NewFile()
	bold, err := file.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err = cmp.Or(err, file.SetSheetName("Sheet1", "mentions")); err != nil {
		return err
	}
	sheet, err := file.NewStreamWriter("mentions")
	if err != nil {
		return err
	}
	var shown []int // columns
	var header []any
	panes := &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}
	err = sheet.SetPanes(panes)
	for i, name := range x.names {
		isOwn := len(x.names)-i <= x.own // false for all if there are no rows
		if isOwn && x.widths[i] == 0 && !slices.Contains(keptColumns, name) {
			continue
		}
		shown, header = append(shown, i), append(header, excelize.Cell{StyleID: bold, Value: x.clip("", name)})
		width := min(max(x.widths[i], widthOf(name)+3, minWidth), maxWidth) // a filter has a button beside the name
		err = cmp.Or(err, sheet.SetColWidth(len(shown), len(shown), float64(width)+1))
	}
	at := 0
	write := func(cells []any) error {
		at++
		return sheet.SetRow(fmt.Sprintf("A%d", at), cells)
	}
	err = cmp.Or(err, write(header))
	for _, rows := range []*packedRows{&x.unsure, &x.settled} {
		err = cmp.Or(err, rows.each(func(cells []any) error {
			kept := make([]any, len(shown))
			for to, from := range shown {
				kept[to] = cells[from]
			}
			return write(kept)
		}))
	}
	last, nameErr := excelize.CoordinatesToCellName(len(shown), at)
	if err = cmp.Or(err, nameErr); err != nil {
		return err
	}
	// NB: AutoFilter must come before Flush, which writes the settings of the sheet.
	if err := cmp.Or(file.AutoFilter("mentions", "A1:"+last, nil), sheet.Flush()); err != nil {
		return err
	}
	return cmp.Or(file.Write(x.w), file.Close())
}
