package table

import (
	"bufio"
	"bytes"
	"slices"
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

// FirstRows returns the cells of the first rows of a text that begins with head, at most n. Its last line may be
// cut off, and is no row unless it is the only one.
func FirstRows(head []byte, delimiter string, n int) (rows [][]string) {
	if end := bytes.LastIndexByte(head, '\n'); end >= 0 {
		head = head[:end+1]
	}
	text := bufio.NewReaderSize(bytes.NewReader(head), len(head))
	reader := NewReader(text, Dialect{Delimiter: delimiter}, files.Limits{}, 0)
	for len(rows) < n {
		row, err := reader.Next()
		if err != nil && row.Cells == nil { // a row of too many cells is one
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
		if Filled(cells) > 1 {
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

// Word gives a role to the columns with some names.
type Word[R any] struct {
	Role R
	// Names are separated by spaces. An asterisk in one stands for any text, one at each end for any texts, and # at its
	// end for a number.
	Names string
}

// Words tell what a column has by its name: the first that has the name decides.
type Words[R any] []namedRole[R]

// namedRole is a role of the columns with a name, which is a text with its start and end, or has a text anywhere within.
type namedRole[R any] struct {
	role       R
	start, end string
	isPattern  bool // any text may stand between start and end
	isWithin   bool // start is anywhere
}

// NewWords returns words of which the first that has the name of a column decides.
func NewWords[R any](words []Word[R]) (w Words[R]) {
	for _, word := range words {
		for name := range strings.FieldsSeq(word.Names) {
			start, end, isPattern := strings.Cut(name, "*")
			inner, isWithin := strings.CutSuffix(end, "*")
			if isWithin {
				start = inner
			}
			w = append(w, namedRole[R]{word.Role, start, end, isPattern, isWithin})
		}
	}
	return w
}

// Role returns the role of a column with a name as [Plain] returns it, and whether it has one.
func (w Words[R]) Role(plain string) (role R, found bool) {
	numbered := plain
	if letters := strings.TrimRight(plain, "0123456789"); letters != plain {
		numbered = letters + "#"
	}
	i := slices.IndexFunc(w, func(named namedRole[R]) bool {
		switch {
		case named.isWithin:
			return strings.Contains(plain, named.start)
		case named.isPattern:
			rest, begins := strings.CutPrefix(plain, named.start)
			return begins && strings.HasSuffix(rest, named.end)
		}
		return named.start == plain || named.start == numbered
	})
	if i < 0 {
		return role, false
	}
	return w[i].role, true
}

// Has reports whether a name is one of the names of a [Word].
func Has(names, plain string) bool {
	_, found := NewWords([]Word[struct{}]{{Names: names}}).Role(plain)
	return found
}
