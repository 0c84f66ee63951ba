package lexical

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

var causes = &language.Rules.Causes

// harmedPart holds the nouns of [language.Names.Harm], as stems, with the words of each of their names.
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
	maxParaphrased = 4 // words of a phrase; longer ones say more than a part of the body and its harm
	paraphraseHits = 5 // concepts whose nearest name is compared with the words

	// likeWeight is the least weight of a synonym of a part of the body: .9 p^(1/4) for p = .5.
	likeWeight = .757
)

// Paraphrase returns the name that says in other words what a phrase says: the noun that an adjective is derived from
// ("edema" for "edematous"), and the disease of the part of the body that suffers harm ("kidney disease" for "renal
// toxicity", "renal involvement" and "nephrotoxic"). It returns "" if no name does, or if the phrase is a name but for
// synonyms of its words.
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
		part = stems // of the plain words; otherwise the words, whose synonyms are known
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

// WithoutCause returns the disease of a phrase that says what induced it, and whether that is a substance: "psychosis"
// for "cocaine-induced psychosis". If a name says the same cause, it returns that name: "alcoholic liver disease" for
// "alcohol-induced liver disease". It returns the phrase itself if it is a name, or speaks of no cause or of one that
// is no substance.
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

// substanceName is a name that says that a substance induced a disease.
type substanceName struct {
	name    string
	disease []string // its other words, as canonical tokens
}

// substanceNames returns the names with the words of [language.Causes.OfSubstances], in their order.
func (x *Index) substanceNames() []substanceName {
	number, known := x.lexicon.Find(causes.Induced)
	if !known {
		return nil
	}
	rows := slices.Clone(x.rows.At(int32(number)))
	slices.SortFunc(rows, func(a, b int32) int { return cmp.Compare(x.order[a], x.order[b]) })
	var names []substanceName
	for _, cause := range causes.OfSubstances {
		for _, row := range rows {
			name := x.names.At(int(row))
			words := normalize.CanonicalTokens(name)
			disease := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return slices.Contains(cause, word) })
			if len(disease) > 0 && len(disease) == len(words)-len(cause) {
				names = append(names, substanceName{name, disease})
			}
		}
	}
	return names
}

// InducedBySubstance returns the name for what a phrase says if a drug or another substance induced it, such as
// "dyskinesia, drug-induced" for "dyskinesias"; "" if no name says so. It may have synonyms of the words, but not of an
// only word: each disorder that a drug induced would be one of the words for a disorder, such as "depression".
func (x *Index) InducedBySubstance(phrase string) string {
	words := normalize.CanonicalTokens(phrase)
	equal := func(word, other string) bool { return word == other }
	for _, same := range []func(word, other string) bool{equal, x.alike}[:min(2, len(words))] {
		for _, name := range x.ofSubstances() {
			if areSame(name.disease, words, same) {
				return name.name
			}
		}
	}
	return ""
}

// nounOf returns the name of one word that an adjective is derived from, or else a word of names; "" if there is
// neither, or if the adjective is a name itself.
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

// nameOf returns the nearest name that has, in any order, the words of a part of the body or their like, further
// words as they are, and no others; "" if there is none.
func (x *Index) nameOf(part, others []string) string {
	for _, hit := range x.Search(strings.Join(slices.Concat(part, others), " "), paraphraseHits) {
		left := normalize.CanonicalTokens(hit.Name)
		if len(left) != len(part)+len(others) {
			continue
		}
		left = slices.DeleteFunc(left, func(word string) bool { return slices.Contains(others, word) })
		if areSame(left, part, x.alike) {
			return hit.Name
		}
	}
	return ""
}

// areSame reports whether words are, in any order, the same as those of a part of the body or a disease.
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

// alike reports whether a word, or a stem, has the stem of another word or is a synonym of it.
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
