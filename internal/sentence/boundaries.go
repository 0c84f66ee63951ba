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
		segments := sentences.FromString(text)
		for start := 0; segments.Next(); {
			end := start + len(segments.Value())
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
