package normalize

import (
	"iter"
	"math/bits"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

// LanguageOf returns the language of a dictionary by its names, in normal form: the one in whose marks most of them
// are, and at least a tenth; nil if there is none.
func LanguageOf(names iter.Seq[string]) *language.Language {
	total, marked := 0, make([]int, len(language.Languages))
	known := make(map[string][2]uint64) // the languages, as bits, whose mark a word is: in any name, beside others
	for name := range names {
		total++
		words, of := strings.Fields(name), uint64(0)
		for _, word := range words {
			marks, ok := known[word]
			for i := 0; i < len(language.Languages) && !ok; i++ {
				l := &language.Languages[i].Names
				for _, end := range l.MarkEnds {
					if len(word) > len(end)+2 && strings.HasSuffix(word, end) {
						marks[0] |= 1 << i
					}
				}
				if l.Marks[word] {
					marks[1] |= 1 << i
				}
			}
			known[word] = marks
			if of |= marks[0]; len(words) > 1 {
				of |= marks[1]
			}
		}
		for ; of != 0; of &= of - 1 {
			marked[bits.TrailingZeros64(of)]++
		}
	}
	most := slices.Index(marked, slices.Max(marked))
	const share = 10 // one of so many names
	if total == 0 || marked[most]*share < total {
		return nil
	}
	return language.Languages[most]
}

// InflectedVariants returns the plural of a name in normal form, and for German the forms of its cases:
//
//	French   ulceres gastriques, cancers du sein
//	Spanish  infecciones urinarias, ulceras de estomago
//	German   lungenentzundungen, herzinfarkte, atopischen dermatitis; herzschwache for herzschwaeche
//
// It returns none for a nil language, or a name with other signs than Latin letters.
func InflectedVariants(name string, of *language.Language) []Variant {
	if of == nil || strings.ContainsFunc(name, func(r rune) bool { return r != ' ' && (r < 'a' || r > 'z') }) {
		return nil
	}
	words := strings.Split(name, " ")
	if of.Names.AdjectivesBefore != nil {
		forms := formsOfOne(words, &of.Names)
		if form := withoutDigraphs(name, of.Names.Digraphs); form != name {
			forms = append(forms, Variant{Form: form})
		}
		return forms
	}
	changed := slices.Clone(words)
	for i, word := range words { // the noun and its adjectives
		if i > 0 && of.Names.Marks[word] {
			break
		}
		if len(word) < minInflected {
			return nil
		}
		changed[i] = pluralBy(of.Names.Nouns, word)
	}
	if form := strings.Join(changed, " "); form != name {
		return []Variant{{Form: form}}
	}
	return nil
}

// DigraphForm returns the normal form of a name with two letters in place of each letter that systems without it write
// so: herzschwaeche for Herzschwäche. It returns "" for a name without such letters.
func DigraphForm(name string) string {
	if isASCII(name) {
		return ""
	}
	composed := strings.ToLower(norm.NFC.String(name))
	written := composed
	for _, d := range lang.Digraphs {
		written = strings.ReplaceAll(written, d[0], d[1])
	}
	if written == composed {
		return ""
	}
	return Normal(written)
}

// withoutDigraphs returns a name in normal form with one letter for each of the digraphs, but for those after a vowel or
// q: "herzschwache", "mauer", "frequenz".
func withoutDigraphs(name string, digraphs [][2]string) string {
	out := []byte(name)[:0:0]
	for i := range len(name) {
		isSecond := i > 0 && name[i] == 'e' && (i == 1 || strings.IndexByte("aeiouq", name[i-2]) < 0) &&
			slices.ContainsFunc(digraphs, func(d [2]string) bool { return d[1] == name[i-1:i+1] })
		if !isSecond {
			out = append(out, name[i])
		}
	}
	return string(out)
}

// minInflected is the number of letters of the shortest word with another form.
const minInflected = 4

// formsOfOne returns a name with each form of the noun that it ends in, and then with each of the adjective before it.
func formsOfOne(words []string, names *language.Names) []Variant {
	var all []Variant
	last := len(words) - 1
	if len(words[last]) >= minInflected {
		for _, noun := range inflect(words[last], names.Nouns) {
			all = append(all, Variant{Form: replaceWord(words, last, noun)})
		}
	}
	if last == 1 && len(words[0]) > minInflected {
		for _, adjective := range inflect(words[0], names.AdjectivesBefore) {
			all = append(all, Variant{Form: replaceWord(words, 0, adjective)})
		}
	}
	return all
}
