package normalize

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SpellingCorrector corrects typing errors in words, based on the words of a list of names:
// "cirrohsis" becomes cirrhosis if that is a word in a name. It corrects a word only if
//
//   - it has 6 letters or more, and only letters;
//   - it is not a word in a name;
//   - exactly one word of the names differs from it by one error and begins with the same
//     letter. An error is an extra, missing or wrong letter, or two neighbors exchanged.
//
// The paper of BioSyn (section 4.1, after D'Souza & Ng, "Sieve-Based Entity Linking for the Biomedical Domain", ACL
// 2015) uses a list of errors and corrections made for one corpus. It is safe for concurrent use.
type SpellingCorrector struct {
	known  map[string]bool
	byHead map[rune][]string // first letter -> known words that others may be corrected to
}

// minCorrected is the minimum length in letters of a word to correct. Too many shorter words differ by one letter:
// "renal", "venal".
const minCorrected = 6

// NewSpellingCorrector returns a corrector based on the words of names, in any form.
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

// Mention returns the form of a mention for comparison with names: its normal form with the words corrected, or the
// mention unchanged if it has only signs.
func (c *SpellingCorrector) Mention(surface string) string {
	words := strings.Split(Normal(surface), " ")
	for i, word := range words {
		words[i] = c.correctWord(word)
	}
	return cmp.Or(strings.Join(words, " "), surface)
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

// IsLetters reports whether a word has only letters.
func IsLetters(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// TypingErrors returns the smallest number of typing errors that turn one word into the other: letters inserted,
// omitted or replaced, and neighbors exchanged. If it is more than most, TypingErrors returns most + 1. It is the
// optimal string alignment distance (Damerau, "A technique for computer detection and correction of spelling errors",
// CACM 7, 1964, with the algorithm of Wagner & Fischer, JACM 21, 1974).
func TypingErrors(a, b string, most int) int {
	x, y := []rune(a), []rune(b)
	if d := len(x) - len(y); d > most || -d > most {
		return most + 1
	}
	// rows[k][j] is the distance between the first i-k runes of x and the first j of y.
	var rows [3][]int
	for k := range rows {
		rows[k] = make([]int, len(y)+1)
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		rows[0], rows[1], rows[2] = rows[2], rows[0], rows[1]
		rows[0][0] = i
		least := i
		for j := 1; j <= len(y); j++ {
			replaced := rows[1][j-1]
			if x[i-1] != y[j-1] {
				replaced++
			}
			d := min(replaced, rows[1][j]+1, rows[0][j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d = min(d, rows[2][j-2]+1)
			}
			rows[0][j] = d
			least = min(least, d)
		}
		if least > most {
			return most + 1
		}
	}
	return min(rows[0][len(y)], most+1)
}
