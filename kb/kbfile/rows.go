package kbfile

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
)

// row is a row of a table and the line it starts on.
type row struct {
	cells   []string
	line    int
	changed map[int]string // of a sheet: see Worksheet.Changed
}

// spreadsheetDate and spreadsheetNumber are what spreadsheets write to a text file in place of the identifiers 1-8 and
// 900000000000207008, say.
var (
	spreadsheetDate   = regexp.MustCompile(`^\d{1,2}-(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:-\d{2,4})?$`)
	spreadsheetNumber = regexp.MustCompile(`^\d(?:\.\d+)?E\+\d{2,}$`)
)

// madeOf returns what a spreadsheet made of a cell with a name or an identifier, or "".
func (r row) madeOf(column int, isID bool) string {
	if changed := r.changed[column]; changed != "" {
		return changed
	}
	switch cell := r.cells[column]; {
	case len(cell) < 5 || cell[0] < '0' || cell[0] > '9':
	case spreadsheetDate.MatchString(cell):
		return "the date " + cell
	case isID && spreadsheetNumber.MatchString(cell):
		return fmt.Sprintf("the number %s, of which a spreadsheet keeps 15 digits", cell)
	}
	return ""
}

// checkMade returns the error for the first cell with a name or an identifier that a spreadsheet has changed, or nil.
func (r row) checkMade(cols columns) *input.LineError {
	for i := range min(len(cols), len(r.cells)) {
		isID := cols[i] == roleID || cols[i] == roleAltIDs || cols[i] == roleXrefs || cols[i] == roleParents
		if !isID && !cols[i].names() {
			continue
		}
		if made := r.madeOf(i, isID); made != "" {
			want := "what was typed"
			if i < 26 {
				want = fmt.Sprintf("what was typed in cell %c%d", 'A'+i, r.line)
			}
			return &input.LineError{Want: want, Got: made + ": format the column as text, and type it again"}
		}
	}
	return nil
}

// bytes returns the memory of the cells.
func (r row) bytes() int64 {
	n := int64(0)
	for _, cell := range r.cells {
		n += stringSize + int64(len(cell))
	}
	return n
}

// rowReader reads the rows of a table. A *input.LineError is not final; the row then has
// only its line.
type rowReader interface {
	next() (row, error)
}

// tsvRows reads rows of cells separated by tabs. Quotes around a cell are removed, as R's
// write.table, Excel and HGNC write them; others have no special meaning. In the dumps of NCBI,
// whose first row ends with dumpEnd, a bar stands between two tabs. In results of SPARQL, whose header has variables
// such as "?item" alone, cells are terms of RDF.
type tsvRows struct {
	lines   *input.Lines
	started bool
	dump    bool
	terms   bool
}

const dumpEnd = "\t|"

