package sentence

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// boundaries yields the positions where a sentence may end, in order: the boundaries of
// UAX 29, those before words such as "mRNA" and after marks of citations, and the end of text.
func boundaries(text string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for start := 0; start < len(text); {
			end := nextBoundary(text, start)
			lower, cited := start, start
			for at := start; ; {
				if lower <= at {
					lower = nextLowerStart(text, at, end)
				}
				if cited <= at {
					cited = nextAfterCitation(text, at, end)
				}
				if at = min(lower, cited); at == end {
					break
				}
				if !yield(at) {
					return
				}
			}
			if !yield(end) {
				return
			}
			start = end
		}
	}
}

// nextBoundary returns the end of the UAX 29 sentence that begins at start. It returns
// what the iterator of package sentences does, and is many times as fast. No rule
// breaks before a terminator or paragraph separator, and none looks further back than
// one character before it (https://unicode.org/reports/tr29/#SB7 looks furthest), so
// the iterator starts there. After most full stops the iterator is not needed at all,
// because the next character decides.
func nextBoundary(text string, start int) int {
	for from := start; from < len(text); from++ {
		switch c := text[from]; {
		case !mayEnd[c], c >= utf8.RuneSelf && neverEnds(text[from:]):
			continue
		case c != '.':
			return boundaryNear(text, start, from)
		}
		switch end, kind := classifyStop(text, from); kind {
		case endOfSentence:
			return end
		case undecided:
			return boundaryNear(text, start, from)
		}
	}
	return len(text)
}

// boundaryNear returns what nextBoundary does, if no sentence ends before text[from].
func boundaryNear(text string, start, from int) int {
	// Go back to an ASCII character. It is never of the classes Extend and Format,
	// which the rules ignore.
	for from > start {
		from--
		if text[from] < utf8.RuneSelf {
			break
		}
	}
	rest := sentences.FromString(text[from:])
	rest.Next()
	return from + len(rest.Value())
}

// stopKind is the role of a full stop, as far as the ASCII characters after it decide.
type stopKind int

const (
	undecided      stopKind = iota // the characters after it are not ASCII letters, digits or spaces
	insideSentence                 // SB6, before a digit, or SB8, before a lower-case letter
	endOfSentence                  // SB11: before spaces and a capital, or at the end of the text
)

// classifyStop returns the role of the full stop at text[at], and the end of the
// sentence if it ends one.
func classifyStop(text string, at int) (end int, kind stopKind) {
	after := text[at+1:]
	next := strings.TrimLeft(after, " ")
	spaced := len(next) < len(after)
	switch {
	case next == "":
		return len(text), endOfSentence
	case 'a' <= next[0] && next[0] <= 'z', !spaced && '0' <= next[0] && next[0] <= '9':
		return 0, insideSentence
	case spaced && 'A' <= next[0] && next[0] <= 'Z':
		return len(text) - len(next), endOfSentence
	}
	return 0, undecided
}

// neverEnds reports whether text begins with a non-ASCII character that is known to be
// in neither class of mayEnd. Most of these are signs such as "±", dashes and
// quotation marks.
func neverEnds(text string) bool {
	switch r, _ := utf8.DecodeRuneInString(text); {
	case r == '\u0085', r == '\u2024', r == '\u2028', r == '\u2029':
		return false
	case r <= unicode.MaxLatin1:
		return true
	case '\u2000' <= r && r < '\u2c00': // punctuation, arrows, mathematics
		return !unicode.Is(unicode.STerm, r)
	}
	return false
}

// mayEnd marks the bytes with which a character of the classes SATerm and ParaSep may
// begin. Of the lead bytes of UTF-8, those of Greek (CE, CF) and of accented Latin
// letters (C3) begin no such character.
var mayEnd = func() (table [256]bool) {
	for _, b := range []byte(".!?\r\n") {
		table[b] = true
	}
	for b := utf8.RuneSelf; b < len(table); b++ {
		table[b] = b >= 0xC0 && b != 0xC3 && b != 0xCE && b != 0xCF
	}
	return table
}()

// nextLowerStart returns the first position in text[from:end], after from, that follows
// a full stop and a space and where a word such as "mRNA" begins, or end if there is
// none. UAX 29 has no boundary before lower case.
func nextLowerStart(text string, from, end int) int {
	for at := from; ; {
		i := strings.Index(text[at:end], ". ")
		if i < 0 {
			return end
		}
		at += i + len(". ")
		if at > from && mixedWord(text[at:end]) {
			return at
		}
	}
}

// mixedWord reports whether text begins with a word such as "mRNA", "p53" or "iPSC" (a
// lower-case letter, with a capital or digit among the next three characters), or with
// a word such as "β-catenin".
func mixedWord(text string) bool {
	first, size := utf8.DecodeRuneInString(text)
	if !unicode.IsLower(first) {
		return false
	}
	text = text[size:]
	if unicode.Is(unicode.Greek, first) {
		return strings.HasPrefix(text, "-")
	}
	const lookahead = 3 // characters; includes "shRNA" and "miR-21", excludes "alpha2"
	n := 0
	for _, r := range text {
		if n++; n > lookahead || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
		if unicode.IsUpper(r) || unicode.IsDigit(r) {
			return true
		}
	}
	return false
}
