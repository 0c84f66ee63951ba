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

// isNameList reports whether the start of a text is that of a list of names, one a line: two lines or more that are
// neither long nor sentences, and that neither a delimiter nor runs of spaces make the rows of a table. A comma or a
// semicolon is in a name where most names have none, or where not all have one and a space always follows it.
func isNameList(head []byte) bool {
	const maxListedName = 200                 // bytes of a line that is taken for a name unless the format is given
	lines, coded, pairs, spaced := 0, 0, 0, 0 // lines; of a code and more, of a key and a value, of columns
	with := make(map[byte]int)                // delimiter -> number of lines with it
	dense := make(map[byte]bool)              // and whether there is one that no space follows
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
		open := bytes.LastIndexByte(line, '(') // of an id in brackets: "river fever (A75)"
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

// readNames reads a list of names, one a line, as a table of one column.
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

// nameColumn returns the columns of a table of one column, of names that are ids, and takes its header, if it has one.
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

// idOf returns the id of a name that is one: names that differ by case alone are of the concept of the first of them.
func (t *tableFile) idOf(name string) kb.ConceptID {
	id, known := t.c.named[strings.ToLower(name)]
	if !known {
		id = kb.ConceptID(name)
		t.c.named[strings.ToLower(name)] = id
	}
	return id
}
