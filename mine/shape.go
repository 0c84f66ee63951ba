package mine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const minLetters = 5 // of a name in apposition

// isName reports whether a phrase has the form of a name. It refuses what was
// found beside names in text and is none: figures, descriptions of an aspect
// ("risk of gout"), and phrases cut out of a sentence.
func isName(phrase string) bool {
	words := strings.Fields(poolKey(phrase))
	letters := 0
	for _, r := range phrase {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	switch {
	case letters < minLetters, isShort(phrase), spellsOut(phrase), strings.ContainsAny(phrase, "=<>%±@/"):
		return false
	case sameAdverbs[words[0]], functionWords[words[0]], isNumber(words[0]), vagueWords[words[len(words)-1]]:
		return false
	case len(tellingWords(phrase)) == 0, !beginsWord(phrase):
		return false
	}
	for i, w := range words {
		_, says := verbs[w]
		switch {
		case says, countWords[w], i > 0 && w == "patient": // "disease called gout", "12 months", "two patients"
			return false
		case len(w) >= 4 && slices.Contains(words[:i], w): // two phrases run together
			return false
		case i+1 < len(words) && words[i+1] == "of" && (kindsOf[w] || aspects[w]):
			return false
		}
	}
	return true
}

// mostlyCapitals reports whether a short form is written as one: half of its
// letters and digits are no small letters. Else it may be a word ("Cancer", an
// acronym of a trial).
func mostlyCapitals(short string) bool {
	small, all := 0, 0
	for _, r := range short {
		switch {
		case unicode.IsLower(r):
			small++
			all++
		case unicode.IsLetter(r), unicode.IsDigit(r):
			all++
		}
	}
	return 2*small <= all
}

// isShort reports whether a phrase has no small letter, but for a plural s: what
// stands beside a short form is its long form, found as such, or a remark.
func isShort(phrase string) bool {
	return !strings.ContainsFunc(singularShort(phrase), unicode.IsLower)
}

func beginsWord(phrase string) bool {
	first, _ := utf8.DecodeRuneInString(phrase)
	return unicode.IsLetter(first) || unicode.IsDigit(first)
}

func isNumber(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsDigit(r) })
}

// spellsOut reports whether a phrase tells how a name is spoken
// ("noo-mo-NI-tis").
func spellsOut(phrase string) bool {
	for _, w := range strings.Fields(phrase) {
		parts := strings.Split(w, "-")
		if len(parts) < 3 {
			continue
		}
		for _, part := range parts {
			if len(part) > 1 && part == strings.ToUpper(part) && strings.ContainsFunc(part, unicode.IsLetter) {
				return true
			}
		}
	}
	return false
}

// tellingWords are the longer words of a text, those left out that tell nothing.
func tellingWords(text string) map[string]bool {
	words := make(map[string]bool)
	for _, w := range strings.Fields(poolKey(text)) {
		if utf8.RuneCountInString(w) >= 4 && !generalWords[w] {
			words[w] = true
		}
	}
	return words
}
