package lexical

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// Genera returns the genera in names that begin with an abbreviation and precede an epithet, all in lower case:
// "escherichia" for "e" and "coli". Of several for one concept, it returns only the one with the most names, because
// genera get new names: Clostridium difficile is also Clostridioides difficile.
func (x *Index) Genera(abbreviation, epithet string) []string {
	concepts := make(map[string][]int32) // by genus
	if number, known := x.lexicon.Find(normalize.CanonicalWord(epithet)); known {
		for _, row := range x.rows.At(int32(number)) {
			before, after, _ := strings.Cut(strings.ToLower(x.names.At(int(row)))+" ", " "+epithet)
			genus := before[strings.LastIndexByte(before, ' ')+1:]
			if strings.HasPrefix(genus, abbreviation) && language.Rules.Names.Genus.MatchString(genus) && !unicode.IsLetter(rune(after[0])) {
				concepts[genus] = append(concepts[genus], x.concepts[row])
			}
		}
	}
	genera := slices.SortedFunc(maps.Keys(concepts), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(concepts[b]), len(concepts[a])), cmp.Compare(a, b))
	})
	return slices.DeleteFunc(genera, func(genus string) bool {
		shared := func(concept int32) bool { return slices.Contains(concepts[genera[0]], concept) }
		return genus != genera[0] && slices.ContainsFunc(concepts[genus], shared)
	})
}
