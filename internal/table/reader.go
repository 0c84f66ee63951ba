package table

import (
	"bufio"
	"fmt"
	"regexp"
	"strings"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
)

// Dialect specifies how a line of a table is split into cells.
type Dialect struct {
	Delimiter string // between two cells; one of [Delimiters] unless Plain
	// Plain means that a row is a line and that quotes have no meaning, as in files of UMLS and NCBI.
	Plain bool
	End   string // after the last cell of a plain line, such as "|"
}

// Reader reads the rows of a text. Cells are written as in RFC 4180, with any delimiter: a quoted cell may contain the
// delimiter, doubled quotes and line feeds. A quote elsewhere in a cell stands for itself. Except in tables with tabs,
// two other notations are supported:
//
//	"the \"river\" fever"   a backslash before a quote and before a backslash, as Spark and MySQL write
//	="00123"                a text as a formula of Excel, which keeps its zeros
//
// RFC 4180 has no escapes: a cell "C:\" ends with its backslash. So escapes are supported only if they occur at the
// start of the file, or else from the first row on in which a quote after a backslash does not end its cell.
//
// A quote that begins a cell and is not closed must not pull the following rows into its cell. If no quote ends the
// cell before the end of the file, or the next quote is not followed by the end of a cell, the row is only its first
// line. In tables with tabs, cells often begin with a quotation mark, so the quote stands for itself, also if another
// quote is not doubled or a tab follows in a later line. In other tables, the row is an error.
type Reader struct {
	lines   *input.Lines
	before  int   // number of lines in the file before them
	limit   int64 // of a row, in bytes
	dialect Dialect
	escapes bool   // see [Reader]
	ahead   []line // lines read ahead to find the end of a cell
	width   int    // number of cells of the last row
}

// line is a line of a table, or the error for a malformed one.
type line struct {
	text   string
	number int
	err    *input.LineError
}

// NewReader returns a reader of the rows in r, which begins after some lines of the file.
func NewReader(r *bufio.Reader, d Dialect, limits files.Limits, before int) *Reader {
	reader := &Reader{lines: input.NewLines(r, limits), before: before, limit: limits.WithDefaults().Record, dialect: d}
	if !d.Plain && d.Delimiter != "\t" {
		r.Peek(1)
		head, _ := r.Peek(r.Buffered())
		escaped := regexp.MustCompile(`(?m)(?:^|` + regexp.QuoteMeta(d.Delimiter) + `)"[^"]*\\"[^"\r\n` + d.Delimiter + `]`)
		reader.escapes = escaped.Match(head)
	}
	return reader
}

// maxColumns is the maximum number of cells in a row: with more, it is not a table, and comparing columns would take
// quadratic time.
const maxColumns = 16_384

// Next implements [Rows]. It skips empty lines and the rule below the header of a Markdown table.
func (r *Reader) Next() (Row, error) {
	for {
		first, err := r.nextLine()
		switch {
		case err != nil:
			return Row{Line: first.number}, err
		case first.err != nil:
			return Row{Line: first.number}, first.err
		case first.text == "" || r.dialect.Delimiter == "|" && isRule(first.text):
			continue
		case r.dialect.Plain:
			text := strings.TrimSuffix(first.text, r.dialect.End)
			return Row{Cells: strings.Split(text, r.dialect.Delimiter), Line: first.number}, nil
		}
		cells, err := r.row(first)
		if r.width = len(cells); r.width > maxColumns {
			err = fmt.Errorf("line %d: %d cells, want at most %d in a row, as Excel has", first.number, r.width, maxColumns)
		}
		return Row{Cells: cells, Line: first.number}, err
	}
}

// isRule reports whether a line is the rule below the header of a Markdown table, "|----|:---:|".
func isRule(line string) bool {
	return strings.Contains(line, "---") && strings.Trim(line, "|-:+ \t") == ""
}

func (r *Reader) nextLine() (line, error) {
	if len(r.ahead) == 0 {
		return r.read()
	}
	next := r.ahead[0]
	r.ahead = r.ahead[1:]
	return next, nil
}

