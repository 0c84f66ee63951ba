package matcher

import (
	"strings"
	"unicode"

	"ctxnorm"
)

// Lengths in letters and digits.
const (
	shortestWord  = 4        // a name of fewer is an acronym: MI, CAD
	longestUnsure = 5        // a longer name without case is a word: there are few acronyms of 6
	longestCased  = maxShort // a longer name in capitals is a word, shouted
)

// acronyms tells the acronyms of a dictionary from its words.
//
// Where the dictionary has kept its case, an acronym is a name of at most 10
// letters, most of them capitals (AIDS, TdP, MODY2, but not Gout), and is found
// as it is written.
//
// Where the case is lost, a name of at most 5 letters is an acronym if it has
// less than four letters, or a word without a vowel or with a digit, or if its
// letters are found in a longer name of its concept as those of an abbreviation
// are (aids in "acquired immunodeficiency syndrome"); it is found in capitals.
type acronyms struct {
	caseIsLost bool
}

// newAcronyms looks at the case of all names: it is lost where less than one
// name in a hundred has a capital, or has a small letter.
func newAcronyms(d *ctxnorm.Dictionary) acronyms {
	names, withUpper, withLower := 0, 0, 0
	for i := range d.Len() {
		for _, name := range d.At(i).Names() {
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

// rule is how a name of concept is to be written; key is its normal form.
func (a acronyms) rule(name, key string, concept *ctxnorm.Concept) caseRule {
	switch {
	case !a.caseIsLost && mostlyCapitals(name):
		return exactCase
	case a.caseIsLost && soundsLikeAcronym(key, concept):
		return capitals
	}
	return anyCase
}

func mostlyCapitals(name string) bool {
	upper, letters := 0, 0
	for _, r := range name {
		if unicode.IsLetter(r) {
			letters++
		}
		if unicode.IsUpper(r) {
			upper++
		}
	}
	return letters <= longestCased && 2*upper >= letters && upper >= 2
}

func soundsLikeAcronym(key string, concept *ctxnorm.Concept) bool {
	words := strings.Fields(key)
	if countWord(key) > longestUnsure || !isASCIIWord(key) || shortWords[key] {
		return false
	}
	for _, word := range words {
		if len(word) >= shortestWord && strings.ContainsAny(word, "aeiouy") && !strings.ContainsAny(word, "0123456789") {
			return len(words) == 1 && abbreviates(key, concept)
		}
	}
	return true
}

// abbreviates reports whether word is short for a name of concept that does not
// hold the word itself: it has the name as its long form, and all its letters but
// one begin words of that name. (Without the second, pain is short for some
// chance name of several words with those letters in it.)
func abbreviates(word string, concept *ctxnorm.Concept) bool {
	for _, name := range concept.Names() {
		long := Normal(name)
		if !strings.Contains(long, word) && longForm(word, long) == 0 && countInitials(word, long) >= len(word)-1 {
			return true
		}
	}
	return false
}

// countInitials counts the letters of word that begin words of long, in order.
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

// isASCIIWord reports whether key holds letters of ASCII, digits and spaces, and
// at least one letter.
func isASCIIWord(key string) bool {
	letter := false
	for i := range len(key) {
		if key[i] >= 0x80 {
			return false
		}
		letter = letter || key[i] >= 'a' && key[i] <= 'z'
	}
	return letter
}
