package matcher

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// caseRule restricts how a name may be written in text. A word is found in any case. An acronym in another case is
// usually something else ("aids", "All").
type caseRule uint8

const (
	anyCase   caseRule = iota
	capitals           // all letters must be capitals
	exactCase          // as in the dictionary, see name.cased, or with a number and any capital: Her2 for HER2
	ownCase            // in any case, but written as in the dictionary it has its own concepts
)

// Lengths in letters and digits.
const (
	minWord     = 4 // a shorter name is an acronym: MI, CAD
	maxLostCase = 5 // a longer name that lost its case is a word: there are few acronyms of 6 letters
)

// ruleOf returns the case rule for a name of concept. key is the name's normal form.
//
// If a name has both capitals and lower-case letters, or the concept has names with each, the name is an acronym if
// [normalize.MostlyCapitals] accepts it (AIDS, TdP, MODY2, but not Gout).
//
// If all names of the concept are in capitals, or all in lower case, the name has lost its case, as in many files. Such
// a name is an acronym if it has at most 10 letters in capitals, or at most 5 letters and digits otherwise, and
// [isAcronym] accepts it.
func ruleOf(name, key string, concept *kb.Concept) caseRule {
	capital := strings.IndexFunc(name, unicode.IsUpper) >= 0
	hasOther := unicode.IsUpper
	if capital {
		if !normalize.MostlyCapitals(name) {
			return anyCase
		}
		hasOther = unicode.IsLower
	} else if normalize.CountWordRunes(key) > maxLostCase || !isASCIIName(key) || english.ShortDiseaseNames[key] {
		return anyCase
	}
	hasCase := slices.ContainsFunc(concept.Names(), func(name string) bool { return strings.IndexFunc(name, hasOther) >= 0 })
	switch {
	case hasCase && !capital, !hasCase && !isAcronym(key, capital, concept):
		return anyCase
	case capital:
		return exactCase
	}
	return capitals
}

// isAcronym reports whether a name of concept in normal form that has lost its case is an acronym. It is one if it is a
// word that abbreviates a longer name of the concept (aids in "acquired immunodeficiency syndrome"), or if each of its
// words has fewer than four letters, has no vowel before its last letter, or has a digit. In lower case, a single word
// of three letters with a vowel (ear) is not an acronym, nor is one with a digit (p53). In capitals, an ordinary word
// is one (STAR).
func isAcronym(key string, capital bool, concept *kb.Concept) bool {
	words, letters := strings.Fields(key), minWord
	if len(words) == 1 && !capital {
		if strings.ContainsAny(key, "0123456789") {
			return false
		}
		letters--
	}
	for _, word := range words {
		if len(word) >= letters && strings.ContainsAny(word[:len(word)-1], "aeiouy") && !strings.ContainsAny(word, "0123456789") {
			return len(words) == 1 && (abbreviates(key, concept) || capital && isEnglish(key))
		}
	}
	return true
}

// abbreviates reports whether word is a short form of a name of concept that does not contain the word itself: the
// whole name, also in the order of a text, is its long form, and all its letters except one are initials of that name.
// (Without the second condition, "pain" would be short for any name of several words that happens to have those
// letters.)
func abbreviates(word string, concept *kb.Concept) bool {
	isLong := func(name string) bool {
		long := normalize.Normal(name)
		return !strings.Contains(long, word) && abbrev.IsLongForm(word, long) && countInitials(word, long) >= len(word)-1
	}
	return slices.ContainsFunc(concept.Names(), func(name string) bool {
		return isLong(name) || isLong(normalize.Uninverted(name))
	})
}

// countInitials counts the letters of word that are initials of words in long, in order.
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
	return strings.ContainsFunc(key, unicode.IsLetter) &&
		!strings.ContainsFunc(key, func(r rune) bool { return r >= utf8.RuneSelf })
}

// sentence describes the capitals in a sentence, from word first up to but not including word end.
type sentence struct {
	first, end int
	words      int  // number of words that do not look like short forms
	capitals   bool // all letters are capitals
}

// isOtherWord reports whether a name found at word i is an English word there: a verb, or in capitals like its sentence.
func (s *scratch) isOtherWord(i int, at text.Span, form string, rule caseRule) bool {
	return isEnglish(form) && (IsVerb(s.raw, at) || (rule == capitals || rule == exactCase) && s.isAmongCapitals(i))
}

// isAmongCapitals reports whether the sentence of word i is all in capitals, so that capitals carry no information:
// "ALL PATIENTS OR FAMILY". The sentence must contain words other than short forms.
func (s *scratch) isAmongCapitals(i int) bool {
	if i < s.sentence.first || i >= s.sentence.end {
		s.sentence = s.sentenceOf(i)
	}
	words := s.sentence.words
	if s.isPlainWord(i) {
		words--
	}
	return words > 0 && s.sentence.capitals
}

// sentenceOf returns the sentence of word i.
func (s *scratch) sentenceOf(i int) sentence {
	ends := func(i int) bool {
		gap := s.gap(i)
		return strings.ContainsRune(gap, '\n') || len(gap) > 1 && strings.ContainsAny(gap, ".!?")
	}
	of := sentence{first: i, end: i + 1}
	for of.first > 0 && !ends(of.first) {
		of.first--
	}
	for of.end < len(s.tokens) && !ends(of.end) {
		of.end++
	}
	for k := of.first; k < of.end; k++ {
		if s.isPlainWord(k) {
			of.words++
		}
	}
	of.capitals = !strings.ContainsFunc(s.raw[s.tokens[of.first].Raw.Start:s.tokens[of.end-1].Raw.End], unicode.IsLower)
	return of
}

// isPlainWord reports whether a word is too long for a short form or an English word.
func (s *scratch) isPlainWord(i int) bool {
	const minLetters = 5
	word := s.word(i)
	return len(word) >= minLetters || isEnglish(word)
}
