package link

import (
	"slices"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

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
	// minReplaced is the minimum probability of the same concept for a name with other words.
	minReplaced = .6
)

// nameOf returns the nearest name that consists of the words in part, or of words that replace them in names of one
// concept, and the words in others as they are. It returns "" if there is none. The words are canonical tokens.
func (x *NameIndex) nameOf(part []string, others ...string) string {
	for _, hit := range x.lexical.Search(strings.Join(slices.Concat(part, others), " "), paraphraseHits) {
		if x.consistsOf(hit.Name, part, others, minReplaced) {
			return hit.Name
		}
	}
	return ""
}

// consistsOf reports whether a name consists of the words in part, or with at least the probability least of words that
// replace them, and of those in others.
func (x *NameIndex) consistsOf(name string, part, others []string, least float64) bool {
	words, asIs := normalize.NameWordsOf(normalize.CanonicalTokens(name)), normalize.NameWordsOf(others)
	left := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return slices.Contains(asIs, word) })
	p, same := x.words.SameConcept(x.words.Mention(left).Known, x.words.Mention(normalize.NameWordsOf(part)))
	return len(words) == len(left)+len(asIs) && (len(left)+len(part) == 0 || same && p >= least)
}

// paraphrase returns a name that expresses a phrase in other words: the noun from which an adjective is derived
// ("edema" for "edematous"), or the disease of the body part that is harmed ("kidney disease" for "renal toxicity",
// "renal involvement" and "nephrotoxic"). It returns the phrase if there is no such name, or if the phrase, up to words
// that replace its words, is a name itself.
func (x *NameIndex) paraphrase(phrase string) string {
	words := normalize.CanonicalTokens(phrase)
	if len(words) == 0 || len(words) > maxParaphrased {
		return phrase
	}
	if len(words) == 1 && !x.lexical.HasName(phrase) {
		nouns := slices.DeleteFunc(normalize.NounsOf(words[0]), func(noun string) bool { return x.lexical.LongestWith(noun) == 0 })
		for _, noun := range nouns {
			if name := x.nameOf(nil, noun); name != "" {
				return name
			}
		}
		if len(nouns) > 0 {
			return nouns[0]
		}
	}
	var plain []string
	for _, word := range words {
		plain = append(plain, normalize.PlainWords(word)...)
	}
	at := slices.IndexFunc(plain, func(word string) bool { return harmedPart[normalize.Stem(word)] != nil })
	if at < 0 || len(plain) < 2 || x.nameOf(plain) != "" {
		return phrase
	}
	part := slices.Concat(plain[:at], plain[at+1:])
	for _, disease := range harmedPart[normalize.Stem(plain[at])] {
		if name := x.nameOf(part, disease...); name != "" {
			return name
		}
	}
	return phrase
}

// withoutCause returns the disease in a phrase that also names its cause, if that is a substance according to the text:
// "psychosis" for "cocaine-induced psychosis". If a name includes the same cause, it returns that name: "alcoholic liver
// disease" for "alcohol-induced liver disease". It returns other phrases, and names, as they are.
func (x *NameIndex) withoutCause(phrase string, induced inducedPhrases) string {
	words := strings.FieldsFunc(phrase, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Dash, r) })
	at := slices.IndexFunc(words, func(word string) bool { return strings.EqualFold(word, language.Rules.Causes.Induced) })
	if at < 1 || at == len(words)-1 || x.nameOf(normalize.CanonicalTokens(phrase)) != "" {
		return phrase
	}
	_, disease, _ := strings.Cut(phrase, words[at])
	disease = strings.TrimLeftFunc(disease, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	if name := x.nameOf(normalize.CanonicalTokens(words[at-1] + " " + disease)); name != "" {
		return name
	}
	if induced.has(disease) {
		return disease
	}
	return phrase
}

// inducedBySubstance returns the name of a disease when a drug or another substance induces it, such as "dyskinesia,
// drug-induced" for "dyskinesias", or the phrase if there is no such name. Other words replace those of a phrase only if
// it has several, otherwise any drug-induced disorder would match a word such as "depression".
func (x *NameIndex) inducedBySubstance(phrase string) string {
	causes, words, least := &language.Rules.Causes, normalize.CanonicalTokens(phrase), minReplaced
	if len(words) == 1 {
		least = 1
	}
	hits := x.lexical.Search(phrase+" "+causes.Induced, paraphraseHits)
	for _, cause := range causes.OfSubstances {
		for _, hit := range hits {
			if len(words) > 0 && x.consistsOf(hit.Name, words, cause, least) {
				return hit.Name
			}
		}
	}
	return phrase
}
