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
	known  map[string]bool
	byHead map[rune][]string // first letter -> the known words that another may be corrected to
}

// minCorrected is the length in letters of the shortest word that is corrected. Of shorter
// words too many differ by one letter: "renal", "venal".
const minCorrected = 6

// NewSpellingCorrector returns a corrector by the words of names, in any form.
func NewSpellingCorrector(names []string) *SpellingCorrector {
	c := &SpellingCorrector{known: make(map[string]bool), byHead: make(map[rune][]string)}
	for _, name := range names {
		for word := range strings.FieldsSeq(Normal(name)) {
			if !c.known[word] && IsLetters(word) {
				head, _ := utf8.DecodeRuneInString(word)
				c.byHead[head] = append(c.byHead[head], word)
			}
			c.known[word] = true
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
	head, _ := utf8.DecodeRuneInString(word)
	correction := word
	for _, known := range c.byHead[head] {
		if TypingErrors(word, known, 1) != 1 {
			continue
		}
		if correction != word {
			return word
		}
		correction = known
	}
	return correction
}

// IsLetters reports whether a word has nothing but letters.
func IsLetters(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}
