package abbrev

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// speciesPattern matches the word before the name of a species, if there is one, the genus and the epithet.
var speciesPattern = regexp.MustCompile(`(?:^|[^\pL\pN.])((?:[A-Za-z]+ )?)([A-Z][a-z]*(?:\.|\b)) ?([a-z]{3,})\b`)

// abbreviatedGenus matches E., Strep., E and Staph. Without a period, an A is an article, and two to four letters are a
// word ("In humans").
var abbreviatedGenus = regexp.MustCompile(`^(?:[A-Z][a-z]{0,5}\.|[B-Z]|[A-Z][a-z]{4,5})$`)

// FindImplied returns the short forms of a text whose long forms it does not write out, such as "E. coli" and the first
// of "systolic and diastolic blood pressure (SBP and DBP)". genera is described at findSpecies.
func FindImplied(body string, genera func(abbreviation, epithet string) []string) []Definition {
	return append(findSpecies(body, genera), findPaired(body)...)
}

// findSpecies returns the species with an abbreviated genus in a text, such as "E. coli", as short forms of their full
// names. genera returns the genera of a dictionary, in lower case, that begin with an abbreviation and precede an
// epithet: "escherichia" for "e" and "coli". Of several, the text must determine one: by the genus with this epithet, or
// else with another one. So "S. pneumoniae" is a Streptococcus in a text on Streptococcus pyogenes, by the conventions
// of taxonomy. A letter after a word such as vitamin belongs to that word, and one without a period before a disease is
// a stage.
func findSpecies(body string, genera func(abbreviation, epithet string) []string) (found []Definition) {
	const shortest = 3 // letters of a genus
	names, isGenus, genusOf := &language.Rules.Names, make(map[string]bool), make(map[string]string)
	var abbreviated [][]int
	for _, m := range speciesPattern.FindAllStringSubmatchIndex(body, -1) {
		before, written, epithet := strings.ToLower(strings.TrimSpace(body[m[2]:m[3]])), body[m[4]:m[5]], body[m[6]:m[7]]
		genus, isDotted := strings.CutSuffix(written, ".")
		switch {
		case !names.Epithet.MatchString(epithet), len(genus) == 1 && language.Rules.Sentences.BeforeLetter[before]:
		case len(genus) >= shortest && names.Genus.MatchString(genus):
			isGenus[strings.ToLower(genus)], genusOf[genus[:1]+epithet] = true, genus
		case abbreviatedGenus.MatchString(written) && (isDotted || !normalize.HasMedicalEnding(epithet)):
			abbreviated = append(abbreviated, m)
		}
	}
	for _, m := range abbreviated {
		genus, epithet := strings.TrimSuffix(body[m[4]:m[5]], "."), body[m[6]:m[7]]
		named := genera(strings.ToLower(genus), epithet)
		if inText := slices.DeleteFunc(slices.Clone(named), func(genus string) bool { return !isGenus[genus] }); len(inText) > 0 {
			named = inText
		}
		full := genusOf[genus[:1]+epithet]
		if !strings.HasPrefix(full, genus) && len(named) == 1 {
			full = genus + named[0][len(genus):]
		}
		if len(named) > 0 && strings.HasPrefix(full, genus) {
			found = append(found, Definition{Short: text.Span{Start: m[4], End: m[7]}, implied: full + " " + epithet})
		}
	}
	return found
}

// paired matches a bracket with two short forms.
var paired = regexp.MustCompile(`\(([A-Z]{2,5}) ` + lang.Conjunction + ` ([A-Z]{2,5})(?:, ` + lang.Respectively + `)?\)`)

// findPaired returns the first of two short forms in a bracket, if its long form shares words with the second's: SBP of
// "systolic and diastolic blood pressure (SBP and DBP)". [Find] returns the second.
func findPaired(body string) (found []Definition) {
	for _, m := range paired.FindAllStringSubmatchIndex(body, -1) {
		long := lastWords(body, m[0], m[5]-m[4])
		before, isPair := strings.CutSuffix(body[:long.Start], " "+lang.Conjunction+" ")
		_, shared, _ := strings.Cut(long.Of(body), " ")
		own := lastWords(body, len(before), 1).Of(body) + " " + shared
		if isPair && IsLongForm(body[m[4]:m[5]], long.Of(body)) && matchInitials(body[m[2]:m[3]], phraseOf(own)) == 0 {
			found = append(found, Definition{Short: text.Span{Start: m[2], End: m[3]}, implied: own})
		}
	}
	return found
}
