package normalize

import (
	"slices"
	"strings"
)

// AreOpposed reports whether one of two words, canonical tokens or their stems, excludes the other, so
// that names which differ in them name different concepts: if one is among the [Opposites] of the
// other, or both are members of one [Series].
func AreOpposed(a, b string) bool {
	if a == b {
		return false
	}
	series := Series(a)
	return series != "" && series == Series(b) || slices.Contains(Opposites(a), b)
}

// Opposites returns the words that a word, a canonical token or its stem, excludes: "right" of "left",
// "chronic" of "acute", and "hypotension" of "hypertension", whether or not there is such a word.
func Opposites(word string) []string {
	found := opposites[word]
	for _, pair := range english.OppositeBeginnings {
		for i, beginning := range pair {
			if rest, ok := strings.CutPrefix(word, beginning); ok && len(rest) >= minOpposedRest {
				found = append(slices.Clip(found), pair[1-i]+rest)
			}
		}
	}
	return found
}

// minOpposedRest is the length in bytes of what must follow an opposite beginning.
const minOpposedRest = 3

// Series returns what identifies the series that a word is a member of, whose members exclude each
// other. It is empty for most words.
//
//	2, 11        "0"      numbers
//	b6, b12      "b0"     numbers after the same one to three letters
//	2a, 12q      "0a"     letters after a number
//	b, c         "a"      letters
//	alpha, beta  "alpha"  Greek letters
func Series(word string) string {
	const digits = "0123456789"
	if isGreekName[word] {
		return "alpha"
	}
	letters := strings.TrimRight(word, digits)
	afterNumber := strings.TrimLeft(word, digits)
	switch {
	case word == "":
		return ""
	case letters == "":
		return "0"
	case letters == word && len(word) == 1 && IsLetters(word):
		return "a"
	case letters != word && len(letters) <= maxSeriesLetters && IsLetters(letters):
		return letters + "0"
	case afterNumber != word && len(afterNumber) == 1 && IsLetters(afterNumber):
		return "0a"
	}
	return ""
}

// maxSeriesLetters is the number of letters before the number of a member of a series.
const maxSeriesLetters = 3
