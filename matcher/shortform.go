package matcher

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// validShort reports whether s has the form of a short form. Beyond the paper,
// what is plainly none is refused: a quantity ("80 nmol", "P<0.01") and a word
// in lower case.
func validShort(s string) bool {
	const longestLower = 4 // letters: "nbd", "dppe", but not "three", "range"
	first, _ := utf8.DecodeRuneInString(s)
	if !isWord(first) {
		return false
	}
	n := countWord(s)
	if n < 2 || n > maxShort || !strings.ContainsFunc(s, unicode.IsLetter) || strings.ContainsAny(s, "<=>") {
		return false
	}
	words := strings.Fields(s)
	if len(words) > 2 || len(words) == 2 && !strings.ContainsFunc(words[0], unicode.IsLetter) {
		return false
	}
	return n <= longestLower || strings.ContainsFunc(s, func(r rune) bool { return isWord(r) && !unicode.IsLower(r) })
}

// validLong reports whether long can be a long form of short. Beyond the paper,
// what reaches over a clause is refused: "pressure was monitored (PM)".
func validLong(short, long string) bool {
	words := strings.FieldsFunc(long, func(r rune) bool { return r == '-' || unicode.IsSpace(r) })
	return len(long) > len(short) && balanced(long) && len(words) <= maxLongWords(short) &&
		!strings.Contains(long+" ", short+" ") && !strings.Contains(long+" ", ": ") && !strings.Contains(long, ";") &&
		!slices.ContainsFunc(words, func(word string) bool { return copulas[word] })
}

// copulas are in no long form.
var copulas = wordSet(`are is was were`)

// balanced reports whether brackets in s are in pairs, and s does not begin with
// one that is a remark on what came before ("(treatment 1) and 29 %").
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

// maxLongWords is the number of words that a long form has at most.
func maxLongWords(short string) int {
	n := countWord(short)
	return min(n+5, 2*n)
}

// countWord counts the letters and numbers of s.
func countWord(s string) int {
	n := 0
	for _, r := range s {
		if isWord(r) {
			n++
		}
	}
	return n
}
