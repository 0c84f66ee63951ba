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

// Words tell what a column has by its name.
type Words[R any] struct {
	words    []Word[R]
	exact    map[string]int // name -> index of its first word
	patterns []pattern      // in the order of the words
}

type pattern struct {
	word       int
	start, end string
	within     bool // start is anywhere
}

// NewWords returns words of which the first that has the name of a column decides.
func NewWords[R any](words []Word[R]) *Words[R] {
	w := &Words[R]{words: words, exact: make(map[string]int)}
	for i := range words {
		for name := range strings.FieldsSeq(words[i].Names) {
			start, end, isPattern := strings.Cut(name, "*")
			inner, isWithin := strings.CutSuffix(end, "*")
			switch _, known := w.exact[name]; {
			case isWithin:
				w.patterns = append(w.patterns, pattern{i, inner, "", true})
			case isPattern:
				w.patterns = append(w.patterns, pattern{i, start, end, false})
			case !known:
				w.exact[name] = i
			}
		}
	}
	return w
}

// Role returns the role of a column with a name as [Plain] returns it, and whether it has one.
func (w *Words[R]) Role(plain string) (role R, found bool) {
	best := len(w.words)
	if i, known := w.exact[plain]; known {
		best = i
	}
	if letters := strings.TrimRight(plain, "0123456789"); letters != plain {
		if i, known := w.exact[letters+"#"]; known {
			best = min(best, i)
		}
	}
	for _, p := range w.patterns {
		if p.word < best && p.matches(plain) {
			best = p.word
		}
	}
	if best == len(w.words) {
		return role, false
	}
	return w.words[best].Role, true
}

func (p *pattern) matches(plain string) bool {
	if p.within {
		return strings.Contains(plain, p.start)
	}
	return len(plain) >= len(p.start)+len(p.end) && strings.HasPrefix(plain, p.start) && strings.HasSuffix(plain, p.end)
}

// Has reports whether a name is one of the names of a [Word].
func Has(names, plain string) bool {
	_, found := NewWords([]Word[struct{}]{{Names: names}}).Role(plain)
	return found
}
