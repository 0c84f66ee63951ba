package normalize

import (
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

// ExcludeEachOther reports whether two names, a mention and a name of a dictionary, name different concepts: one has a
// word that excludes one of the other (see [AreOpposed]) and is not in it, or more words than the other and among them one
// that makes it a name of something about a thing ("history of stroke", see [IsAbout]), they have another letter after the
// same word ("vitamin A", "vitamin D", "stage IIIA", "stage IIIB"), or one has without what the other has ("migraine
// without aura"). So do those that [AreReversed].
func ExcludeEachOther(a, b string) bool {
	if form := JoinedForm(a); form != "" && form == JoinedForm(b) { // HbA 1c
		return false
	}
	wordsA, wordsB := CanonicalTokens(a), CanonicalTokens(b)
	onlyA, onlyB := without(wordsA, wordsB), without(wordsB, wordsA)
	more := onlyA
	if len(onlyB) > len(onlyA) {
		more = onlyB
	}
	if len(onlyA) != len(onlyB) && slices.ContainsFunc(more, IsAbout) || lacks(wordsA, wordsB) || lacks(wordsB, wordsA) ||
		slices.ContainsFunc(onlyA, func(word string) bool {
			return slices.ContainsFunc(onlyB, func(other string) bool { return AreOpposed(word, other) })
		}) {
		return true
	}
	normalA, normalB := strings.Fields(Normal(a)), strings.Fields(Normal(b))
	return slices.ContainsFunc(letterPlaces(normalA), func(i int) bool {
		return slices.ContainsFunc(letterPlaces(normalB), func(j int) bool {
			return normalA[i-1] == normalB[j-1] && normalA[i] != normalB[j]
		})
	})
}

// AreReversed reports whether two names name the cause of each other: "kidney disease due to hypertension" and
// "hypertension caused by kidney disease".
func AreReversed(a, b string) bool {
	effectA, causeA := causeOf(a)
	effectB, causeB := causeOf(b)
	return effectA != "" && effectA != causeA && effectA == causeB && causeA == effectB
}

// causeOf returns the words of a name before those that name a cause, and behind them; none of a name without a cause.
func causeOf(name string) (effect, cause string) {
	words := strings.Fields(Normal(name))
	i := slices.IndexFunc(words, func(word string) bool { return lang.CauseWords[word] })
	if i <= 0 || i == len(words)-1 {
		return "", ""
	}
	return TokenSetKey(CanonicalTokens(strings.Join(words[:i], " "))), TokenSetKey(CanonicalTokens(strings.Join(words[i+1:], " ")))
}

// without returns the words that are not among others.
func without(words, others []string) (only []string) {
	for _, word := range words {
		if !slices.Contains(others, word) {
			only = append(only, word)
		}
	}
	return only
}

// lacks reports whether words have a word after "without" that others have as well, which have no "without".
func lacks(words, others []string) bool {
	isWithout := func(word string) bool { return withoutWords[word] }
	i := slices.IndexFunc(words, isWithout)
	return i >= 0 && i+1 < len(words) && !slices.ContainsFunc(others, isWithout) &&
		slices.Contains(others, words[i+1])
}

// letterPlaces returns the indexes of the words that are one letter after a longer word, or a letter after the Roman
// number of a stage. An s is that of an owner.
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

// AreOpposed reports whether one of two words, canonical tokens or their stems, excludes the other, so
// that names which differ in them name different concepts: if one is among the [Opposites] of the
// other, it is the other behind "extra", "pseudo" or another such beginning, or both are members of one [Series].
func AreOpposed(a, b string) bool {
	if a == b {
		return false
	}
	series := Series(a)
	return series != "" && series == Series(b) || slices.Contains(Opposites(a), b) ||
		isElsewhere(a, b) || isElsewhere(b, a)
}

// IsAbout reports whether a word, a canonical token or its stem, makes the name of a thing one of something about it: its
// history, absence, test or fear.
func IsAbout(word string) bool { return aboutWords[word] }

// isElsewhere reports whether a word is another one behind a beginning that makes it another place, time or thing, or
// before a word that makes it something about that, as in German compounds: Krebsangst.
func isElsewhere(word, other string) bool {
	before, ok := strings.CutSuffix(word, other)
	after, isLonger := strings.CutPrefix(word, other)
	return len(other) >= minOpposedRest && (ok && lang.Elsewhere[before] ||
		isLonger && after != "" && (IsAbout(after) || (after[0] == 's' || after[0] == 'n') && IsAbout(after[1:])))
}

// Opposites returns the words that a word, a canonical token or its stem, excludes: "right" of "left",
// "chronic" of "acute", "hypotension" of "hypertension", "Schilddrüsenunterfunktion" of "Schilddrüsenüberfunktion" and
// "asymptomatic" of "symptomatic", whether or not there is such a word.
func Opposites(word string) []string {
	found := slices.Clip(opposites[word])
	for i := max(minOpposedRest, len(word)-len(longestOpposite)); i+minOpposedRest < len(word); i++ {
		for _, other := range opposites[word[i:]] {
			found = append(found, word[:i]+other)
		}
	}
	for _, pair := range oppositeBeginnings {
		for i, beginning := range pair {
			if rest, ok := strings.CutPrefix(word, beginning); ok && len(rest) >= minOpposedRest {
				found = append(found, pair[1-i]+rest)
			}
		}
	}
	for _, negation := range lang.Negations {
		if rest, ok := strings.CutPrefix(word, negation); ok && len(rest) >= minOpposedRest-1 {
			found = append(found, rest)
		}
		if len(word) >= minOpposedRest-1 {
			found = append(found, negation+word)
		}
	}
	return found
}

// minOpposedRest is the length in bytes of what must follow an opposite beginning.
const minOpposedRest = 3

// Series returns what identifies the series that a word is a member of, whose members exclude each
// other. It is empty for most words.
//
//	2, >3, 0.5%  "0"      numbers
//	b6, b12      "b0"     numbers after the same one to three letters
//	2a, 12q      "0a"     letters after a number
//	b, c, c++    "a"      letters
//	p53−/−       "p53+"   words with signs
//	mg, ml       "mg"     units
//	alpha, beta  "alpha"  Greek letters
//	first, third "first"  ordinal numbers
//	2型糖尿病      "0型糖尿病"  names in a script without spaces that differ in a number or an opposite
func Series(word string) string {
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
	switch {
	case len(bare) > 1 && bare != word:
		return bare + "+"
	case letters == bare && len(bare) == 1 && IsLetters(bare):
		return "a"
	case letters != bare && len(letters) <= maxSeriesLetters && IsLetters(letters):
		return letters + "0"
	case afterNumber != word && len(afterNumber) == 1 && IsLetters(afterNumber):
		return "0a"
	}
	return ""
}

// maxSeriesLetters is the number of letters before the number of a member of a series.
const maxSeriesLetters = 3

// ChangesName reports whether a word in normal form makes another name of one that follows: "non", "pre" and "hypo" with
// a hyphen between them, "non" and "post" without one, too.
func ChangesName(word string, hyphen bool) bool {
	return lang.Elsewhere[word] || word == language.Rules.Synonyms.Non || hyphen && (lang.WordPrefixes[word] ||
		len(word) > 1 && slices.Contains(lang.Negations, word) ||
		slices.ContainsFunc(oppositeBeginnings, func(pair [2]string) bool { return pair[0] == word || pair[1] == word }))
}
