package normalize

import (
	"slices"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

// ExcludeEachOther reports whether two names, a mention and a name of a dictionary, name different concepts. That is so
// in these cases: a word of one excludes a word of the other (see [AreOpposed]) and does not occur there; one has more
// words than the other, and one of them makes it something about a thing ("history of stroke", see [IsAbout]); they
// have different letters after the same word ("vitamin A", "vitamin D", "stage IIIA", "stage IIIB"); one is without
// something that the other has ("migraine without aura"); or they [AreReversed].
func ExcludeEachOther(a, b string) bool {
	if form := JoinedForm(a); form != "" && form == JoinedForm(b) { // HbA 1c
		return false
	}
	wordsA, wordsB := CanonicalTokens(a), CanonicalTokens(b)
	if Exclude(without(wordsA, wordsB), without(wordsB, wordsA)) || lacks(wordsA, wordsB) || lacks(wordsB, wordsA) {
		return true
	}
	normalA, normalB := strings.Fields(Normal(a)), strings.Fields(Normal(b))
	return slices.ContainsFunc(letterPlaces(normalA), func(i int) bool {
		return slices.ContainsFunc(letterPlaces(normalB), func(j int) bool {
			return normalA[i-1] == normalB[j-1] && normalA[i] != normalB[j]
		})
	})
}

// AreReversed reports whether two names give each other's cause: "kidney disease due to hypertension" and "hypertension
// caused by kidney disease".
func AreReversed(a, b string) bool {
	effectA, causeA := causeOf(a)
	effectB, causeB := causeOf(b)
	return effectA != "" && effectA != causeA && effectA == causeB && causeA == effectB
}

// causeOf returns the words of a name before and after those that introduce a cause. Both are empty if the name gives
// no cause.
func causeOf(name string) (effect, cause string) {
	words := strings.Fields(Normal(name))
	i := slices.IndexFunc(words, func(word string) bool { return lang.CauseWords[word] })
	if i <= 0 || i == len(words)-1 {
		return "", ""
	}
	return TokenSetKey(CanonicalTokens(strings.Join(words[:i], " "))), TokenSetKey(CanonicalTokens(strings.Join(words[i+1:], " ")))
}

// without returns the words that do not occur in others.
func without(words, others []string) (only []string) {
	for _, word := range words {
		if !slices.Contains(others, word) {
			only = append(only, word)
		}
	}
	return only
}

// lacks reports whether words have a word after "without" that others have, too, and others have no "without".
func lacks(words, others []string) bool {
	isWithout := func(word string) bool { return withoutWords[word] }
	i := slices.IndexFunc(words, isWithout)
	return i >= 0 && i+1 < len(words) && !slices.ContainsFunc(others, isWithout) &&
		slices.Contains(others, words[i+1])
}

// letterPlaces returns the indexes of the words that are a single letter after a longer word, or a letter after the
// Roman numeral of a stage. It skips an s, which is a possessive.
func letterPlaces(words []string) []int {
	var places []int
	for i := 1; i < len(words); i++ {
		last := len(words[i]) - 1
		isStage := words[i-1] == lang.Stage && last > 0 && IsRomanNumeral(words[i][:last])
		if isStage || last == 0 && IsLetters(words[i]) && words[i] != "s" && len(words[i-1]) > 1 {
			places = append(places, i)
		}
	}
	return places
}

// Exclude reports whether two names exclude each other because of the words that only one of them has, canonical tokens
// or their stems: one of the longer name is about something, see [IsAbout], or two are opposed, see [AreOpposed].
func Exclude(onlyA, onlyB []string) bool {
	return len(onlyA) > len(onlyB) && slices.ContainsFunc(onlyA, IsAbout) ||
		len(onlyB) > len(onlyA) && slices.ContainsFunc(onlyB, IsAbout) || slices.ContainsFunc(onlyA, func(word string) bool {
		return slices.ContainsFunc(onlyB, func(other string) bool { return AreOpposed(word, other) })
	})
}

// AreOpposed reports whether one of two words, canonical tokens or their stems, excludes the other, so that names that
// differ in them name different concepts. They are opposed if they are opposites, if one is the other after "extra",
// "pseudo" or a similar beginning, or if both are units or belong to the same [seriesOf].
func AreOpposed(a, b string) bool {
	if a == b {
		return false
	}
	series := seriesOf(a)
	return series != "" && series == seriesOf(b) || lang.Units[a] && lang.Units[b] || areOpposites(a, b) ||
		isElsewhere(a, b) || isElsewhere(b, a)
}

// IsAbout reports whether a word, a canonical token or its stem, turns the name of a thing into something about it: its
// history, absence, test or fear.
func IsAbout(word string) bool { return aboutWords[word] }

// IsDisease reports whether a name has a word of the mention with an ending that makes it a disease: "bilirubinemia"
// for "bilirubin".
func IsDisease(name, mention string) bool {
	words := CanonicalTokens(mention)
	return slices.ContainsFunc(CanonicalTokens(name), func(token string) bool {
		return slices.ContainsFunc(words, func(word string) bool {
			ending, longer := strings.CutPrefix(token, strings.TrimSuffix(word, "e"))
			return longer && lang.DiseaseEndings[ending]
		})
	})
}

// isElsewhere reports whether a word is another one with a beginning that refers to another place, time or thing. It
// also returns true if the other word is followed by one that makes it something about the thing, as in German
// compounds: Krebsangst.
func isElsewhere(word, other string) bool {
	before, ok := strings.CutSuffix(word, other)
	after, isLonger := strings.CutPrefix(word, other)
	return len(other) >= minOpposedRest && (ok && lang.Elsewhere[before] ||
		isLonger && after != "" && (IsAbout(after) || (after[0] == 's' || after[0] == 'n') && IsAbout(after[1:])))
}

// areOpposites reports whether two words, canonical tokens or their stems, are opposites: "right" and "left", "chronic"
// and "acute", "hypotension" and "hypertension", "Schilddrüsenunterfunktion" and "Schilddrüsenüberfunktion",
// "asymptomatic" and "symptomatic".
func areOpposites(a, b string) bool {
	if slices.Contains(opposites[a], b) {
		return true
	}
	for i := max(minOpposedRest, len(a)-len(longestOpposite)); i+minOpposedRest < len(a); i++ {
		if rest, ok := strings.CutPrefix(b, a[:i]); ok && slices.Contains(opposites[a[i:]], rest) {
			return true
		}
	}
	for _, pair := range oppositeBeginnings {
		for i, beginning := range pair {
			rest, ok := strings.CutPrefix(a, beginning)
			other, okToo := strings.CutPrefix(b, pair[1-i])
			if ok && okToo && rest == other && len(rest) >= minOpposedRest {
				return true
			}
		}
	}
	return slices.ContainsFunc(lang.Negations, func(negation string) bool {
		return min(len(a), len(b)) >= minOpposedRest-1 && (negation+a == b || negation+b == a)
	})
}

// minOpposedRest is the minimum length of the rest of a word after an opposite beginning, in bytes.
const minOpposedRest = 3

// seriesOf identifies the series that a word belongs to. Words of the same series exclude each
// other. It is empty for most words.
//
//	2, >3, 0.5%  "0"      numbers
//	b6, b12      "b0"     numbers after the same one to three letters
//	2a, 12q      "0a"     letters after a number
//	h1n1, h5n1   "h0n"    numbers after the same letters, before others
//	b, c, c++    "a"      letters
//	p53−/−       "p53+"   words with signs
//	mg, ml       "mg"     units
//	alpha, beta  "alpha"  Greek letters
//	first, third "first"  ordinal numbers
//	2型糖尿病      "0型糖尿病"  names in a script without spaces that differ in a number or an opposite
func seriesOf(word string) string {
	switch {
	case isGreekName[word]:
		return "alpha"
	case lang.Ordinals[word]:
		return "first"
	case lang.Units[word] && len(word) > 1:
		return "mg"
	}
	if series := unspacedSeries(word); series != "" {
		return series
	}
	bare := strings.TrimRight(word, "+#/−")
	if number := strings.TrimRight(strings.TrimLeft(bare, numeric), digits+".:%"); number == "" {
		return strings.Repeat("0", min(1, len(word)))
	}
	letters := strings.TrimRight(bare, digits)
	afterNumber := strings.TrimLeft(bare, digits)
	around := strings.FieldsFunc(bare, unicode.IsDigit)
	switch {
	case len(bare) > 1 && bare != word:
		return bare + "+"
	case letters == bare && len(bare) == 1 && IsLetters(bare):
		return "a"
	case letters != bare && len(letters) <= maxSeriesLetters && IsLetters(letters):
		return letters + "0"
	case afterNumber != word && len(afterNumber) == 1 && IsLetters(afterNumber):
		return "0a"
	case afterNumber == word && len(around) > 1 && len(bare) <= 2*maxSeriesLetters && IsLetters(strings.Join(around, "")):
		return strings.Join(around, "0")
	}
	return ""
}

// maxSeriesLetters is the maximum number of letters before the number of a member of a series.
const maxSeriesLetters = 3

// ChangesName reports whether a word in normal form changes the meaning of the name after it: "non", "pre" and "hypo"
// with a hyphen between them, "non" and "post" also without one.
func ChangesName(word string, hyphen bool) bool {
	return lang.Elsewhere[word] || word == language.Rules.Synonyms.Non || hyphen && (lang.WordPrefixes[word] ||
		len(word) > 1 && slices.Contains(lang.Negations, word) ||
		slices.ContainsFunc(oppositeBeginnings, func(pair [2]string) bool { return pair[0] == word || pair[1] == word }))
}
