package normalize

import (
	"strings"
	"unicode/utf8"
)

// adjectiveEndings are endings of English adjectives with the endings of nouns that they are derived from.
var adjectiveEndings = []struct {
	adjective string
	nouns     []string
}{
	{"itic", []string{"itis"}},
	{"matous", []string{"ma"}},
	{"inous", []string{"o"}},
	{"ctic", []string{"xia", "xis", "xy"}},
	{"ical", []string{"y", "ia", "ics"}},
	{"tose", []string{""}},
	{"tic", []string{"sis", "sia", "sy", "tism", "m", ""}},
	{"ian", []string{"ism"}},
	{"oid", []string{"osis", "oidism"}},
	{"ous", []string{"y", "osis", "um", "us", "a", ""}},
	{"ive", []string{"ion"}},
	{"ed", []string{"ion", "ia", ""}},
	{"al", []string{"us", "a", "e", ""}},
	{"ic", []string{"ia", "y", "icosis", "icity", "a", "us", "ism", "e", ""}},
	{"nt", []string{"nce", "ncy"}},
	{"e", []string{"ity"}},
	{"l", []string{""}},
	{"", []string{"ness"}},
}

// irregularAdjectives are adjectives with a noun of another stem.
var irregularAdjectives = map[string]string{"febrile": "fever", "icteric": "jaundice", "ictal": "seizure"}

// NounsOf returns words that an adjective may be derived from, the most likely first: epilepsy for "epileptic", edema
// for "edematous". The adjective is one of [CanonicalTokens]. Most are no words: the caller knows which are.
func NounsOf(adjective string) []string {
	var nouns []string
	if noun := irregularAdjectives[adjective]; noun != "" {
		nouns = append(nouns, noun)
	}
	for _, e := range adjectiveEndings {
		stem, ok := strings.CutSuffix(adjective, e.adjective)
		if !ok || utf8.RuneCountInString(stem) < minNounStem {
			continue
		}
		for _, ending := range e.nouns {
			nouns = append(nouns, stem+ending)
		}
	}
	return nouns
}

const minNounStem = 3 // letters of an adjective before its ending, as in "septic"
