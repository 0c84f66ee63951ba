package normalize

import (
	"strings"
	"unicode/utf8"
)

// NounsOf returns words that an adjective may be derived from, the most likely first: epilepsy for "epileptic", edema
// for "edematous". The adjective is one of [CanonicalTokens]. Most are no words: the caller knows which are.
func NounsOf(adjective string) []string {
	var nouns []string
	if noun := lang.IrregularAdjectives[adjective]; noun != "" {
		nouns = append(nouns, noun)
	}
	for _, e := range lang.Adjectives {
		stem, ok := strings.CutSuffix(adjective, e.Ending)
		if !ok || utf8.RuneCountInString(stem) < minNounStem {
			continue
		}
		for _, ending := range e.Others {
			nouns = append(nouns, stem+ending)
		}
	}
	return nouns
}

const minNounStem = 3 // letters of an adjective before its ending, as in "septic"
