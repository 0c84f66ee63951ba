package normalize

import (
	"iter"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

// inflected are the languages of [InflectedVariants].
var inflected = []*language.Language{&language.French, &language.Spanish, &language.German}

// LanguageOf returns the language of a dictionary by its names, in normal form: the one of those that
// [InflectedVariants] has in whose marks most of them are, and at least a tenth; nil if there is none.
func LanguageOf(names iter.Seq[string]) *language.Language {
	total, marked := 0, make([]int, len(inflected))
	for name := range names {
		total++
		words := strings.Fields(name)
		for i, l := range inflected {
			if slices.ContainsFunc(words, func(word string) bool {
				return len(words) > 1 && l.Names.Marks[word] ||
					slices.ContainsFunc(l.Names.MarkEnds, func(end string) bool {
						return len(word) > len(end)+2 && strings.HasSuffix(word, end)
					})
			}) {
				marked[i]++
			}
		}
	}
	most := 0
	for i := range marked {
		if marked[i] > marked[most] {
			most = i
		}
	}
	const share = 10 // one of so many names
	if total == 0 || marked[most]*share < total {
		return nil
	}
	return inflected[most]
}

// InflectedVariants returns the plural of a name in normal form, and for German the forms of its cases:
//
//	French   ulceres gastriques, cancers du sein
//	Spanish  infecciones urinarias, ulceras de estomago
//	German   lungenentzundungen, herzinfarkte, atopischen dermatitis
func InflectedVariants(name string, of *language.Language) []Variant {
	words := strings.Split(name, " ")
	if of == nil || strings.ContainsFunc(name, func(r rune) bool { return r != ' ' && (r < 'a' || r > 'z') }) {
		return nil
	}
	var plural func(word string) string
	switch of {
	case &language.German:
		return germanVariants(words)
	case &language.French:
		plural = frenchPlural
	case &language.Spanish:
		plural = spanishPlural
	}
	changed := slices.Clone(words)
	for i, word := range words { // the noun and its adjectives, before "de"
		if i > 0 && of.Names.Marks[word] {
			break
		}
		if len(word) < minInflected {
			return nil
		}
		changed[i] = plural(word)
	}
	if form := strings.Join(changed, " "); form != name {
		return []Variant{{Form: form}}
	}
	return nil
}

// minInflected is the number of letters of the shortest word with another form.
const minInflected = 4

func frenchPlural(word string) string {
	switch last := word[len(word)-1]; {
	case last == 's', last == 'x', last == 'z':
		return word
	case strings.HasSuffix(word, "al"):
		return strings.TrimSuffix(word, "al") + "aux"
	case strings.HasSuffix(word, "eau"), strings.HasSuffix(word, "eu"):
		return word + "x"
	}
	return word + "s"
}

func spanishPlural(word string) string {
	switch last := word[len(word)-1]; {
	case last == 's', last == 'x':
		return word
	case last == 'z':
		return word[:len(word)-1] + "ces"
	case strings.ContainsRune("aeiou", rune(last)):
		return word + "s"
	}
	return word + "es"
}

// germanVariants returns the forms of a noun, and of an adjective before it.
func germanVariants(words []string) []Variant {
	var all []Variant
	last := len(words) - 1
	if len(words[last]) >= minInflected {
		for _, end := range germanEnds(words[last]) {
			all = append(all, Variant{Form: replaceWord(words, last, words[last]+end)})
		}
	}
	if stem, ok := strings.CutSuffix(words[0], "e"); ok && last == 1 && len(words[0]) > minInflected {
		for _, end := range []string{"en", "er", "es", "em"} {
			all = append(all, Variant{Form: stem + end + " " + words[1]})
		}
	}
	return all
}

// germanEnds returns the ends of a noun's plural and cases. Umlauts are letters of the normal form already.
func germanEnds(noun string) []string {
	has := func(ends ...string) bool {
		return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(noun, end) })
	}
	switch {
	case has("ung", "heit", "keit", "schaft", "ion", "tat", "or"):
		return []string{"en"}
	case has("e"):
		return []string{"n"}
	case has("itis", "us", "s", "x", "z", "a", "ie"):
		return nil
	case has("er", "el", "en"):
		return []string{"s", "n"}
	}
	return []string{"e", "en", "s", "es"}
}
