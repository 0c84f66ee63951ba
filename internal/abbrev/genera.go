package abbrev

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// Genera returns the genera of a dictionary, in lower case, that begin with an abbreviation and precede an epithet:
// "escherichia" for "e" and "coli".
type Genera = func(abbreviation, epithet string) []string

// species is the name of a species with an abbreviated genus: "E. coli", "E coli", "Strep. pneumoniae".
type species struct {
	text.Span
	genus, epithet string
}

// speciesPattern matches the word before the name of a species, if there is one, the genus and the epithet.
var speciesPattern = regexp.MustCompile(`(?:^|[^\pL\pN.])((?:[A-Za-z]+ )?)([A-Z][a-z]*)(?:\. ?| )([a-z]{3,})\b`)

// findSpecies returns the species with an abbreviated genus in a text, with the genus written out. Of several genera in
// the dictionary the text must determine one: by the genus with this epithet, or else with another one. So
// "S. pneumoniae" is a Streptococcus in a text on Streptococcus pyogenes, by the conventions of taxonomy. A letter after
// a word such as vitamin belongs to that word. Without a period, an A is an article, two to four letters are a word ("In
// humans"), and a letter before a disease is a stage.
func findSpecies(body string, genera Genera) (found []species) {
	const shortest, longest = 3, 6 // letters of a genus, and of an abbreviation
	const leastUndotted = 5        // letters of an abbreviation without a period: Staph
	names, isGenus, genusOf := &language.Rules.Names, make(map[string]bool), make(map[string]string)
	for _, m := range speciesPattern.FindAllStringSubmatchIndex(body, -1) {
		s := species{text.Span{Start: m[4], End: m[7]}, body[m[4]:m[5]], body[m[6]:m[7]]}
		before := strings.ToLower(strings.TrimSpace(body[m[2]:m[3]]))
		switch {
		case !names.Epithet.MatchString(s.epithet), len(s.genus) == 1 && language.Rules.Sentences.BeforeLetter[before]:
		case len(s.genus) >= shortest && names.Genus.MatchString(s.genus):
			isGenus[strings.ToLower(s.genus)], genusOf[s.genus[:1]+s.epithet] = true, s.genus
		case len(s.genus) <= longest && (body[m[5]] == '.' || s.genus != "A" && !normalize.HasMedicalEnding(s.epithet) &&
			(len(s.genus) == 1 || len(s.genus) >= leastUndotted)):
			found = append(found, s)
		}
	}
	certain := found[:0]
	for _, s := range found {
		named := genera(strings.ToLower(s.genus), s.epithet)
		if inText := slices.DeleteFunc(slices.Clone(named), func(genus string) bool { return !isGenus[genus] }); len(inText) > 0 {
			named = inText
		}
		full := genusOf[s.genus[:1]+s.epithet]
		if !strings.HasPrefix(full, s.genus) && len(named) == 1 {
			full = s.genus + named[0][len(s.genus):]
		}
		if len(named) > 0 && strings.HasPrefix(full, s.genus) {
			s.genus = full
			certain = append(certain, s)
		}
	}
	return certain
}
