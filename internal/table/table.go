// Package table reads the rows of tables: texts with any delimiter, and sheets of workbooks. Dictionaries and documents
// are read by it, so that both have the same cells of the same file.
//
// [Delimiters], [FirstRows] and [Sniff] tell the dialect of a text and where its header is, a [Reader] reads its rows
// and a [Worksheet] those of a sheet, and [Words] gives columns their roles by their names.
package table

import (
	"slices"
	"strings"
)

// Row is a row of a table.
type Row struct {
	Cells   []string
	Line    int            // on which it begins, from 1; of a sheet, the number of the row
	Changed map[int]string // of a sheet: column, from 0 -> what the spreadsheet made of what was typed, "the date 1-Aug"
}

// Rows are the rows of a table.
type Rows interface {
	// Next returns the next row, or [io.EOF] at the end. After a [*input.LineError], whose row has only its line, it can
	// be called again.
	Next() (Row, error)
}

// Bytes returns the length of the cells.
func (r *Row) Bytes() int64 {
	n := len(r.Cells)
	for _, cell := range r.Cells {
		n += len(cell)
	}
	return int64(n)
}

// IsBlank reports whether no cell has a text: spreadsheets write such rows as ",,".
func (r *Row) IsBlank() bool { return Filled(r.Cells) == 0 }

// Filled returns the number of cells that have a text.
func Filled(cells []string) (n int) {
	for _, cell := range cells {
		if strings.TrimSpace(cell) != "" {
			n++
		}
	}
	return n
}

// Repeats reports whether the row is the header again, as where files were joined, the byte-order mark of the second
// among them.
func (r *Row) Repeats(header []string) bool {
	const byteOrderMark = "\ufeff"
	return len(r.Cells) == len(header) && len(r.Cells) > 0 &&
		strings.TrimPrefix(r.Cells[0], byteOrderMark) == header[0] && slices.Equal(r.Cells[1:], header[1:])
}
