package link

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// softHyphen is where a word may be broken at the end of a line; it is shown only there.
const softHyphen = '\u00ad'

// brokenWords returns what stands within the words of a text that were hyphenated at the end of a line, as texts of PDF
// files are: "hyper-\ntension", or "hyper- tension" where line ends have become spaces. The hyphen may also join two
// words ("beta-\nblocker"), so it is no break unless isWord, which may be nil, reports that the word without it, in
// lower case, is one. A soft hyphen joins no words. The spans are in order and do not overlap.
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

// isBroken reports whether two runs of letters may be the halves of one word: neither is a single letter, and the second
// does not begin anew with a capital.
func isBroken(first, second string) bool {
	last, _ := utf8.DecodeLastRuneInString(first)
	begin, _ := utf8.DecodeRuneInString(second)
	return utf8.RuneCountInString(first) > 1 && utf8.RuneCountInString(second) > 1 &&
		(unicode.IsLower(begin) || unicode.IsUpper(last))
}

// isWordPart reports whether a character is a letter or belongs to one.
func isWordPart(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || r != softHyphen && normalize.IsInvisible(r)
}
