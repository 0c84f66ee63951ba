package formats

import (
	"bufio"
	"strings"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
)

// rowReader reads the rows of a table: cells as in RFC 4180 and [input.NewPlainQuotes], with any delimiter. A cell in
// quotes may hold the delimiter, quotes, which are doubled, and line feeds. A quote elsewhere in a cell stands for
// itself.
//
// A quote that begins a cell and is not closed must not take the following rows into its cell. Where
// no quote ends the cell before the end of the file, or the next one stands before something else than the
// end of a cell, the row is its first line alone. Cells of a table with tabs often begin with a quotation mark, so
// there the quote stands for itself, also if another one is not doubled or a tab follows in a later line; in
// other tables the row is an error.
type rowReader struct {
	lines     *input.Lines
	limit     int64 // of a row, in bytes
	delimiter byte
	ahead     []tableLine // lines that were read to find the end of a cell
	width     int         // number of cells of the last row
}

// tableLine is a line of a table, or the error of one that is none.
type tableLine struct {
	text   string
	number int
	err    *input.LineError
}

func newRowReader(r *bufio.Reader, delimiter byte, limits files.Limits) *rowReader {
	if delimiter != '\t' {
		r = bufio.NewReaderSize(input.NewPlainQuotes(r, delimiter), r.Size())
	}
	return &rowReader{lines: input.NewLines(r, limits), limit: limits.WithDefaults().Record, delimiter: delimiter}
}

// next returns the cells of the next row and the number of its first line; empty lines are none.
// It returns io.EOF after the last row, and a [*input.LineError], after which it can be called again,
// for a row that cannot be read.
func (r *rowReader) next() (cells []string, number int, err error) {
	for {
		first, err := r.nextLine()
		if err != nil {
			return nil, 0, err
		}
		if first.err != nil {
			return nil, first.number, first.err
		}
		if first.text == "" || r.delimiter == '|' && input.IsTableRule(first.text) {
			continue
		}
		cells, err := r.row(first)
		r.width = len(cells)
		return cells, first.number, err
	}
}

func (r *rowReader) nextLine() (tableLine, error) {
	if len(r.ahead) == 0 {
		return r.read()
	}
	line := r.ahead[0]
	r.ahead = r.ahead[1:]
	return line, nil
}

// read reads a line.
func (r *rowReader) read() (line tableLine, err error) {
	line.text, err = r.lines.Next()
	line.number = r.lines.Number()
	if malformed, ok := err.(*input.LineError); ok {
		line.err, err = malformed, nil
	}
	return line, err
}

// peek returns the line that follows i others.
func (r *rowReader) peek(i int) (tableLine, error) {
	for len(r.ahead) <= i {
		line, err := r.read()
		if err != nil {
			return line, err
		}
		r.ahead = append(r.ahead, line)
	}
	return r.ahead[i], nil
}

// row returns the cells of the row that begins with a line.
func (r *rowReader) row(first tableLine) ([]string, error) {
	s := &rowScanner{delimiter: r.delimiter, cells: make([]string, 0, r.width)}
	s.scan(first.text)
	tabs := r.delimiter == '\t'
	if !s.inQuotes && !(tabs && s.strayQuote) {
		return s.cells, nil
	}
	if !s.strayQuote && r.closeCell(s) {
		return s.cells, nil
	}
	if !tabs {
		return nil, &input.LineError{Want: "a quote at the end of the cell that begins with one",
			Got: input.Quote(first.text)}
	}
	s = &rowScanner{delimiter: r.delimiter, literal: true}
	s.scan(first.text)
	return s.cells, nil
}

// closeCell scans the lines after the first one of a row, which ends within quotes, up to the end of
// the row. If the quotes are not closed as they should be, it returns false, and the lines are still to be read.
func (r *rowReader) closeCell(s *rowScanner) bool {
	size := int64(0)
	for i := 0; ; i++ {
		line, err := r.peek(i)
		size += int64(len(line.text)) + 1
		if err != nil || line.err != nil || size > r.limit {
			return false // an error of the reader comes again
		}
		s.scan(line.text)
		if s.strayQuote {
			return false
		}
		if !s.inQuotes {
			r.ahead = r.ahead[i+1:]
			return true
		}
	}
}

// rowScanner collects the cells of a row, line by line.
type rowScanner struct {
	delimiter  byte
	literal    bool // a quote that begins a cell and is not closed stands for itself
	cells      []string
	cell       strings.Builder // within quotes
	inQuotes   bool            // at the end of the line
	longCell   bool            // the cell began in an earlier line
	strayQuote bool            // what is within quotes shows that the first one is no more than a quotation mark
}

// scan adds a line of the row. While the quotes of a cell are not closed, the next line belongs to
// the cell.
func (s *rowScanner) scan(line string) {
	rest, more := line, true
	if s.inQuotes {
		s.cell.WriteByte('\n')
		s.longCell = true
		rest, more = s.quoted(rest)
	}
	for more {
		if inner, begins := strings.CutPrefix(rest, `"`); begins && (!s.literal || s.closes(inner)) {
			rest, more = s.quoted(inner)
			continue
		}
		var cell string
		cell, rest, more = strings.Cut(rest, string(s.delimiter))
		s.cells = append(s.cells, cell)
	}
}

// quoted reads the rest of a cell in quotes. It returns what follows, and whether another cell
// follows.
func (s *rowScanner) quoted(rest string) (after string, more bool) {
	for {
		text, tail, found := strings.Cut(rest, `"`)
		if found && s.cell.Len() == 0 && !s.longCell && (tail == "" || tail[0] == s.delimiter) { // as most are
			s.cells = append(s.cells, text)
			return strings.TrimPrefix(tail, string(s.delimiter)), tail != ""
		}
		s.cell.WriteString(text)
		if s.longCell && s.delimiter == '\t' && strings.Contains(text, "\t") {
			s.strayQuote = true
		}
		switch {
		case !found:
			s.inQuotes = true
			return "", false
		case tail == "" || tail[0] == s.delimiter:
			s.cells = append(s.cells, s.cell.String())
			s.cell.Reset()
			s.inQuotes, s.longCell = false, false
			return strings.TrimPrefix(tail, string(s.delimiter)), tail != ""
		case tail[0] == '"':
			tail = tail[1:]
		default:
			s.strayQuote = true
		}
		s.cell.WriteByte('"')
		rest = tail
	}
}

// closes reports whether a cell whose opening quote was read ends in this line, and has no stray quote.
func (s *rowScanner) closes(inner string) bool {
	probe := rowScanner{delimiter: s.delimiter}
	probe.quoted(inner)
	return !probe.inQuotes && !probe.strayQuote
}