// read reads a line.
func (r *Reader) read() (next line, err error) {
	next.text, err = r.lines.Next()
	next.number = r.before + r.lines.Number()
	if malformed, ok := err.(*input.LineError); ok {
		next.err, err = malformed, nil
	}
	return next, err
}

// peek returns the line after the next i lines.
func (r *Reader) peek(i int) (line, error) {
	for len(r.ahead) <= i {
		next, err := r.read()
		if err != nil {
			return next, err
		}
		r.ahead = append(r.ahead, next)
	}
	return r.ahead[i], nil
}

// row returns the cells of the row that begins with line first.
func (r *Reader) row(first line) ([]string, error) {
	s := &rowScanner{delimiter: r.dialect.Delimiter[0], escapes: r.escapes, cells: make([]string, 0, r.width)}
	s.scan(first.text)
	isClosed := !s.inQuotes || !s.strayQuote && r.closeCell(s)
	tabs := s.delimiter == '\t'
	switch {
	case s.escaped && !tabs && !r.escapes:
		r.escapes = true
		return r.row(first)
	case isClosed && !(tabs && s.strayQuote):
		return s.cells, nil
	case !tabs:
		return nil, &input.LineError{Want: "a quote at the end of the cell that begins with one",
			Got: input.Quote(first.text)}
	}
	s = &rowScanner{delimiter: '\t', literal: true}
	s.scan(first.text)
	return s.cells, nil
}

// closeCell scans lines after the first line of a row, which ends within quotes, up to the end of the row. If the
// quotes are not closed properly, it returns false, and the lines remain to be read.
func (r *Reader) closeCell(s *rowScanner) bool {
	size := int64(0)
	for i := 0; ; i++ {
		next, err := r.peek(i)
		size += int64(len(next.text)) + 1
		if err != nil || next.err != nil || size > r.limit {
			return false // the reader returns an error again
		}
		s.scan(next.text)
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
	escapes    bool // a backslash in quotes escapes a quote or a backslash
	literal    bool // a quote that begins a cell and is not closed in the line stands for itself
	cells      []string
	cell       strings.Builder // of a quoted cell
	inQuotes   bool            // at the end of the line
	longCell   bool            // the cell began on an earlier line
	strayQuote bool            // the text after the first quote shows that it is only a quotation mark
	escaped    bool            // a stray quote follows a backslash
}

// scan adds a line of the row. As long as the quotes of a cell are not closed, the next line belongs to the cell.
func (s *rowScanner) scan(line string) {
	rest, more := line, true
	if s.inQuotes {
		s.cell.WriteByte('\n')
		s.longCell = true
		rest, more = s.quoted(rest)
	}
	for more {
		if text, isFormula := strings.CutPrefix(rest, `="`); isFormula && s.delimiter != '\t' && s.closes(text) {
			rest = rest[1:]
		}
		if inner, begins := strings.CutPrefix(rest, `"`); begins && (!s.literal || s.closes(inner)) {
			rest, more = s.quoted(inner)
			continue
		}
		var cell string
		cell, rest, more = strings.Cut(rest, string(s.delimiter))
		s.cells = append(s.cells, cell)
	}
}

// quoted reads the rest of a quoted cell. It returns the text after it, and whether another cell follows.
func (s *rowScanner) quoted(rest string) (after string, more bool) {
	for {
		text, tail, found := strings.Cut(rest, `"`)
		if s.escapes && strings.Contains(text, `\`) {
			inner := strings.TrimRight(text, `\`)
			isEscaped := found && (len(text)-len(inner))%2 == 1
			if isEscaped {
				text = text[:len(text)-1]
			}
			s.cell.WriteString(strings.ReplaceAll(text, `\\`, `\`))
			if text = ""; isEscaped {
				s.cell.WriteByte('"')
				rest = tail
				continue
			}
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
			s.strayQuote, s.escaped = true, s.escaped || strings.HasSuffix(text, `\`)
		}
		s.cell.WriteByte('"')
		rest = tail
	}
}

// closes reports whether a cell whose opening quote was read ends on this line without a stray quote.
func (s *rowScanner) closes(inner string) bool {
	probe := rowScanner{delimiter: s.delimiter, escapes: s.escapes}
	probe.quoted(inner)
	return !probe.inQuotes && !probe.strayQuote
}
