package kbfile

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// sniffedRows is the number of rows from which the delimiter of a table is told.
const sniffedRows = 100

// delimiters are the characters that may separate the cells of a table, with their names.
// A tab is looked for first: it is in no name.
var delimiters = []struct {
	char rune
	name string
}{{'\t', "tabs"}, {',', "commas"}, {';', "semicolons"}, {'|', "bars"}}

// DelimiterError is the error for a table whose delimiter is not certain.
type DelimiterError struct {
	Line  string         // the first row
	Cells map[string]int // name of a delimiter -> number of cells of the first row
}

func (e *DelimiterError) Error() string {
	var counts []string
	for _, d := range delimiters {
		if n := e.Cells[d.name]; n > 1 {
			counts = append(counts, fmt.Sprintf("%d by %s", n, d.name))
		}
	}
	return fmt.Sprintf("the delimiter is not certain: the first row %s has %s cells", e.Line,
		strings.Join(counts, " and "))
}

// CheckDelimiter returns an error unless the delimiter is empty or known.
func CheckDelimiter(delimiter string) error {
	for _, d := range delimiters {
		if delimiter == string(d.char) {
			return nil
		}
	}
	if delimiter == "" {
		return nil
	}
	return fmt.Errorf("delimiter is %q, want a tab, a comma, a semicolon or a bar", delimiter)
}

// sniffDelimiter returns the delimiter of a table without tabs, given the start of its
// text: the one by which the first row is a header, or else the only one that the first
// row has, or else the only one by which all rows have equally many cells. A bar is a
// delimiter only of a header, since it also separates names in a cell.
func sniffDelimiter(head []byte) (rune, error) {
	var possible, regular []rune
	uncertain := &DelimiterError{Line: input.Quote(firstRow(head)), Cells: make(map[string]int)}
	for _, d := range delimiters[1:] {
		rows := sniffRows(head, d.char)
		for _, cells := range rows[:min(maxTitleRows, len(rows))] { // a title may stand above the header
			if rolesOf(cells).areNamed() || knownVocabulary(cells, false) != nil {
				return d.char, nil
			}
			if len(cells) > 1 {
				break
			}
		}
		if len(rows) == 0 || len(rows[0]) < 2 {
			continue
		}
		if d.char == '|' {
			continue
		}
		uncertain.Cells[d.name] = len(rows[0])
		possible = append(possible, d.char)
		if !slices.ContainsFunc(rows, func(cells []string) bool { return len(cells) != len(rows[0]) }) {
			regular = append(regular, d.char)
		}
	}
	switch {
	case len(possible) == 0:
		return ',', nil // one column, which the reader of the rows refuses
	case len(possible) == 1:
		return possible[0], nil
	case len(regular) == 1:
		return regular[0], nil
	}
	return 0, uncertain
}

// sniffRows returns the cells of the first complete rows of head.
func sniffRows(head []byte, delimiter rune) [][]string {
	if end := bytes.LastIndexByte(head, '\n'); end >= 0 {
		head = head[:end+1] // the last line may be cut
	}
	reader := csv.NewReader(bytes.NewReader(head))
	reader.Comma, reader.Comment, reader.LazyQuotes, reader.FieldsPerRecord = delimiter, '#', true, -1
	var rows [][]string
	for len(rows) < sniffedRows {
		cells, err := reader.Read()
		if err != nil {
			break
		}
		rows = append(rows, cells)
	}
	return rows
}
