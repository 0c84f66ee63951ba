package formats

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// The limits of a worksheet.
const (
	maxRows = 1_048_576
	maxCell = 32_767 // characters, as UTF-16 counts them

	maxDigits = 15 // of a number that Excel keeps
)

// xlsxFile writes a workbook of one sheet. Cells are typed: text stays text, whatever it
// looks like, so that a gene called MARCH1 does not become a date, and the numbers of a workbook stay numbers.
type xlsxFile struct {
	w      io.Writer
	file   *excelize.File
	stream *excelize.StreamWriter
	rows   int

	options WriterOptions
	cut     string // document of the last cell that was cut
}

// newXLSX returns a writer of an Excel workbook to w. The workbook is written when the writer is closed.
func newXLSX(w io.Writer, o WriterOptions) Writer {
	x := &xlsxFile{w: w, options: o}
	o.Lost = nil // a cell holds control characters
	return newTableWriter(x, &o)
}

func (x *xlsxFile) row(document string, source []Column, columns []any) error {
	var cells []any
	for _, cell := range source {
		value, err := strconv.ParseFloat(cell.Value, 64)
		isPlain := err == nil && len(cell.Value) <= maxDigits && strconv.FormatFloat(value, 'f', -1, 64) == cell.Value
		if isPlain && cell.Number {
			cells = append(cells, value)
		} else { // such as a date, "007" and "5 %", which are numbers that are shown otherwise
			cells = append(cells, x.clip(document, cell.Value))
		}
	}
	for _, cell := range columns {
		value := valueOf(cell)
		if text, isText := value.(string); isText {
			value = x.clip(document, text)
		}
		cells = append(cells, value)
	}
	return x.setRow(cells)
}

// begin creates the sheet, with a header that stays in view.
func (x *xlsxFile) begin(names []string) error {
	x.file = excelize.NewFile()
	bold, err := x.file.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err = cmp.Or(err, x.file.SetSheetName("Sheet1", "mentions")); err == nil {
		x.stream, err = x.file.NewStreamWriter("mentions")
	}
	if err == nil {
		panes := &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}
		err = cmp.Or(x.stream.SetPanes(panes), x.stream.SetColWidth(1, len(names), 18))
	}
	if err != nil {
		return err
	}
	cells := make([]any, len(names))
	for i, name := range names {
		cells[i] = excelize.Cell{StyleID: bold, Value: x.clip("", name)}
	}
	return x.setRow(cells)
}

func (x *xlsxFile) flush() error { return nil } // a workbook is written as a whole

func (x *xlsxFile) setRow(cells []any) error {
	if x.rows++; x.rows > maxRows {
		return fmt.Errorf("an Excel sheet has at most %d rows: write CSV or Parquet", maxRows)
	}
	return x.stream.SetRow(fmt.Sprintf("A%d", x.rows), cells)
}

// clip returns s cut to the length that a cell may have, and reports that of a document once.
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
	cut, _ := offsets.Byte(maxCell - 1) // the start of a character that it is within
	return s[:cut] + "…"
}

func (x *xlsxFile) Close() error {
	if err := x.stream.Flush(); err != nil {
		return err
	}
	if err := x.file.Write(x.w); err != nil {
		return err
	}
	return x.file.Close()
}
