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
	if word == "" {
		return append(stems, "")
	}
	for _, ending := range combiningEndings[word[len(word)-1]] {
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
		forms := combiningBeginnings[beginning[0]]
		i := slices.IndexFunc(forms, func(f combiningForm) bool { return strings.HasPrefix(beginning, f.form) })
		if i < 0 {
			return nil
		}
		stems = append(stems, forms[i].stems...)
		beginning = strings.TrimPrefix(beginning[len(forms[i].form):], "o")
	}
	return stems
}

// combiningForm is a combining form, with the stems of the plain words for it. A beginning is stored without its
// connecting o.
type combiningForm struct {
	form  string
	stems []string
}

// combiningBeginnings holds the combining forms of body parts by their first letter.
var combiningBeginnings = formsByLetter(func(form string) byte { return form[0] }, lang.CombiningBeginnings)

// combiningEndings holds the combining forms that may follow, by their last letter.
var combiningEndings = formsByLetter(func(form string) byte { return form[len(form)-1] }, lang.CombiningEndings)

// formsByLetter groups combining forms by one of their letters.
func formsByLetter(letter func(form string) byte, plain map[string]string) (lists [256][]combiningForm) {
	for form, words := range plain {
		stems := strings.Fields(words)
		for i, word := range stems {
			stems[i] = Stem(word)
		}
		lists[letter(form)] = append(lists[letter(form)], combiningForm{form, stems})
	}
	return lists
}
