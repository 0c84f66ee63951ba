package abbrev

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

var lang = &language.Rules.Abbreviations

// validShort reports whether s looks like a short form. It is stricter than the paper and rejects quantities ("80
// nmol", "P<0.01") and words in lower case.
func validShort(s string) bool {
	const maxLower = 4 // letters of a word in lower case: "nbd", "dppe", but not "three", "range"
	first, _ := utf8.DecodeRuneInString(s)
	n, words := normalize.CountWordRunes(s), strings.Fields(s)
	switch {
	case lang.NotShort[s], !normalize.IsWordRune(first), n < 2, n > normalize.MaxShortForm, isLabel.MatchString(s),
		!strings.ContainsFunc(s, unicode.IsLetter), strings.ContainsAny(s, "<=>"),
		len(words) > 2, len(words) == 2 && !strings.ContainsFunc(words[0], unicode.IsLetter):
		return false
	}
	return n <= maxLower || strings.ContainsFunc(s, func(r rune) bool {
		return normalize.IsWordRune(r) && !unicode.IsLower(r)
	})
}

// isLabel matches a number with a small letter, like the label of a compound or part of a figure: "2b".
var isLabel = regexp.MustCompile(`^[0-9]+[a-z]$`)

// validLong reports whether long can be a long form of short. It is stricter than the paper and rejects long forms that
// extend across a clause: "pressure was monitored (PM)".
func validLong(short, long string) bool {
	words := strings.FieldsFunc(long, func(r rune) bool { return r == '-' || unicode.IsSpace(r) })
	words = slices.DeleteFunc(words, func(word string) bool { return strings.Trim(word, "0123456789,") == "" }) // numbered positions of chemical groups
	return len(long) > len(short) && balanced(long) && len(words) <= maxLongWords(short) &&
		!slices.ContainsFunc(strings.Split(short, "/"), func(part string) bool { return len(part) > 1 && hasToken(long, part) }) &&
		!strings.Contains(long+" ", ": ") && !strings.Contains(long, ";") &&
		!slices.ContainsFunc(words, func(word string) bool { return lang.ClauseVerbs[word] })
}

// hasToken reports whether s contains a token that no further letters, numbers or hyphen follow.
func hasToken(s, token string) bool {
	return slices.ContainsFunc(strings.Split(s, token)[1:], func(after string) bool {
		next := normalize.FirstRune(after)
		return next != '-' && normalize.IsNoWordRune(next)
	})
}

// balanced reports whether the brackets in s are paired and s does not begin with a bracketed remark on the text before
// ("(treatment 1) and 29 %").
func balanced(s string) bool {
	depth := 0
	for i, c := range s {
		switch c {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
			if depth < 0 || depth == 0 && s[0] == '(' && strings.IndexAny(s[i+1:]+" ", " ,;.") == 0 {
				return false
			}
		}
	}
	return depth == 0
}

// maxLongWords returns the paper's limit on the number of words in a long form of short.
func maxLongWords(short string) int {
	n := normalize.CountWordRunes(short)
	return min(n+5, 2*n)
}
