package link

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// softHyphen marks where a word may be broken at the end of a line; it is visible only there.
const softHyphen = '\u00ad'

// brokenWords returns the hyphens and white space inside words that were hyphenated at the end of a line, as in texts
// from PDF files: "hyper-\ntension", or "hyper- tension" if line ends have become spaces. The hyphen may also join two
// words ("beta-\nblocker"), so it counts as a break only if isWord, which may be nil, reports that the joined word in
// lower case is a word. A soft hyphen never joins two words. The spans are in order and do not overlap.
func brokenWords(s string, isWord func(string) bool) []text.Span {
	var breaks []text.Span
	for at := 0; ; {
		next := strings.IndexFunc(s[at:], isHyphen)
		if next < 0 {
			return breaks
		}
		hyphen, size := utf8.DecodeRuneInString(s[at+next:])
		gap := text.Span{Start: at + next, End: at + next + size}
		at = gap.End
		gap.End = len(s) - len(strings.TrimLeftFunc(s[at:], unicode.IsSpace))
		if gap.End == at || strings.Count(gap.Of(s), "\n") > 1 || len(breaks) > 0 && breaks[len(breaks)-1].End == gap.Start {
			continue
		}
		first, second := s[:gap.Start], s[gap.End:]
		first = first[len(strings.TrimRightFunc(first, isWordPart)):]
		second = second[:len(second)-len(strings.TrimLeftFunc(second, isWordPart))]
		if hyphen == softHyphen && first != "" && second != "" || isWord != nil && isBroken(first, second) &&
			isWord(normalize.Normal(first+second)) {
			breaks = append(breaks, gap)
		}
	}
}

func isHyphen(r rune) bool { return r == '-' || r == '\u2010' || r == softHyphen }

// isBroken reports whether two runs of letters may be the halves of one word: both have several letters, and the second
// does not start with a capital unless the first ends in one.
func isBroken(first, second string) bool {
	last, _ := utf8.DecodeLastRuneInString(first)
	begin, _ := utf8.DecodeRuneInString(second)
	return utf8.RuneCountInString(first) > 1 && utf8.RuneCountInString(second) > 1 &&
		(unicode.IsLower(begin) || unicode.IsUpper(last))
}

// isWordPart reports whether a character is a letter, a mark, or an invisible character other than a soft hyphen.
func isWordPart(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || r != softHyphen && normalize.IsInvisible(r)
}
