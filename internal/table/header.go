package table

import (
	"bufio"
	"bytes"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/files"
)

// Delimiters are the characters that separate the cells of a table, in the order in which they are tried: a tab is in
// no name.
const Delimiters = "\t,;|"

// MaxTitle is the greatest number of rows of a title above a header.
const MaxTitle = 10

// SeparatorLine returns the delimiter that the first line of a table names as Excel does, "sep=;", or "".
func SeparatorLine(line string) string {
	delimiter, found := strings.CutPrefix(strings.Trim(line, `"`), "sep=")
	if !found || len(delimiter) != 1 || !strings.Contains(Delimiters, delimiter) {
		return ""
	}
	return delimiter
}

// FirstRows returns the cells of the first rows of a text that begins with head, at most n. The last line of head may be
// cut off, and is no row unless it is the only one.
func FirstRows(head []byte, delimiter string, n int) (rows [][]string) {
	if end := bytes.LastIndexByte(head, '\n'); end >= 0 {
		head = head[:end+1]
	}
	reader := NewReader(bufio.NewReaderSize(bytes.NewReader(head), len(head)), Dialect{Delimiter: delimiter}, files.Limits{}, 0)
	for len(rows) < n {
		row, err := reader.Next()
		if err != nil {
			break
		}
		rows = append(rows, row.Cells)
	}
	return rows
}

// Header returns the position of the header among the first rows of a table, the first row for which is is true: it may
// be below the rows of a title, which have one cell that is not blank. It is -1 if there is none.
func Header(rows [][]string, is func(cells []string) bool) int {
	for i, cells := range rows[:min(len(rows), MaxTitle+1)] {
		if is(cells) {
			return i
		}
		if filled(cells) > 1 {
			break
		}
	}
	return -1
}

// Sniff returns the delimiter by which the first rows of a text that begins with head have a header, "" if there is
// none.
func Sniff(head []byte, is func(cells []string) bool) string {
	for _, delimiter := range Delimiters {
		if Header(FirstRows(head, string(delimiter), MaxTitle+1), is) >= 0 {
			return string(delimiter)
		}
	}
	return ""
}

// Plain returns the letters and digits of the name of a column, in lower case.
func Plain(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// Words say what a column has by its name, as [Plain] returns it. The first line with a word that matches decides.
type Words[R any] []struct {
	Role R
	// Words are separated by spaces. An asterisk at the start or the end of one stands for any text.
	Words string
}

// Role returns the role of a column, and whether it has one.
func (w Words[R]) Role(plain string) (role R, found bool) {
	for i := range w {
		for word := range strings.FieldsSeq(w[i].Words) {
			if matches(word, plain) {
				return w[i].Role, true
			}
		}
	}
	return role, false
}

// Has reports whether a name matches one of the words.
func Has(words, plain string) bool {
	_, found := Words[struct{}]{{Words: words}}.Role(plain)
	return found
}

func matches(word, plain string) bool {
	inner, anyEnd := strings.CutSuffix(word, "*")
	inner, anyStart := strings.CutPrefix(inner, "*")
	switch {
	case anyStart && anyEnd:
		return strings.Contains(plain, inner)
	case anyStart:
		return strings.HasSuffix(plain, inner)
	case anyEnd:
		return strings.HasPrefix(plain, inner)
	}
	return plain == word
}
