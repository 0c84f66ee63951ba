package matcher

import (
	"slices"
	"strings"
	"unicode"
)

// initialWord is a word of a long form, or a part of one between hyphens.
type initialWord struct {
	start   int
	initial rune // in lower case
}

// byInitials is where the words at the end of text begin whose initials are the
// letters and numbers of short in order, or -1:
//
//	PPIs  proton pump inhibitors
//	IIEF  International Index of Erectile Function
//	HDL   non-|high-density lipoprotein
//
// It is the first strategy of Ab3P (Sohn et al., BMC Bioinformatics 2008), and
// mends what Schwartz & Hearst, who take the shortest long form, cut off: "pump
// inhibitors".
func byInitials(short, text string) int {
	letters := lettersOf(short)
	words := initialWords(text)
	at := len(words)
	for i := len(letters) - 1; i >= 0; i-- {
		at--
		for at > 0 && i < len(letters)-1 && words[at].initial != letters[i] && isLinking(text[words[at].start:words[at+1].start]) {
			at--
		}
		if at < 0 || words[at].initial != letters[i] {
			return -1
		}
	}
	return words[at].start
}

// byMixedInitials is where the words at the end of text begin, as many as short
// has letters, whose initials are these letters in another order, or -1: a short
// form taken from another language ("myotonic dystrophy (DM)", dystrophia
// myotonica).
func byMixedInitials(short, text string) int {
	if strings.ContainsFunc(short, func(r rune) bool { return !unicode.IsUpper(r) }) {
		return -1
	}
	letters := lettersOf(short)
	words := initialWords(text)
	if len(words) < len(letters) {
		return -1
	}
	words = words[len(words)-len(letters):]
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

// lettersOf are the letters and numbers of a short form in lower case, without a
// plural s.
func lettersOf(short string) []rune {
	if bare, ok := strings.CutSuffix(short, "s"); ok && bare != strings.ToLower(bare) && countWord(bare) > 1 {
		short = bare
	}
	var letters []rune
	for _, r := range short {
		if isWord(r) {
			letters = append(letters, unicode.ToLower(r))
		}
	}
	return letters
}

// linkingWords may stand in a long form without a letter in the short form.
var linkingWords = wordSet(`a an and by de for from in of on or the to with`)

// isLinking reports whether a word is an "of" or "the".
func isLinking(word string) bool { return linkingWords[strings.ToLower(strings.TrimSpace(word))] }

// initialWords are the words of a text and the parts of hyphenated ones.
func initialWords(text string) []initialWord {
	words := make([]initialWord, 0, 2*maxShort) // most long forms have fewer
	inside := false
	for i, r := range text {
		was := inside
		if inside = isWord(r) || inside && r == '\''; inside && !was {
			words = append(words, initialWord{i, unicode.ToLower(r)})
		}
	}
	return words
}
