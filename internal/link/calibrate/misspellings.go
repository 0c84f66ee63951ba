package calibrate

import (
	"strconv"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/sampling"
)

const (
	// misspelledQueries is the number of silver queries with typing errors, each of another name.
	misspelledQueries = 400
	// twoErrors is the share of them with two.
	twoErrors = .25
	// minMisspelled is the number of letters of the shortest name that is misspelled.
	minMisspelled = 6
)

// misspell returns a name with a typing error, or two, which the seed and the name choose: a letter left out, doubled,
// inserted, exchanged with its neighbor, or replaced by one that is beside it on the keyboard, sounds alike, or looks
// alike to optical character recognition. It reports false if the name has too few letters.
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

// withError returns a name, which has letters, with one typing error. choose returns a number below k by chance.
func withError(name string, choose func(what string, k int) int) string {
	runes := []rune(name)
	letters := letterPositions(runes)
	i := letters[choose("letter", len(letters))]
	before, letter, after := string(runes[:i]), runes[i], string(runes[i+1:])
	written := "" // in place of the letter
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

// lettersAlike maps each letter to what is written for it by mistake: its neighbors on the keyboard
// (QWERTY), what sounds like it, and what looks like it.
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
