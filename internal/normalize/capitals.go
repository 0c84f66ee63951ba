package normalize

import (
	"strings"
	"unicode"
)

// HasCapitalsOf reports whether a mention may be a proper name: each of its words that the name writes with a capital
// has one in the mention, too. "Apple", "APPLE" and "Apple stores" have those of the name "Apple Inc.", "apple" and
// "apple inc" have not. Words are compared by their stems.
func HasCapitalsOf(name, mention string) bool {
	proper := make(map[string]bool) // stem of a word of the name -> whether it has a capital wherever it occurs
	eachWord(name, func(stem string, capital bool) {
		before, seen := proper[stem]
		proper[stem] = capital && (before || !seen)
	})
	has := true
	eachWord(mention, func(stem string, capital bool) { has = has && (capital || !proper[stem]) })
	return has
}

// eachWord calls do with the stem of each word, and whether the word has a capital.
func eachWord(s string, do func(stem string, capital bool)) {
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return !IsWordRune(r) }) {
		do(Stem(SStem(strings.ToLower(word))), strings.ContainsFunc(word, unicode.IsUpper))
	}
}
