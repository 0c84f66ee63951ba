package normalize

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// SpellingCorrector corrects typing errors in words by the words of a list of names:
// "cirrohsis" is cirrhosis if that is a word of a name. A word is corrected only if
//
//   - it has 6 letters or more, and nothing but letters;
//   - it is no word of a name;
//   - exactly one word of the names differs from it by one error, and begins with the same
//     letter. An error is a letter too many, missing or wrong, or two neighbors exchanged.
//
// The paper of BioSyn (section 4.1, after D'Souza & Ng, "Sieve-Based Entity Linking for the
// Biomedical Domain", ACL 2015) has a list of errors and corrections, made for one corpus.
// This rule needs none. It is safe for concurrent use.
type SpellingCorrector struct {
	known map[string]bool
	// byDeletion maps each known word, and each with one letter deleted, to the known
	// words. Two words that differ by one error share such a key.
	byDeletion map[string][]string
}

// minCorrected is the length in letters of the shortest word that is corrected. Of shorter
// words too many differ by one letter: "renal", "venal".
const minCorrected = 6

// NewSpellingCorrector returns a corrector by the words of names, in any form.
func NewSpellingCorrector(names []string) *SpellingCorrector {
	c := &SpellingCorrector{known: make(map[string]bool), byDeletion: make(map[string][]string)}
	for _, name := range names {
		for word := range strings.FieldsSeq(Normal(name)) {
			if c.known[word] {
				continue
			}
			c.known[word] = true
			if utf8.RuneCountInString(word) < minCorrected-1 || !IsLetters(word) {
				continue
			}
			eachDeletion(word, func(key string) { c.byDeletion[key] = append(c.byDeletion[key], word) })
		}
	}
	return c
}

// Mention returns a mention as it is compared with names: its normal form with the words corrected, or
// the mention as it is if it has only signs.
func (c *SpellingCorrector) Mention(surface string) string {
	if corrected := c.correct(Normal(surface)); corrected != "" {
		return corrected
	}
	return surface
}

// correct returns a text in the form of [Normal] with its words corrected.
func (c *SpellingCorrector) correct(normal string) string {
	words := strings.Split(normal, " ")
	for i, word := range words {
		words[i] = c.correctWord(word)
	}
	return strings.Join(words, " ")
}

func (c *SpellingCorrector) correctWord(word string) string {
	if c.known[word] || utf8.RuneCountInString(word) < minCorrected || !IsLetters(word) {
		return word
	}
	_, first := utf8.DecodeRuneInString(word)
	correction, unique := "", true
	eachDeletion(word, func(key string) {
		for _, known := range c.byDeletion[key] {
			if known == correction || !strings.HasPrefix(known, word[:first]) || TypingErrors(word, known, 1) != 1 {
				continue
			}
			unique = unique && correction == ""
			correction = known
		}
	})
	if correction == "" || !unique {
		return word
	}
	return correction
}

// eachDeletion calls yield for a word and for the word without each of its letters.
func eachDeletion(word string, yield func(string)) {
	yield(word)
	for i, r := range word {
		yield(word[:i] + word[i+utf8.RuneLen(r):])
	}
}

// IsLetters reports whether a word has nothing but letters.
func IsLetters(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}
