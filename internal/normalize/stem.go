package normalize

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Stem returns the stem that a noun shares with its adjective and other
// derivations. The word is one of [CanonicalTokens]:
//
//	epilept      epilepsy, epileptic
//	diabet       diabetes, diabetic
//	nephrotox    nephrotoxicity, nephrotoxic
//	hypotens     hypotension, hypotensive
//	neoplast     neoplasm, neoplasia, neoplastic
//
// Stem replaces the longest ending that leaves four letters, so that "toxic" and
// "renal" stay as they are. Inflammations keep their ending: "hepatitis" and
// "hepatic" have different stems. So do adjectives of persons' names: "parkinsonian
// diseases" are more than Parkinson's disease.
func Stem(word string) string {
	if word == "" {
		return ""
	}
	for _, d := range derivationsByLetter[word[len(word)-1]] {
		if stem, ok := strings.CutSuffix(word, d.ending); ok && utf8.RuneCountInString(stem)+d.kept() >= minStem {
			return stem + d.stem
		}
	}
	return word
}

const minStem = 4 // letters before the ending and those of it that are kept

type derivation struct{ ending, stem string }

// kept returns the number of letters at the beginning of the ending that the stem keeps: 1 of "ovarian".
func (d derivation) kept() int {
	if strings.HasPrefix(d.ending, d.stem) {
		return len(d.stem)
	}
	return 0
}

// derivationsByLetter holds the derivations by the last letter of the ending, in their order.
var derivationsByLetter = func() (byLetter [256][]derivation) {
	for _, d := range derivations {
		last := d.ending[len(d.ending)-1]
		byLetter[last] = append(byLetter[last], d)
	}
	return byLetter
}()

// derivations are the endings, longest first, in which English words of Greek and
// Latin origin differ from their derivations, and what the stem keeps of each.
var derivations = []derivation{
	{"ically", ""},
	{"lasia", "last"}, {"icity", ""},
	{"lasm", "last"}, {"ical", ""}, {"rian", "r"},
	{"sia", "t"}, {"sis", "t"}, {"ses", "t"}, {"sic", "t"}, {"tic", "t"}, {"tia", "t"},
	{"ism", ""}, {"ist", ""}, {"ity", ""}, {"ive", ""}, {"ion", ""}, {"ial", ""}, {"iac", ""},
	{"oid", ""}, {"ous", ""}, {"ose", ""}, {"ate", ""}, {"ory", ""},
	{"sy", "t"}, {"ty", "t"},
	{"ia", ""}, {"ic", ""}, {"al", ""}, {"an", ""}, {"ar", ""}, {"ed", ""}, {"es", ""}, {"is", ""}, {"um", ""}, {"us", ""},
	{"ea", ""}, {"ry", ""}, {"id", ""},
	{"y", ""}, {"e", ""}, {"a", ""}, {"s", ""},
}

// medicalEndings are endings of Greek and Latin terms of medicine in [CanonicalTokens].
var medicalEndings = []string{
	"clonus", "emic", "enic", "ia", "iasis", "itis", "lysis", "megaly", "oma", "osis", "otic", "pathy", "plasm", "pnea", "psy", "rrhea", "toxic",
	"toxicity", "trophy",
}

// hasMedicalEnding reports whether a word ends as Greek and Latin terms of medicine do:
// hepatitis, anemia, nephropathy, but not boils or strain. Such a word is hardly ever an
// ordinary one.
func hasMedicalEnding(word string) bool {
	word = CanonicalWord(strings.ToLower(word))
	return slices.ContainsFunc(medicalEndings, func(ending string) bool {
		return strings.HasSuffix(word, ending) && len(word) >= len(ending)+minStem
	})
}
