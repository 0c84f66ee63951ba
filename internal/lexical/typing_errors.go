package lexical

import (
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// The length in letters of the shortest word that may be written with one typing error, and with
// two. Shorter words have too many neighbors: "renal" and "venal", "hepatic" and "herpetic".
const (
	MinLettersOneError  = 5
	minLettersTwoErrors = 9
)

// TypingErrors returns the number of typing errors, 1 or 2, by which a word may be another one,
// and 3 if it cannot be by so few.
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
