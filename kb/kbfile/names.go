package kbfile

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/table"
	"github.com/ctxnorm/ctxnorm/kb"
)

// isNameList reports whether a text begins like a list of names, one per line: at least two lines that are neither long
// nor sentences, nor rows of a table with delimiters or runs of spaces. A comma or semicolon belongs to the names if
// most names have none, or if not all have one and a space always follows it.
func isNameList(head []byte) bool {
	const maxListedName = 200                 // maximum length of a name in bytes, unless the format is given
	lines, coded, pairs, spaced := 0, 0, 0, 0 // lines; lines with a code and more, with a key and a value, with columns
	with := make(map[byte]int)                // delimiter -> number of lines with it
	dense := make(map[byte]bool)              // whether some line has it without a space after it
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		opens := strings.IndexByte("<{[@*>\"", line[0]) >= 0
		if ends := strings.IndexByte(".?!:", line[len(line)-1]) >= 0; opens || ends || len(line) > maxListedName {
			return false
		}
		lines++
		open := bytes.LastIndexByte(line, '(') // before an id in brackets: "river fever (A75)"
		endsInCode := open > 0 && line[len(line)-1] == ')' && isIDLike(string(line[open+1:len(line)-1]))
		if code, _, more := strings.Cut(string(line), " "); more && isIDLike(code) || endsInCode {
			coded++
		}
		if bytes.Contains(line, []byte(": ")) || bytes.Contains(line, []byte(" = ")) {
			pairs++
		}
		if bytes.Contains(line, []byte("  ")) {
			spaced++
		}
		for _, delimiter := range []byte("\t|,;") {
			if at := bytes.IndexByte(line, delimiter); at >= 0 {
				with[delimiter]++
				dense[delimiter] = dense[delimiter] || !bytes.HasPrefix(line[at+1:], []byte(" "))
			}
		}
	}
	inNames := func(delimiter byte) bool {
		return 2*with[delimiter] < lines || with[delimiter] < lines && !dense[delimiter]
	}
	isList := lines > 1 && coded < lines && 2*pairs < lines && spaced < lines
	return isList && with['\t'] == 0 && with['|'] == 0 && inNames(',') && inNames(';')
}

// readNames reads a list of names, one per line, as a table with one column.
func (c *collector) readNames(r *bufio.Reader) error {
	lines := input.NewLines(r, c.opts.Limits)
	if _, err := c.comments(r, lines); err != nil {
		return err
	}
	dialect := table.Dialect{Delimiter: "\n", Plain: true}
	t := &tableFile{c: c, rows: table.NewReader(r, dialect, c.opts.Limits, lines.Number())}
	t.readSample()
	err := c.readRows(t)
	c.report.Columns = nil
	return err
}

// nameColumn returns the only column of a table in which names are ids, and takes its header if there is one.
func (t *tableFile) nameColumn() (columns, error) {
	first, isTable := t.sample[0].Cells[0], t.c.report.Format != formatNames
	isDelimiter := func(r rune) bool { return strings.ContainsRune(",;|\t", r) }
	switch role := roleOf(first); {
	case isTable && rolesOf(strings.FieldsFunc(first, isDelimiter)).areNamed():
		return nil, fmt.Errorf("want each cell in quotes, or none, got %s: each row is in quotes as one cell", input.Quote(first))
	case role == roleName, role == roleSynonyms:
		t.takeHeader()
	case isTable && role == roleID:
		return nil, fmt.Errorf("want a column of names beside the ids, got the column %s alone", input.Quote(first))
	}
	return columns{roleName}, nil
}

// idOf returns the id of a name where names are ids. Names that differ only in case share the id of the first.
func (t *tableFile) idOf(name string) kb.ConceptID {
	id, known := t.c.named[strings.ToLower(name)]
	if !known {
		id = kb.ConceptID(name)
		t.c.named[strings.ToLower(name)] = id
	}
	return id
}
