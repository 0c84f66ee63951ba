package table

import (
	"bufio"
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/files"
)

// Delimiters are the characters that separate the cells of a table, in the order in which they are tried: the tab comes
// first because names never contain it.
const Delimiters = "\t,;|"

// MaxTitle is the maximum number of title rows above a header.
const MaxTitle = 10

// SeparatorLine returns the delimiter in a first line such as "sep=;", which Excel writes, or "".
func SeparatorLine(line string) string {
	delimiter, found := strings.CutPrefix(strings.Trim(line, `"`), "sep=")
	if !found || len(delimiter) != 1 || !strings.Contains(Delimiters, delimiter) {
		return ""
	}
	return delimiter
}

// FirstRows returns the cells of at most n first rows of a text that begins with head. The last line of head may be cut
// off, and is skipped unless it is the only one.
func FirstRows(head []byte, delimiter string, n int) (rows [][]string) {
	if end := bytes.LastIndexByte(head, '\n'); end >= 0 {
		head = head[:end+1]
	}
	text := bufio.NewReaderSize(bytes.NewReader(head), len(head))
	reader := NewReader(text, Dialect{Delimiter: delimiter}, files.Limits{}, 0)
	for len(rows) < n {
		row, err := reader.Next()
		if err != nil && row.Cells == nil { // a row with too many cells counts
			break
		}
		rows = append(rows, row.Cells)
	}
	return rows
}

// Header returns the index of the header among the first rows of a table, or -1: the first row for which is returns
// true. It may follow the rows of a title, which have at most one cell that is not blank.
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

// Sniff returns the delimiter with which the first rows of a text that begins with head have a header, or "".
func Sniff(head []byte, is func(cells []string) bool) string {
	for _, delimiter := range Delimiters {
		if Header(FirstRows(head, string(delimiter), MaxTitle+1), is) >= 0 {
			return string(delimiter)
		}
	}
	return ""
}

// Plain returns the letters and digits of a column name, in lower case.
func Plain(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// Word gives a role to columns with certain names.
type Word[R any] struct {
	Role R
	// Names are separated by spaces. An asterisk stands for any text. With an asterisk at each end, a name matches
	// anywhere. A # at the end stands for a number.
	Names string
}

// Words maps column names to roles. The first match counts.
type Words[R any] []namedRole[R]

// namedRole is the role of columns whose name starts and ends with certain texts, or contains a text.
type namedRole[R any] struct {
	role       R
	start, end string
	isPattern  bool // any text may be between start and end
	isWithin   bool // start may be anywhere in the name
}

// NewWords returns the Words of a list, in its order.
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

// Role returns the role of a column, given its name as returned by [Plain], and whether it has one.
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
