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
	for _, word := range tokens {
		words = appendPlain(words, word)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// PlainWords returns the stems of the plain words for a word of [CanonicalTokens] that is composed of combining forms,
// and the stem of any other word.
func PlainWords(word string) []string { return appendPlain(nil, word) }

// appendPlain appends the [PlainWords] of a word.
func appendPlain(stems []string, word string) []string {
	for _, ending := range combiningEndings {
		if beginning, ok := strings.CutSuffix(word, ending.form); ok {
			if plain := plainBeginning(beginning); plain != nil {
				return append(append(stems, plain...), ending.stems...)
			}
		}
	}
	return append(stems, Stem(word))
}

// plainBeginning returns the stems of the plain words for the combining forms at the beginning of a word, each with or
// without its connecting o. It returns nil if the beginning is empty or contains other letters.
func plainBeginning(beginning string) (stems []string) {
	for beginning != "" {
		i := slices.IndexFunc(combiningBeginnings, func(f combiningForm) bool { return strings.HasPrefix(beginning, f.form) })
		if i < 0 {
			return nil
		}
		stems = append(stems, combiningBeginnings[i].stems...)
		beginning = strings.TrimPrefix(beginning[len(combiningBeginnings[i].form):], "o")
	}
	return stems
}

// combiningForm is a combining form, with the stems of the plain words for it. A beginning is stored without its
// connecting o.
type combiningForm struct {
	form  string
	stems []string
}

// The combining forms of body parts, and those that may follow.
var combiningBeginnings, combiningEndings = combiningForms(lang.CombiningBeginnings), combiningForms(lang.CombiningEndings)

// combiningForms returns combining forms with the stems of their plain words. No two fit the same part of a word.
func combiningForms(plain map[string]string) (forms []combiningForm) {
	for form, words := range plain {
		stems := strings.Fields(words)
		for i, word := range stems {
			stems[i] = Stem(word)
		}
		forms = append(forms, combiningForm{form, stems})
	}
	return forms
}
