package matcher

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
)

// caseRule says how a name must be written where it is tagged. A word is found in
// any case. An acronym in any case is usually something else ("aids", "All").
type caseRule uint8

const (
	anyCase   caseRule = iota
	capitals           // every letter is a capital
	exactCase          // as in the dictionary, see name.cased
)

// Lengths in letters and digits.
const (
	minWord     = 4 // a shorter name is an acronym: MI, CAD
	maxLostCase = 5 // a longer name whose case is lost is a word: there are few acronyms of 6
)

// acronyms tells the acronyms of a dictionary from its words.
//
// Where the dictionary has kept its case, an acronym is a name that [normalize.MostlyCapitals]
// accepts (AIDS, TdP, MODY2, but not Gout). It is found as it is written.
//
// Where the case is lost, a name of at most 5 letters is an acronym if each of its
// words has fewer than four letters, no vowel or a digit, or if it is one word that
// abbreviates a longer name of its concept (aids in "acquired immunodeficiency
// syndrome"). It is found in capitals.
type acronyms struct {
	caseIsLost bool
}

// newAcronyms looks at the case of all names of a dictionary. The case is lost if
// fewer than one name in a hundred has a capital, or fewer than one in a hundred has
// a small letter.
func newAcronyms(d *kb.Dictionary) acronyms {
	names, withUpper, withLower := 0, 0, 0
	for _, concept := range d.All() {
		for _, name := range concept.Names() {
			upper := strings.IndexFunc(name, unicode.IsUpper) >= 0
			lower := strings.IndexFunc(name, unicode.IsLower) >= 0
			if upper || lower {
				names++
			}
			if upper {
				withUpper++
			}
			if lower {
				withLower++
			}
		}
	}
	return acronyms{caseIsLost: 100*withUpper < names || 100*withLower < names}
}

// rule returns the case rule of a name of concept. key is the name's normal form.
func (a acronyms) rule(name, key string, concept *kb.Concept) caseRule {
	switch {
	case !a.caseIsLost && normalize.MostlyCapitals(name):
		return exactCase
	case a.caseIsLost && isLostCaseAcronym(key, concept):
		return capitals
	}
	return anyCase
}

// isLostCaseAcronym reports whether a name in normal form is an acronym of concept,
// in a dictionary whose case is lost: see [acronyms].
func isLostCaseAcronym(key string, concept *kb.Concept) bool {
	words := strings.Fields(key)
	if normalize.CountWordRunes(key) > maxLostCase || !isASCIIName(key) || english.ShortDiseaseNames[key] {
		return false
	}
	for _, word := range words {
		if len(word) >= minWord && strings.ContainsAny(word, "aeiouy") && !strings.ContainsAny(word, "0123456789") {
			return len(words) == 1 && abbreviates(key, concept)
		}
	}
	return true
}

// abbreviates reports whether word is a short form of a name of concept that does not
// contain the word itself: the whole name is its long form, and all its letters but
// one are initials of that name. (Without the second condition, "pain" would be short
// for any name of several words that happens to have those letters.)
func abbreviates(word string, concept *kb.Concept) bool {
	for _, name := range concept.Names() {
		long := normalize.Normal(name)
		if !strings.Contains(long, word) && abbrev.IsLongForm(word, long) && countInitials(word, long) >= len(word)-1 {
			return true
		}
	}
	return false
}

// countInitials counts the letters of word that are initials of words of long, in
// order.
func countInitials(word, long string) int {
	words := strings.Fields(long)
	n := 0
	for i := range len(word) {
		for j, w := range words {
			if w[0] == word[i] {
				n++
				words = words[j+1:]
				break
			}
		}
	}
	return n
}

// isASCIIName reports whether a name in normal form is ASCII and has a letter.
func isASCIIName(key string) bool {
	return strings.ContainsAny(key, "abcdefghijklmnopqrstuvwxyz") &&
		!strings.ContainsFunc(key, func(r rune) bool { return r >= utf8.RuneSelf })
}
