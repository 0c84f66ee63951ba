package dictionary

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"ctxnorm/corpus/internal/input"
)

// row is a row of a table and the line it starts on.
type row struct {
	cells []string
	line  int
}

// rowReader reads a table. A *input.LineError is not final.
type rowReader interface {
	next() (row, error)
}

// tsvRows reads rows set apart by tabs. Quotes are letters like any other, but
// where every cell of the first row is quoted, as R's write.table does, those
// around a cell are taken off.
type tsvRows struct {
	lines  *input.Lines
	begun  bool
	quoted bool
}

func (t *tsvRows) next() (row, error) {
	for {
		text, err := t.lines.Next()
		if err != nil {
			return row{line: t.lines.Number()}, err
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		cells := strings.Split(text, "\t")
		if !t.begun {
			t.begun, t.quoted = true, allQuoted(cells)
		}
		if t.quoted {
			for i, cell := range cells {
				if isQuoted(cell) {
					cells[i] = strings.ReplaceAll(cell[1:len(cell)-1], `""`, `"`)
				}
			}
		}
		return row{cells, t.lines.Number()}, nil
	}
}

func allQuoted(cells []string) bool {
	for _, cell := range cells {
		if !isQuoted(cell) {
			return false
		}
	}
	return true
}

func isQuoted(cell string) bool {
	return len(cell) >= 2 && cell[0] == '"' && cell[len(cell)-1] == '"'
}

// csvRows reads rows of RFC 4180, of any number of cells.
type csvRows struct {
	r     *csv.Reader
	above int // lines of the file above the first the reader sees
}

func newCSVRows(r io.Reader, above int) *csvRows {
	reader := csv.NewReader(r)
	reader.FieldsPerRecord = -1
	return &csvRows{r: reader, above: above}
}

func (c *csvRows) next() (row, error) {
	cells, err := c.r.Read()
	var broken *csv.ParseError
	if errors.As(err, &broken) {
		return row{line: c.above + broken.StartLine}, &input.LineError{
			Want: "a row of CSV",
			Got:  fmt.Sprintf("%v at line %d, byte %d", broken.Err, c.above+broken.Line, broken.Column),
		}
	}
	if err != nil {
		return row{}, err
	}
	line, _ := c.r.FieldPos(0)
	line += c.above
	for _, cell := range cells {
		if at := input.InvalidUTF8(cell); at >= 0 {
			return row{line: line}, input.NotUTF8(cell, at)
		}
	}
	return row{cells, line}, nil
}
