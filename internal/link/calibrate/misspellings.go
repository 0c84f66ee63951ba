package calibrate

import (
	"strconv"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/sampling"
)

const (
	// misspelledQueries is the number of silver queries with typing errors, each with a different name.
	misspelledQueries = 400
	// twoErrors is the fraction of them that has two errors.
	twoErrors = .25
	// minMisspelled is the minimum number of letters of a name to misspell.
	minMisspelled = 6
)

// misspell returns a name with one or two typing errors, determined by the seed and the name. An error omits, doubles
// or inserts a letter, exchanges it with its neighbor, or replaces it by one that is next to it on the keyboard, sounds
// alike, or looks alike to optical character recognition. misspell returns false if the name has too few letters.
func misspell(name string, seed uint64) (string, bool) {
	if len(letterPositions([]rune(name))) < minMisspelled {
		return name, false
	}
	written := name
	for n := range 1 + count(sampling.Unit(seed, "two errors", name) < twoErrors) {
		written = withError(written, func(what string, k int) int {
			return int(sampling.Hash(seed, "misspelling", name, strconv.Itoa(n), what) % uint64(k))
		})
	}
	return written, written != name
}

func letterPositions(runes []rune) (letters []int) {
	for i, r := range runes {
		if unicode.IsLetter(r) {
			letters = append(letters, i)
		}
	}
	return letters
}

// withError returns a name with one typing error. The name must contain letters. choose returns a pseudo-random number
// below k.
func withError(name string, choose func(what string, k int) int) string {
	runes := []rune(name)
	letters := letterPositions(runes)
	i := letters[choose("letter", len(letters))]
	before, letter, after := string(runes[:i]), runes[i], string(runes[i+1:])
	written := "" // replaces the letter
	switch choose("kind", 5) {
	case 1:
		written = string(letter) + string(letter)
	case 2:
		written = string(letter) + string(rune('a'+choose("inserted", 'z'-'a'+1)))
	case 3:
		if i+1 < len(runes) && unicode.IsLetter(runes[i+1]) {
			written, after = string(runes[i+1])+string(letter), string(runes[i+2:])
		}
	case 4:
		if alike := lettersAlike[unicode.ToLower(letter)]; len(alike) > 0 {
			written = alike[choose("replacement", len(alike))]
		}
	}
	return before + written + after
}

// lettersAlike maps each letter to strings that are written for it by mistake: its neighbors on the keyboard (QWERTY),
// and letters that sound or look like it.
var lettersAlike = map[rune][]string{
	'a': {"q", "s", "z", "e", "o"}, 'b': {"v", "n", "p", "h"}, 'c': {"x", "v", "k", "s", "e"},
	'd': {"s", "f", "t", "cl"},
	'e': {"w", "r", "i", "a", "c"}, 'f': {"d", "g", "ph", "t"}, 'g': {"f", "h", "j", "q"}, 'h': {"g", "j", "b"},
	'i': {"u", "o", "y", "e", "l"}, 'j': {"h", "k", "g", "i"}, 'k': {"j", "l", "c", "ch"}, 'l': {"k", "o", "i", "t"},
	'm': {"n", "rn", "nn"}, 'n': {"b", "m", "ri", "u"}, 'o': {"i", "p", "a", "e"}, 'p': {"o", "b", "q"},
	'q': {"w", "a", "k", "g"}, 'r': {"e", "t", "n"}, 's': {"a", "d", "c", "z"}, 't': {"r", "y", "d", "f"},
	'u': {"y", "i", "v", "o"}, 'v': {"c", "b", "f", "u"}, 'w': {"q", "e", "vv"}, 'x': {"z", "c", "ks"},
	'y': {"t", "u", "i", "v"}, 'z': {"a", "x", "s"},
}
