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

var causes = &language.Rules.Causes

// harmedPart maps the stems of the nouns in [language.Names.Harm] to the words of each of their names.
var harmedPart = func() map[string][][]string {
	names := make(map[string][][]string)
	for noun, others := range language.Rules.Names.Harm {
		stem := normalize.Stem(noun)
		for _, other := range others {
			names[stem] = append(names[stem], strings.Fields(other))
		}
	}
	return names
}()

const (
	maxParaphrased = 4 // maximum words of a phrase; longer ones say more than a body part and its harm
	paraphraseHits = 5 // number of concepts whose nearest name is compared

	// likeWeight is the minimum weight of a synonym for a body part: .9 p^(1/4) for p = .5.
	likeWeight = .757
)

// Paraphrase returns a name that expresses a phrase in other words: the noun from which an adjective is derived
// ("edema" for "edematous"), or the disease of the body part that is harmed ("kidney disease" for "renal toxicity",
// "renal involvement" and "nephrotoxic"). It returns "" if there is no such name, or if the phrase, up to synonyms of
// its words, is a name itself.
func (x *Index) Paraphrase(phrase string) string {
	words := normalize.CanonicalTokens(phrase)
	if len(words) == 0 || len(words) > maxParaphrased {
		return ""
	}
	if len(words) == 1 {
		if noun := x.nounOf(words[0]); noun != "" {
			return noun
		}
	}
	part := words
	var stems []string
	for _, word := range words {
		stems = append(stems, normalize.PlainWords(word)...)
	}
	if len(stems) > len(words) {
		part = stems // plain words; otherwise keep the original words, whose synonyms are known
	}
	at := slices.IndexFunc(stems, func(stem string) bool { return harmedPart[stem] != nil })
	if at < 0 || len(part) < 2 || x.nameOf(part, nil) != "" {
		return ""
	}
	part = slices.Delete(slices.Clone(part), at, at+1)
	for _, disease := range harmedPart[stems[at]] {
		if name := x.nameOf(part, disease); name != "" {
			return name
		}
	}
	return ""
}

// WithoutCause returns the disease in a phrase that also names its cause, and whether the cause is a substance:
// "psychosis" for "cocaine-induced psychosis". If a name includes the same cause, it returns that name: "alcoholic
// liver disease" for "alcohol-induced liver disease". It returns the phrase itself if that is a name, or if it names no
// cause or one that is not a substance.
func (x *Index) WithoutCause(phrase string) (disease string, bySubstance bool) {
	words := strings.FieldsFunc(phrase, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Dash, r) })
	at := slices.IndexFunc(words, func(word string) bool { return strings.EqualFold(word, causes.Induced) })
	if at < 1 || at == len(words)-1 || x.nameOf(normalize.CanonicalTokens(phrase), nil) != "" {
		return phrase, false
	}
	_, disease, _ = strings.Cut(phrase, words[at])
	disease = strings.TrimLeftFunc(disease, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	cause := words[at-1]
	if name := x.nameOf(normalize.CanonicalTokens(cause+" "+disease), nil); name != "" {
		return name, false
	}
	if causes.OtherCauses[strings.ToLower(cause)] {
		return phrase, false
	}
	return disease, true
}

// InducedBySubstance returns the name of a disease when a drug or another substance induces it, such as "dyskinesia,
// drug-induced" for "dyskinesias", or "" if there is no such name. In phrases of several words, synonyms match too. In
// phrases of one word they do not: otherwise any drug-induced disorder would match a word such as "depression".
func (x *Index) InducedBySubstance(phrase string) string {
	words := normalize.CanonicalTokens(phrase)
	same := x.alike
	if len(words) == 1 {
		same = func(word, other string) bool { return word == other }
	}
	hits := x.Search(phrase+" "+causes.Induced, paraphraseHits)
	for _, cause := range causes.OfSubstances {
		for _, hit := range hits {
			if len(words) > 0 && consistsOf(hit.Name, words, cause, same) {
				return hit.Name
			}
		}
	}
	return ""
}

// nounOf returns the noun from which an adjective is derived: a name, or else a word of names. It returns "" if there
// is neither, or if the adjective is a name itself.
func (x *Index) nounOf(adjective string) string {
	nouns := slices.DeleteFunc(normalize.NounsOf(adjective), func(noun string) bool {
		_, known := x.lexicon.Find(noun)
		return !known
	})
	if len(nouns) == 0 || x.nameOf(nil, []string{adjective}) != "" {
		return ""
	}
	for _, noun := range nouns {
		if name := x.nameOf(nil, []string{noun}); name != "" {
			return name
		}
	}
	return nouns[0]
}

// nameOf returns the nearest name that consists of the words in part, or words like them, and the words in others as
// they are, in any order. It returns "" if there is none.
func (x *Index) nameOf(part, others []string) string {
	for _, hit := range x.Search(strings.Join(slices.Concat(part, others), " "), paraphraseHits) {
		if consistsOf(hit.Name, part, others, x.alike) {
			return hit.Name
		}
	}
	return ""
}

// consistsOf reports whether a name consists of the words in part, as compared by same, and of those in others.
func consistsOf(name string, part, others []string, same func(word, other string) bool) bool {
	words := normalize.CanonicalTokens(name)
	left := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return slices.Contains(others, word) })
	return len(words) == len(part)+len(others) && areSame(left, part, same)
}

// areSame reports whether two lists contain the same words, in any order, as compared by same.
func areSame(words, part []string, same func(word, other string) bool) bool {
	if len(words) != len(part) {
		return false
	}
	left := slices.Clone(words)
	for _, word := range part {
		at := slices.IndexFunc(left, func(other string) bool { return same(word, other) })
		if at < 0 {
			return false
		}
		left = slices.Delete(left, at, at+1)
	}
	return true
}

// alike reports whether two words have the same stem, or other is a synonym of word. word may be a stem itself.
func (x *Index) alike(word, other string) bool {
	if stem := normalize.Stem(other); stem == word || stem == normalize.Stem(word) {
		return true
	}
	from, known := x.lexicon.Find(word)
	to, knownToo := x.lexicon.Find(other)
	if !known || !knownToo {
		return false
	}
	start, end := x.synonyms.Range(int32(from))
	for i := start; i < end; i++ {
		if x.synonyms.Values()[i] == int32(to) && x.weights[i] >= likeWeight {
			return true
		}
	}
	return false
}

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
