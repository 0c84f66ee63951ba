// Package table reads the rows of tables: texts with any delimiter, and sheets of workbooks. It is used for both
// dictionaries and documents, so that they get the same cells from the same file.
//
// [Delimiters], [FirstRows] and [Sniff] detect the dialect of a text and its header, [Reader] and [Worksheet] read the
// rows of texts and sheets, and [Words] maps column names to roles.
package table

import (
	"slices"
	"strings"
)

// Row is a row of a table.
type Row struct {
	Cells   []string
	Line    int            // where it begins, from 1; in a sheet, the row number
	Changed map[int]string // in a sheet: column, from 0 -> what Excel turned the typed text into, "the date 1-Aug"
}

// Rows are the rows of a table.
type Rows interface {
	// Next returns the next row, or [io.EOF] at the end. After a [*input.LineError], for which the row has only its line,
	// it can be called again.
	Next() (Row, error)
}

// Bytes returns the total length of the cells, counting a delimiter for each.
func (r *Row) Bytes() int64 {
	n := len(r.Cells)
	for _, cell := range r.Cells {
		n += len(cell)
	}
	return int64(n)
}

// IsBlank reports whether all cells are blank: spreadsheets write such rows as ",,".
func (r *Row) IsBlank() bool { return Filled(r.Cells) == 0 }

// Filled returns the number of cells that are not blank.
func Filled(cells []string) (n int) {
	for _, cell := range cells {
		if strings.TrimSpace(cell) != "" {
			n++
		}
	}
	return n
}

// Repeats reports whether the row repeats the header, as in concatenated files, possibly after the byte-order mark of
// the second file.
func (r *Row) Repeats(header []string) bool {
	const byteOrderMark = "\ufeff"
	return len(r.Cells) == len(header) && len(r.Cells) > 0 &&
		strings.TrimPrefix(r.Cells[0], byteOrderMark) == header[0] && slices.Equal(r.Cells[1:], header[1:])
}
