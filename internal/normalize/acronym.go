package normalize

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxShortForm is the maximum length of a short form or acronym in letters and digits: the limit of Schwartz & Hearst,
// "A simple algorithm for identifying abbreviation definitions in biomedical text", PSB 2003.
const MaxShortForm = 10

// MostlyCapitals reports whether a name has at most [MaxShortForm] letters, and at least two and at least half of them
// are capitals: AIDS, TdP, MODY2, but not Gout. The name may have several words. A longer name in capitals is just a
// word in upper case.
func MostlyCapitals(name string) bool {
	n := countLetters(name)
	return n.letters <= MaxShortForm && 2*n.capitals >= n.letters && n.capitals >= 2
}

// LooksLikeAcronym reports whether a mention is one word of at most [MaxShortForm] letters and digits, with at least
// two capitals that are at least half of the letters: AIDS, TdP, MODY2, CL/P, but not Gout.
func LooksLikeAcronym(surface string) bool {
	n := countLetters(surface)
	return n.letters+n.digits <= MaxShortForm && MostlyCapitals(surface) && !strings.ContainsFunc(surface, unicode.IsSpace)
}

// Phrase returns the form in which phrases of texts are compared: their normal form, but an acronym as written.
func Phrase(surface string) string {
	if LooksLikeAcronym(surface) {
		return surface
	}
	return Normal(surface)
}

// LooksLikeShortForm reports whether s may be a short form: it begins with a letter or digit, has at most [MaxShortForm]
// letters and digits, at least two capitals, at most half small letters, and not only the Roman digits I, V and X.
func LooksLikeShortForm(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	n := countLetters(s)
	return (unicode.IsLetter(first) || unicode.IsDigit(first)) && n.letters+n.digits <= MaxShortForm && n.capitals >= 2 &&
		AtMostHalfLowercase(s) && strings.Trim(s, "IVX") != ""
}

// letterCounts holds the numbers of capitals, lower-case letters, all letters and digits in a string.
type letterCounts struct{ capitals, small, letters, digits int }

func countLetters(s string) (n letterCounts) {
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			n.letters++
		case unicode.IsDigit(r):
			n.digits++
		}
		switch {
		case unicode.IsUpper(r):
			n.capitals++
		case unicode.IsLower(r):
			n.small++
		}
	}
	return n
}

// AtMostHalfLowercase reports whether at most half of the letters and digits of a short form are lower-case letters.
// Otherwise it may be an ordinary word ("Cancer", the acronym of a trial).
func AtMostHalfLowercase(short string) bool {
	n := countLetters(short)
	return 2*n.small <= n.letters+n.digits
}

// IsGreekCode reports whether a name is mostly capitals but for the name of a Greek letter: TNF-alpha, "IL-1 beta".
func IsGreekCode(name string) bool {
	return slices.ContainsFunc(lang.LetterNames, func(letter string) bool {
		bare, rest, ok := strings.Cut(name, letter)
		return ok && MostlyCapitals(bare+rest)
	})
}

// AllCapitals reports whether s has a capital and no lower-case letter.
func AllCapitals(s string) bool {
	n := countLetters(s)
	return n.capitals > 0 && n.small == 0
}

// SingularShortForm returns a short form without its plural s: a small s after an ASCII capital or digit, with at least
// one character before that ("APs", "IL2s", but neither "As" nor "Hbs").
func SingularShortForm(short string) string {
	bare, ok := strings.CutSuffix(short, "s")
	if !ok || bare == "" {
		return short
	}
	last := rune(bare[len(bare)-1])
	if len(bare) > 1 && (unicode.IsUpper(last) || unicode.IsDigit(last)) {
		return bare
	}
	return short
}

// HasCapitalsOf reports whether a mention may be a proper name: each of its words that the name capitalizes must also
// have a capital in the mention. "Apple", "APPLE" and "Apple stores" have the capitals of the name "Apple Inc.";
// "apple" and "apple inc" do not. Words are compared by their stems.
func HasCapitalsOf(name, mention string) bool {
	proper := make(map[string]bool) // stem of a word of the name -> whether all its occurrences have a capital
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
	for word := range strings.FieldsFuncSeq(s, IsNoWordRune) {
		do(Stem(CanonicalWord(strings.ToLower(word))), strings.ContainsFunc(word, unicode.IsUpper))
	}
}

// WrittenForms counts the surface forms of a string.
type WrittenForms map[string]int

// MostFrequent returns the most frequent form, the alphabetically first among equals, and the total count of all forms.
func (w WrittenForms) MostFrequent() (form string, total int) {
	for s, n := range w {
		total += n
		if form == "" || n > w[form] || n == w[form] && s < form {
			form = s
		}
	}
	return form, total
}
