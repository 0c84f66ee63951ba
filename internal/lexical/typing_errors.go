package lexical

import (
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// The minimum length in letters of a word that may contain one typing error, or two. Shorter words have too many
// neighbors: "renal" and "venal", "hepatic" and "herpetic".
const (
	MinLettersOneError  = 5
	minLettersTwoErrors = 9
)

// TypingErrors returns the number of typing errors, 1 or 2, that may turn other into word. It returns 3 if there are
// more, or if word cannot be a misspelling of other.
func TypingErrors(word, other string) int {
	letters := max(utf8.RuneCountInString(word), utf8.RuneCountInString(other))
	most := 0
	switch {
	case letters >= minLettersTwoErrors:
		most = 2
	case letters >= MinLettersOneError:
		most = 1
	}
	errors := normalize.TypingErrors(word, other, most)
	if errors > most || !normalize.IsLetters(other) || normalize.AreOpposed(word, other) {
		return 3
	}
	return errors
}
