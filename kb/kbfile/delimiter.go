package kbfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/table"
)

// sniffedRows is the number of rows from which the delimiter of a table is told.
const sniffedRows = 100

// delimiterNames are the names of the delimiters of tables.
var delimiterNames = map[string]string{"\t": "tabs", ",": "commas", ";": "semicolons", "|": "bars"}

// DelimiterError is the error for a table whose delimiter is not certain.
type DelimiterError struct {
	Line  string         // the first row
	Cells map[string]int // name of a delimiter -> number of cells of the first row
}

func (e *DelimiterError) Error() string {
	return fmt.Sprintf("the delimiter is not certain: the first row %s has %d cells by commas and %d by semicolons",
		e.Line, e.Cells["commas"], e.Cells["semicolons"])
}

// CheckDelimiter returns an error unless the delimiter is empty or known.
func CheckDelimiter(delimiter string) error {
	if delimiter == "" || delimiterNames[delimiter] != "" {
		return nil
	}
	return fmt.Errorf("delimiter is %q, want a tab, a comma, a semicolon or a bar", delimiter)
}

// isHeaderRow reports whether cells are the header of a dictionary, or the first row of a known vocabulary.
func isHeaderRow(cells []string) bool {
	return rolesOf(cells).areNamed() || len(cells) > 1 && knownVocabulary(cells, false) != nil
}

// sniffDelimiter returns the delimiter of a table without tabs, given the start of its
// text: the one by which the first row is a header, or else the only one that the first
// row has, or else the only one by which all rows have equally many cells. A bar is a
// delimiter only of a header, since it also separates names in a cell.
func sniffDelimiter(head []byte) (string, error) {
	if delimiter := table.Sniff(head, isHeaderRow); delimiter != "" {
		return delimiter, nil
	}
	var possible, regular []string
	uncertain := &DelimiterError{Line: input.Quote(firstRow(head)), Cells: make(map[string]int)}
	for _, delimiter := range []string{",", ";"} {
		rows := slices.DeleteFunc(table.FirstRows(head, delimiter, sniffedRows),
			func(cells []string) bool { return strings.HasPrefix(cells[0], "#") })
		if len(rows) == 0 || len(rows[0]) < 2 {
			continue
		}
		uncertain.Cells[delimiterNames[delimiter]] = len(rows[0])
		possible = append(possible, delimiter)
		if !slices.ContainsFunc(rows, func(cells []string) bool { return len(cells) != len(rows[0]) }) {
			regular = append(regular, delimiter)
		}
	}
	switch {
	case len(possible) == 0:
		return ",", nil // one column, which the reader of the rows refuses
	case len(possible) == 1:
		return possible[0], nil
	case len(regular) == 1:
		return regular[0], nil
	}
	return "", uncertain
}
