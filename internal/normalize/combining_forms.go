package normalize

import (
	"slices"
	"strings"
)

// NameWordsOf returns the words for comparing names, distinct and sorted, given the canonical tokens of a name. They
// are the [ContentWords] of the name, except that a word composed of Greek and Latin combining forms is replaced by the
// stems of the plain words for them:
//
//	kidney, diseas           nephropathy
//	muscl, pain              myalgia
//	heart, muscl, diseas     cardiomyopathy
//
// So "diabetic nephropathy" has the words of "diabetic kidney disease". A word is split only if all its parts are
// known: "neuropathy", but not "polyneuropathy".
func NameWordsOf(tokens []string) []string {
	words := make([]string, 0, 4)
	for _, token := range tokens {
		for _, word := range PlainWords(token) {
			words = append(words, Stem(word))
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// PlainWords returns the plain words for a word of [CanonicalTokens] that is composed of combining forms, and any other
// word itself.
func PlainWords(word string) []string {
	for ending, last := range lang.CombiningEndings {
		if beginning, ok := strings.CutSuffix(word, ending); ok {
			if plain := plainBeginning(beginning); plain != nil {
				return append(plain, strings.Fields(last)...)
			}
		}
	}
	return []string{word}
}

// plainBeginning returns the plain words for the combining forms at the beginning of a word, each with or without its
// connecting o. It returns nil if the beginning is empty or contains other letters. No two forms fit the same part.
func plainBeginning(beginning string) (words []string) {
	for beginning != "" {
		rest := beginning
		for form, plain := range lang.CombiningBeginnings {
			if after, ok := strings.CutPrefix(beginning, form); ok {
				words = append(words, strings.Fields(plain)...)
				rest = strings.TrimPrefix(after, "o")
			}
		}
		if rest == beginning {
			return nil
		}
		beginning = rest
	}
	return words
}
