package matcher

import (
	"strings"
	"unicode/utf8"
)

// Stem is what a noun has in common with its adjective and with what else is
// derived from it, for a word of [Spelling]:
//
//	epilept      epilepsy, epileptic
//	diabet       diabetes, diabetic
//	nephrotox    nephrotoxicity, nephrotoxic
//	hypotens     hypotension, hypotensive
//	neoplast     neoplasm, neoplasia, neoplastic
//
// The longest of the endings that leaves four letters is replaced, so that
// "toxic" and "renal" stay as they are. Inflammations keep theirs: "hepatitis"
// has another stem than "hepatic".
func Stem(word string) string {
	for _, d := range derivations {
		if stem, ok := strings.CutSuffix(word, d.ending); ok && utf8.RuneCountInString(stem) >= leastStem {
			return stem + d.stem
		}
	}
	return word
}

const leastStem = 4 // letters before the ending

// derivations are the endings of English words of Greek and Latin that change
// between a noun and its kin, the longest first, and what of each the stem keeps.
var derivations = []struct{ ending, stem string }{
	{"ically", ""},
	{"lasia", "last"}, {"icity", ""},
	{"lasm", "last"}, {"ical", ""},
	{"sia", "t"}, {"sis", "t"}, {"ses", "t"}, {"sic", "t"}, {"tic", "t"}, {"tia", "t"},
	{"ism", ""}, {"ist", ""}, {"ity", ""}, {"ive", ""}, {"ion", ""}, {"ian", ""}, {"ial", ""}, {"iac", ""},
	{"oid", ""}, {"ous", ""}, {"ose", ""}, {"ate", ""}, {"ory", ""},
	{"sy", "t"}, {"ty", "t"},
	{"ia", ""}, {"ic", ""}, {"al", ""}, {"an", ""}, {"ar", ""}, {"ed", ""}, {"es", ""}, {"is", ""}, {"um", ""}, {"us", ""},
	{"ea", ""}, {"ry", ""}, {"id", ""},
	{"y", ""}, {"e", ""}, {"a", ""}, {"s", ""},
}
