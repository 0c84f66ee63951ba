package segment

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// boundaries gives the places where a sentence may end, in order, the end of
// text last: those of UAX 29 and those before words such as "mRNA".
func boundaries(text string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for start := 0; start < len(text); {
			end := nextBoundary(text, start)
			for at := start; ; {
				at = nextLowerStart(text, at, end)
				if at == end {
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

// nextBoundary is the end of the UAX 29 sentence that begins at start. It is
// what the iterator of package sentences gives, many times as fast: no rule
// breaks before a terminator or paragraph separator has been seen, and none
// looks further back than the one character before that, so the search begins
// there. (SB7 of https://unicode.org/reports/tr29/#SB7 looks furthest.) What
// follows most full stops is plain, and the iterator is not asked.
func nextBoundary(text string, start int) int {
	for from := start; from < len(text); from++ {
		switch c := text[from]; {
		case !mayEnd[c], c >= utf8.RuneSelf && plain(text[from:]):
			continue
		case c != '.':
			return boundaryNear(text, start, from)
		}
		switch end, is := plainStop(text, from); is {
		case endOfSentence:
			return end
		case unsure:
			return boundaryNear(text, start, from)
		}
	}
	return len(text)
}

// boundaryNear is nextBoundary where no sentence ends before text[from].
func boundaryNear(text string, start, from int) int {
	// One ASCII character back: it is never Extend or Format, which the rules
	// look through.
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

// stop is what a full stop is, as far as the ASCII behind it tells.
type stop int

const (
	unsure        stop = iota
	inside             // a sentence that goes on: SB6 before a digit, SB8 before a small letter
	endOfSentence      // SB11: spaces and a capital, or the end of the text
)

// plainStop tells what the full stop at text[at] is, and where a sentence ends
// that ends with it.
func plainStop(text string, at int) (end int, is stop) {
	behind := text[at+1:]
	next := strings.TrimLeft(behind, " ")
	spaced := len(next) < len(behind)
	switch {
	case next == "":
		return len(text), endOfSentence
	case 'a' <= next[0] && next[0] <= 'z', !spaced && '0' <= next[0] && next[0] <= '9':
		return 0, inside
	case spaced && 'A' <= next[0] && next[0] <= 'Z':
		return len(text) - len(next), endOfSentence
	}
	return 0, unsure
}

// plain reports whether text begins with a character, not of ASCII, that surely is
// of neither class of mayEnd: most are signs such as "±", dashes and quotation
// marks.
func plain(text string) bool {
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

// mayEnd marks the bytes at which a character of the classes SATerm and ParaSep
// may begin. Of the lead bytes of UTF-8, those of Greek (CE, CF) and of the
// accented Latin letters (C3) begin none.
var mayEnd = func() (table [256]bool) {
	for _, b := range []byte(".!?\r\n") {
		table[b] = true
	}
	for b := utf8.RuneSelf; b < len(table); b++ {
		table[b] = b >= 0xC0 && b != 0xC3 && b != 0xCE && b != 0xCF
	}
	return table
}()

// nextLowerStart is the first place in text[from:end], after from, where a full
// stop and a space are followed by a word that begins in lower case and still
// looks like the start of a sentence; end if there is none. UAX 29 has no
// boundary before lower case.
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

// mixedWord reports whether text begins with a word such as "mRNA", "p53" or
// "iPSC" (a lower-case letter, and a capital or digit among the next three
// characters) or such as "β-catenin".
func mixedWord(text string) bool {
	first, size := utf8.DecodeRuneInString(text)
	if !unicode.IsLower(first) {
		return false
	}
	text = text[size:]
	if unicode.Is(unicode.Greek, first) {
		return strings.HasPrefix(text, "-")
	}
	const look = 3 // characters; covers "shRNA" and "miR-21" at 3, leaves out "alpha2"
	n := 0
	for _, r := range text {
		if n++; n > look || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
		if unicode.IsUpper(r) || unicode.IsDigit(r) {
			return true
		}
	}
	return false
}
