package kbfile

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// maxListedName is the greatest length, in bytes, of a line that is taken for a name unless the format is given.
const maxListedName = 200

// isNameList reports whether the start of a text is that of a list of names, one a line: two lines or more that are
// neither long nor sentences, and that neither a delimiter nor runs of spaces make the rows of a table. A comma or a
// semicolon is in a name where most names have none, or where not all have one and a space always follows it.
func isNameList(head []byte) bool {
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
		if code, _, more := strings.Cut(string(line), " "); more && isIDLike(code) || endsInCode(line) {
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

// endsInCode reports whether a line ends in an id in brackets: "river fever (A75)".
func endsInCode(line []byte) bool {
	open := bytes.LastIndexByte(line, '(')
	return open > 0 && line[len(line)-1] == ')' && isIDLike(string(line[open+1:len(line)-1]))
}

// nameList collects the names of a list. A name is the identifier of its concept; names that differ by case alone are
// of one concept, whose identifier is the first of them.
type nameList struct {
	c   *collector
	ids map[string]kb.ConceptID // name in lower case -> identifier
}

// add adds a name.
func (l *nameList) add(name string, line int) error {
	if name = strings.TrimPrefix(strings.TrimSpace(name), "- "); name == "" { // an item of a list
		l.c.report.Counts[emptyNames]++
		return nil
	}
	id, known := l.ids[strings.ToLower(name)]
	if !known {
		id = kb.ConceptID(name)
		l.ids[strings.ToLower(name)] = id
	}
	return l.c.addChecked(line, kb.Concept{ID: id, Name: name})
}

// isHeading reports whether the first cell of a column is the name of a column of names.
func isHeading(cell string) bool {
	return slices.Contains([]role{roleName, roleSynonyms}, roleOf(cell))
}

// readNames reads a list of names, one a line. Lines that begin with # are comments, and the first may be the name of
// a column.
func (c *collector) readNames(lines *input.Lines) error {
	list, first := &nameList{c, make(map[string]kb.ConceptID)}, true
	return c.eachLine(lines, func(text string, line int) error {
		isComment := text[0] == '#'
		if isComment || first && isHeading(text) {
			c.report.Rows--
			first = first && isComment
			return nil
		}
		first = false
		return list.add(text, line)
	})
}

// readColumn reads the names of a table of one column.
func (t *tableFile) readColumn() error {
	if len(t.sample) > 0 {
		isDelimiter := func(r rune) bool { return strings.ContainsRune(",;|\t", r) }
		switch first := t.sample[0].Cells[0]; {
		case rolesOf(strings.FieldsFunc(first, isDelimiter)).areNamed():
			return fmt.Errorf("want each cell in quotes, or none, got %s: each row is in quotes as one cell",
				input.Quote(first))
		case isHeading(first):
			t.header, t.sample = t.sample[0].Cells, t.sample[1:]
		case roleOf(first) == roleID:
			return fmt.Errorf("want a column of names beside the ids, got the column %s alone", input.Quote(first))
		}
	}
	t.describe(columns{roleName})
	list := &nameList{t.c, make(map[string]kb.ConceptID)}
	return t.each(func(r row) error {
		t.c.report.Rows++
		if len(r.Cells) != 1 {
			got := fmt.Sprintf("%d cells: %s", len(r.Cells), input.Quote(strings.Join(r.Cells, "\t")))
			return t.c.badRow(r.Line, "one name", got)
		}
		if made := t.cols.checkMade(r); made != nil {
			return t.c.reject(r.Line, made)
		}
		return list.add(r.Cells[0], r.Line)
	})
}