func (t *tsvRows) next() (row, error) {
	for {
		text, err := t.lines.Next()
		if err != nil {
			return row{line: t.lines.Number()}, err
		}
		if strings.IndexByte(text, 0) >= 0 {
			return row{line: t.lines.Number()}, hasNUL(text)
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		first := !t.started
		if first {
			t.started, t.dump = true, strings.HasSuffix(text, dumpEnd)
		}
		separator := "\t"
		if t.dump {
			text, separator = strings.TrimSuffix(text, dumpEnd), dumpEnd+"\t"
		}
		cells := strings.Split(text, separator)
		if !t.terms {
			for i, cell := range cells {
				cells[i] = unquoted(cell)
			}
		}
		if t.terms || first && !slices.ContainsFunc(cells, isNoVariable) {
			t.terms = true
			for i, cell := range cells {
				cells[i] = termText(cell)
			}
		}
		return row{cells: cells, line: t.lines.Number()}, nil
	}
}

// isNoVariable reports whether a cell is not the name of a variable of SPARQL, such as "?item".
func isNoVariable(cell string) bool { return len(cell) < 2 || cell[0] != '?' }

// literal is a string of RDF with its language or type, as in https://www.w3.org/TR/sparql11-results-csv-tsv/.
var literal = regexp.MustCompile(`^"(.*)"(?:@[A-Za-z0-9-]+|\^\^<[^>]*>)?$`)

// literalEscapes are the escapes in strings of RDF.
var literalEscapes = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\t`, " ", `\n`, " ", `\r`, " ")

// termText returns the text of a term of RDF, an IRI in angle brackets or a literal, or of a variable.
func termText(cell string) string {
	switch parts := literal.FindStringSubmatch(cell); {
	case parts != nil:
		return literalEscapes.Replace(parts[1])
	case strings.HasPrefix(cell, "<") && strings.HasSuffix(cell, ">"):
		return cell[1 : len(cell)-1]
	}
	return strings.TrimPrefix(cell, "?")
}

// unquoted returns the content of a cell in quotes, in which quotes are doubled, or any other cell as it is.
func unquoted(cell string) string {
	if len(cell) < 2 || cell[0] != '"' || cell[len(cell)-1] != '"' {
		return cell
	}
	content := cell[1 : len(cell)-1]
	if strings.IndexByte(content, '"') < 0 {
		return content
	}
	plain := strings.ReplaceAll(content, `""`, "")
	if strings.IndexByte(plain, '"') >= 0 {
		return cell
	}
	return strings.ReplaceAll(content, `""`, `"`)
}

// isDump reports whether the rows are those of a dump of NCBI.
func (t *table) isDump() bool {
	rows, ok := t.rows.(*tsvRows)
	return ok && rows.dump
}

// csvRows reads CSV as in RFC 4180 and [input.NewPlainQuotes], with any delimiter and any number of cells per row.
type csvRows struct {
	r          *csv.Reader
	records    *input.RecordReader // the source of r
	lineOffset int                 // number of lines of the file before the first line of r
	line       int                 // on which the last row began
}

func newCSVRows(r io.Reader, delimiter rune, lineOffset int, limits files.Limits) *csvRows {
	records := input.NewRecordReader(input.NewPlainQuotes(r, byte(delimiter)), "a row of CSV", limits)
	reader := csv.NewReader(records)
	reader.Comma = delimiter
	reader.FieldsPerRecord = -1
	return &csvRows{r: reader, records: records, lineOffset: lineOffset, line: lineOffset}
}

func (c *csvRows) next() (row, error) {
	for {
		r, err := c.nextRecord()
		isBlank := !slices.ContainsFunc(r.cells, func(cell string) bool { return strings.TrimSpace(cell) != "" })
		if err != nil || !isBlank && !input.IsTableRule(strings.Join(r.cells, "")) { // spreadsheets write blank rows as ",,"
			return r, err
		}
	}
}

// nextRecord returns the next row, blank or not.
func (c *csvRows) nextRecord() (row, error) {
	c.records.Begin(c.r.InputOffset())
	cells, err := c.r.Read()
	if parseError, ok := errors.AsType[*csv.ParseError](err); ok {
		return row{line: c.lineOffset + parseError.StartLine}, &input.LineError{
			Want: "a row of CSV",
			Got: fmt.Sprintf("%v at line %d, byte %d", parseError.Err, c.lineOffset+parseError.Line,
				parseError.Column),
		}
	}
	if err == io.EOF {
		return row{}, err
	}
	if err != nil {
		return row{}, fmt.Errorf("row after that of line %d: %w", c.line, err)
	}
	line, _ := c.r.FieldPos(0)
	line += c.lineOffset
	c.line = line
	for i, cell := range cells {
		if at := input.InvalidUTF8(cell); at >= 0 {
			bad := input.NotUTF8(cell, at)
			bad.Want = fmt.Sprintf("%s in column %d", bad.Want, i+1)
			return row{line: line}, bad
		}
		if strings.IndexByte(cell, 0) >= 0 {
			return row{line: line}, hasNUL(cell)
		}
	}
	return row{cells: cells, line: line}, nil
}
