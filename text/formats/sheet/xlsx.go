package sheet

import (
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// The limits of a worksheet.
const (
	maxRows = 1_048_576
	maxCell = 32_767 // characters, as UTF-16 counts them

	maxDigits = 15 // of a number that Excel keeps
)

// xlsxWriter writes a workbook of one sheet. Cells are typed: text stays text, whatever it
// looks like, so that a gene called MARCH1 does not become a date, and the numbers of a workbook stay numbers.
type xlsxWriter struct {
	w      io.Writer
	file   *excelize.File
	stream *excelize.StreamWriter
	table  *formats.Table
	rows   int

	options formats.WriterOptions
	cut     string // document of the last cell that was cut
}

// newXLSX returns a writer of an Excel workbook to w. The workbook is written when the
// writer is closed.
func newXLSX(w io.Writer, o formats.WriterOptions) formats.Writer {
	return &xlsxWriter{w: w, options: o, table: formats.NewTable(&o)}
}

// Write implements [formats.Writer].
func (x *xlsxWriter) Write(r *formats.Record, d *linked.Document) error {
	for _, row := range x.table.Rows(r, d) {
		if err := x.begin(&row); err != nil {
			return err
		}
		source, err := x.table.SourceCells(&row)
		if err != nil {
			return err
		}
		var cells []any
		clip := func(cell string) string { return x.clip(row.Document, cell) }
		for _, cell := range source {
			value, err := strconv.ParseFloat(cell.Value, 64)
			isPlain := err == nil && len(cell.Value) <= maxDigits && strconv.FormatFloat(value, 'f', -1, 64) == cell.Value
			if isPlain && cell.Number {
				cells = append(cells, value)
			} else { // such as a date, "007" and "5 %", which are numbers that are shown otherwise
				cells = append(cells, clip(cell.Value))
			}
		}
		for _, cell := range row.Cells {
			switch value := cell.(type) {
			case string:
				cell = clip(value)
			case *float64:
				if cell = nil; value != nil {
					cell = *value
				}
			}
			cells = append(cells, cell)
		}
		if err := x.row(cells); err != nil {
			return err
		}
	}
	return nil
}

// begin creates the sheet, with a header that stays in view.
func (x *xlsxWriter) begin(first *formats.Row) error {
	if x.file != nil {
		return nil
	}
	x.file = excelize.NewFile()
	if err := x.file.SetSheetName("Sheet1", "mentions"); err != nil {
		return err
	}
	var err error
	if x.stream, err = x.file.NewStreamWriter("mentions"); err != nil {
		return err
	}
	if err := x.stream.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2",
		ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	bold, err := x.file.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err != nil {
		return err
	}
	names := x.table.Names(first)
	if err := x.stream.SetColWidth(1, len(names), 18); err != nil {
		return err
	}
	cells := make([]any, len(names))
	for i, name := range names {
		cells[i] = excelize.Cell{StyleID: bold, Value: x.clip("", name)}
	}
	return x.row(cells)
}

func (x *xlsxWriter) row(cells []any) error {
	if x.rows++; x.rows > maxRows {
		return fmt.Errorf("an Excel sheet has at most %d rows: write CSV or Parquet", maxRows)
	}
	cell, err := excelize.CoordinatesToCellName(1, x.rows)
	if err != nil {
		return err
	}
	return x.stream.SetRow(cell, cells)
}

// clip returns s cut to the length that a cell may have, and reports that of a document once.
func (x *xlsxWriter) clip(document, s string) string {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	units, cut := 0, 0
	for i, r := range s {
		if units++; r > 0xffff {
			units++
		}
		if units <= maxCell-1 {
			cut = i + utf8.RuneLen(r)
		}
	}
	if units > maxCell {
		if x.cut != document && x.options.Lost != nil {
			x.cut = document
			x.options.Lost(document,
				fmt.Sprintf("a text of %d characters is cut to %d, the most that a cell of Excel holds", units,
					maxCell))
		}
		return s[:cut] + "…"
	}
	return s
}

// Close implements [formats.Writer].
func (x *xlsxWriter) Close() error {
	if err := x.begin(&formats.Row{}); err != nil {
		return err
	}
	if err := x.stream.Flush(); err != nil {
		return err
	}
	if err := x.file.Write(x.w); err != nil {
		return err
	}
	return x.file.Close()
}
