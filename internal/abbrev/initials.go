package abbrev

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// initialWord is a word of a long form, or a part of a hyphenated word.
type initialWord struct {
	start   int
	initial rune // in lower case
}

// is reports whether the word, a part of body, begins with a letter of a short form, or is its number: II for "T2DM".
func (w initialWord) is(letter rune, body string) bool {
	if letter == w.initial {
		return true
	}
	return '0' <= letter && letter <= '9' &&
		letter == cmp.Or(romanDigit(body[w.start:]), lang.Numbers[firstWord(body[w.start:])])
}

// matchInitials returns the start of the words at the end of body with the letters and numbers of short as their
// initials, in order, or -1. Linking words may be skipped:
//
//	PPIs  proton pump inhibitors
//	IIEF  International Index of Erectile Function
//	HDL   non-|high-density lipoprotein
//
// It is the first strategy of Ab3P (Sohn et al., BMC Bioinformatics 2008). The algorithm of Schwartz & Hearst takes the
// shortest long form, which here is "pump inhibitors". It prefers words that are not linking words: TTN is transient
// tachypnea of the newborn, not "tachypnea of the newborn".
func matchInitials(short, body string) int {
	letters := shortFormLetters(short)
	words := initialWords(body)
	if at := alignInitials(letters, words, body, true); at >= 0 {
		return at
	}
	return alignInitials(letters, words, body, false)
}

// alignInitials is like [matchInitials], given the letters and words. If content is set, linking words match no letter.
func alignInitials(letters []rune, words []initialWord, body string, content bool) int {
	at := len(words)
	linking := func() bool { // such as "of"
		end := len(body)
		if at+1 < len(words) {
			end = words[at+1].start
		}
		return lang.LinkingWords[strings.ToLower(strings.TrimSpace(body[words[at].start:end]))]
	}
	for i, letter := range slices.Backward(letters) {
		at--
		for at > 0 && i < len(letters)-1 && (content || !words[at].is(letter, body)) && linking() {
			at--
		}
		if at < 0 || !words[at].is(letter, body) || content && linking() {
			return -1
		}
	}
	return words[at].start
}

// matchInitialsAnyOrder returns the start of the words at the end of body with the letters of short as their initials,
// in any order, one word for each letter, or -1. It finds short forms that come from another language ("myotonic
// dystrophy (DM)", dystrophia myotonica). It only matches short forms in capitals.
func matchInitialsAnyOrder(short, body string) int {
	if strings.ContainsFunc(short, func(r rune) bool { return !unicode.IsUpper(r) && r != '(' && r != ')' }) {
		return -1
	}
	letters := shortFormLetters(short)
	words := initialWords(body)
	if len(words) < len(letters) {
		return -1
	}
	words = words[len(words)-len(letters):]
	if lang.FunctionWords[firstWord(body[words[0].start:])] {
		return -1
	}
	initials := make([]rune, len(words))
	for i, word := range words {
		initials[i] = word.initial
	}
	slices.Sort(letters)
	slices.Sort(initials)
	if !slices.Equal(letters, initials) {
		return -1
	}
	return words[0].start
}

// matchTwoWords returns the start of the two words at the end of body with the letters of short as their initials in
// reverse order, or -1. The capital is that of the second word, as in a quantity with an index: "ambient temperature
// (Ta)".
func matchTwoWords(short, body string) int {
	letters := shortFormLetters(short)
	first, _ := utf8.DecodeRuneInString(short)
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(short, ")"))
	words := initialWords(body)
	if len(letters) != 2 || len(words) < 2 || !unicode.IsUpper(first) || !unicode.IsLower(last) || last == 's' {
		return -1
	}
	words = words[len(words)-2:]
	if words[0].initial != letters[1] || words[1].initial != letters[0] {
		return -1
	}
	return words[0].start
}

// matchNumbered returns the start of the words at the end of body with the letters of short before its number as their
// initials, or -1: "partial least squares (PLS-1)". A count of items belongs to them: "9-item Patient Health
// Questionnaire (PHQ-9)".
func matchNumbered(short, body string) int {
	const least = 3 // letters
	letters := strings.TrimRight(short, "0123456789")
	number := short[len(letters):]
	if letters = strings.TrimSuffix(letters, "-"); number == "" || normalize.CountWordRunes(letters) < least {
		return -1
	}
	at := alignInitials(shortFormLetters(letters), initialWords(body), body, true)
	if at < 0 && !strings.Contains(letters, " ") {
		if at = contentFormStart(letters, body); at >= 0 && strings.Contains(body[at:], ", ") {
			return -1
		}
	}
	if before, found := strings.CutSuffix(body[:max(at, 0)], number+"-"+lang.Items+" "); found {
		if last, _ := utf8.DecodeLastRuneInString(before); !normalize.IsWordRune(last) {
			return len(before)
		}
	}
	return at
}

// shortFormLetters returns the letters and numbers of a short form in lower case, without a plural s.
func shortFormLetters(short string) []rune {
	var letters []rune
	for _, r := range normalize.SingularShortForm(short) {
		if normalize.IsWordRune(r) {
			letters = append(letters, unicode.ToLower(r))
		}
	}
	return letters
}

// initialWords returns the words of a text; a hyphenated word counts as several.
func initialWords(body string) []initialWord {
	words := make([]initialWord, 0, 2*normalize.MaxShortForm) // most long forms have fewer
	inside := false
	for i, r := range body {
		was := inside
		if inside = normalize.IsWordRune(r) || inside && r == '\''; inside && !was {
			words = append(words, initialWord{start: i, initial: unicode.ToLower(r)})
		}
	}
	return words
}

// romanDigit returns the digit for the Roman numeral in capitals at the start of s, or 0.
func romanDigit(s string) rune {
	rest := strings.TrimLeft(s, "IVX")
	if rest != "" && (unicode.IsLetter(rune(rest[0])) || rest[0] >= utf8.RuneSelf) {
		return 0
	}
	return romanDigits[s[:len(s)-len(rest)]]
}

var romanDigits = map[string]rune{
	"I": '1', "II": '2', "III": '3', "IV": '4', "V": '5', "VI": '6', "VII": '7', "VIII": '8', "IX": '9',
}
