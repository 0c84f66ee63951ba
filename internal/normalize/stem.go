package normalize

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Stem returns the stem that a noun shares with its adjective and other
// derivations. The word is one from [CanonicalTokens]:
//
//	epilept      epilepsy, epileptic
//	diabet       diabetes, diabetic
//	nephrotox    nephrotoxicity, nephrotoxic
//	hypotens     hypotension, hypotensive
//	neoplast     neoplasm, neoplasia, neoplastic
//
// Stem replaces the longest ending that leaves four letters, so "toxic" and "renal" stay unchanged. Inflammations keep
// their ending: "hepatitis" and "hepatic" have different stems. So do adjectives derived from persons' names:
// "parkinsonian diseases" are more than Parkinson's disease.
func Stem(word string) string {
	for _, d := range lang.Derivations {
		stem, ok := strings.CutSuffix(word, d.Ending)
		if !ok {
			continue
		}
		letters := utf8.RuneCountInString(stem)
		if strings.HasPrefix(d.Ending, d.Stem) { // letters of the ending that the stem keeps: 1 of "ovarian"
			letters += len(d.Stem)
		}
		if letters >= minStem {
			return stem + d.Stem
		}
	}
	return word
}

const minStem = 4 // letters before the ending and those of it that are kept

// HasMedicalEnding reports whether a word ends like Greek and Latin medical terms: hepatitis, anemia, nephropathy, but
// not boils or strain. Such a word is hardly ever an ordinary one.
func HasMedicalEnding(word string) bool {
	word = CanonicalWord(strings.ToLower(word))
	return slices.ContainsFunc(lang.MedicalEndings, func(ending string) bool {
		return strings.HasSuffix(word, ending) && len(word) >= len(ending)+minStem
	})
}

// NounsOf returns words that an adjective may be derived from, the most likely first: epilepsy for "epileptic", edema
// for "edematous". The adjective is one from [CanonicalTokens]. Most results are not words; the caller has to look them
// up.
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
