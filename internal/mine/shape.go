package mine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

const minLetters = 5 // of a name in apposition

// isName reports whether a phrase has the form of a name. It rejects other things that texts put next to names:
// figures, descriptions of an aspect ("risk of gout"), and fragments of a sentence.
func isName(phrase string) bool {
	words := strings.Fields(variantKey(phrase))
	letters := 0
	for _, r := range phrase {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	switch {
	case letters < minLetters, normalize.AllCapitals(normalize.SingularShortForm(phrase)), strings.ContainsAny(phrase, "=<>%±@/"):
		return false
	case lang.SameAdverbs[words[0]], lang.FunctionWords[words[0]], lang.VagueWords[words[len(words)-1]]:
		return false
	case len(contentWords(phrase)) == 0, !normalize.IsWordRune(normalize.FirstRune(phrase)):
		return false
	}
	for i, w := range words {
		_, isCueVerb := lang.CueVerbs[w]
		switch {
		case isCueVerb, lang.FigureWords[w]: // "disease called gout", "12 months"
			return false
		case len(w) >= 4 && slices.Contains(words[:i], w): // two phrases without a separator
			return false
		case i+1 < len(words) && words[i+1] == lang.Of && (lang.KindNouns[w] || lang.AspectNouns[w]):
			return false
		}
	}
	return true
}

// contentWords returns the words of a phrase, in the form of variantKey, that have at least four letters and are not
// general.
func contentWords(phrase string) map[string]bool {
	words := make(map[string]bool)
	for w := range strings.FieldsSeq(variantKey(phrase)) {
		if utf8.RuneCountInString(w) >= 4 && !lang.GeneralWords[w] {
			words[w] = true
		}
	}
	return words
}
