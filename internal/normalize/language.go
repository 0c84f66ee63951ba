package normalize

import (
	"maps"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

// lang holds the tables for [CanonicalTokens] and for the other forms. They describe the language, not a dictionary;
// the lexical index learns from a dictionary which of its words are synonyms.
var lang = &language.Rules.Names

// CutWordPrefix returns a lower-case word without its longest prefix (see [language.Names.WordPrefixes]) that leaves at
// least minRest bytes, and reports whether there is one.
func CutWordPrefix(word string, minRest int) (rest string, found bool) {
	for prefix := range lang.WordPrefixes {
		r, ok := strings.CutPrefix(word, prefix)
		if ok && len(r) >= minRest && (!found || len(r) < len(rest)) {
			rest, found = r, true
		}
	}
	return rest, found
}

// IsRomanNumeral reports whether a lower-case word is a Roman numeral from i to xii.
func IsRomanNumeral(word string) bool { return slices.Contains(romanNumerals, word) }

var (
	romanNumerals  = strings.Fields(`i ii iii iv v vi vii viii ix x xi xii`)
	arabicNumerals = strings.Fields(`1 2 3 4 5 6 7 8 9 10 11 12`)
)

// isGreekName holds the English names of Greek letters.
var isGreekName = func() map[string]bool {
	names := make(map[string]bool, len(lang.GreekLetters))
	for _, name := range lang.GreekLetters {
		names[name] = true
	}
	return names
}()

// opposites maps each word of [language.Names.Opposites], and its stem, to the words that it excludes. It includes the
// inflected forms of adjectives that precede a noun.
var opposites = func() map[string][]string {
	excluded := make(map[string][]string)
	for _, of := range language.Languages {
		endings := []string{""}
		for _, e := range of.Names.AdjectivesBefore {
			endings = append(append(endings, e.Ending), e.Others...)
		}
		for _, pair := range of.Names.Opposites {
			for _, ending := range endings {
				for i := range pair {
					one, other := canonicalFormsOf(Normal(pair[i]+ending)), canonicalFormsOf(Normal(pair[1-i]+ending))
					excluded[one.canonical] = append(excluded[one.canonical], other.canonical, other.stem)
					excluded[one.stem] = append(excluded[one.stem], other.canonical, other.stem)
				}
			}
		}
	}
	for word, others := range excluded {
		slices.Sort(others)
		excluded[word] = slices.Compact(others)
	}
	return excluded
}()

// longestOpposite is the longest key of opposites.
var longestOpposite = slices.MaxFunc(slices.Collect(maps.Keys(opposites)), func(a, b string) int { return len(a) - len(b) })

// oppositeBeginnings holds [language.Names.OppositeBeginnings] in normal form.
var oppositeBeginnings = func() (pairs [][2]string) {
	for _, pair := range lang.OppositeBeginnings {
		pairs = append(pairs, [2]string{Normal(pair[0]), Normal(pair[1])})
	}
	return pairs
}()

// aboutWords and withoutWords hold the canonical forms and the stems of [language.Names.About] and
// [language.Names.Without].
var aboutWords, withoutWords = canonicalSet(lang.About), canonicalSet(lang.Without)

func canonicalSet(words map[string]bool) map[string]bool {
	set := make(map[string]bool)
	for word := range words {
		forms := canonicalFormsOf(Normal(word))
		set[forms.canonical], set[forms.stem] = true, true
	}
	return set
}

// asciiLetters maps Latin letters to the Greek ones that they replace in plain text.
var asciiLetters = map[string]string{"a": "alpha", "b": "beta", "g": "gamma", "d": "delta", "k": "kappa"}
