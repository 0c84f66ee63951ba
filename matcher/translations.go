package matcher

import (
	"cmp"
	"math"
	"slices"

	"ctxnorm"
)

// Translation is a word that stands for another in names of one concept:
// "kidney" for "renal". Both are in the form of [Spelling].
type Translation struct {
	Word        string
	Probability float64 // that it is these two words where the rarer of them is replaced at all
	Concepts    float64 // how many concepts show it; a half where one of two words is meant
}

// Translations holds for each word those that stand for it, the most probable
// first.
type Translations map[string][]Translation

const (
	// leastLikelihoodRatio is how far chance must be from explaining that two words
	// replace each other: chi-squared with one degree of freedom at p = .001.
	leastLikelihoodRatio = 10.83
	leastConcepts        = 2   // one concept's names may differ by anything
	translationsPerWord  = 4   // the most probable
	wordsReplaced        = 2   // at most, on either side, for a pair of names to tell which word stands for which
	namesCompared        = 200 // of a concept, or of the pairs, with each other: the first
)

// LearnTranslations learns from the names of d which words stand for each other,
// and from further pairs of names that mean the same, each of which counts as a
// concept of its own.
//
// Two names of a concept that share a word and differ in one or two words on
// each side ("renal failure", "kidney failure") are evidence that the words in
// which they differ replace each other: 1 for a word against a word, 1/2 where
// there are two to choose from. A concept counts once for each pair of words, so
// that one with many names has no more say. A pair is kept if
//
//	G2 = 2 Σ o ln(o / e)
//
// over the four cells (one word replaced or not, the other replacing or not) is
// at least 10.83: Dunning, "Accurate Methods for the Statistics of Surprise and
// Coincidence", Computational Linguistics 19(1), 1993. Learning takes .25 s for
// 40 k names, so translations are learnt anew where an index is built.
func LearnTranslations(d *ctxnorm.Dictionary, pairs [][2]string) Translations {
	c := replacementCounts{pairs: make(map[[2]string]float64), words: make(map[string]float64)}
	for i := range d.Len() {
		names := d.At(i).Names()
		c.add(names[:min(len(names), namesCompared)])
	}
	for _, pair := range pairs {
		c.add(pair[:])
	}
	return c.translations()
}

// replacementCounts counts by concepts which word replaces which.
type replacementCounts struct {
	pairs    map[[2]string]float64
	words    map[string]float64 // that are replaced, and as often replace
	concepts float64            // in which any word is replaced
}

// add counts what the names of one concept show.
func (c *replacementCounts) add(names []string) {
	spelt := make([][]string, len(names))
	for i, name := range names {
		spelt[i] = Spelling(name)
	}
	shown := make(map[[2]string]float64)
	for i, a := range spelt {
		for _, b := range spelt[i+1:] {
			from, to := without(a, b), without(b, a)
			n := max(len(from), len(to))
			if min(len(from), len(to)) == 0 || n > wordsReplaced || len(from) == len(a) {
				continue
			}
			for _, x := range from {
				for _, y := range to {
					shown[[2]string{x, y}] = max(shown[[2]string{x, y}], 1/float64(n))
					shown[[2]string{y, x}] = max(shown[[2]string{y, x}], 1/float64(n))
				}
			}
		}
	}
	replaced := make(map[string]float64)
	for pair, n := range shown { // sums of halves are exact in any order
		c.pairs[pair] += n
		replaced[pair[0]] = max(replaced[pair[0]], n)
	}
	for word, n := range replaced {
		c.words[word] += n
	}
	if len(replaced) > 0 {
		c.concepts++
	}
}

// without is the words of a that are not in b.
func without(a, b []string) []string {
	var rest []string
	for _, word := range a {
		if !slices.Contains(b, word) {
			rest = append(rest, word)
		}
	}
	return rest
}

func (c *replacementCounts) translations() Translations {
	t := make(Translations)
	for pair, n := range c.pairs {
		from, to := c.words[pair[0]], c.words[pair[1]]
		// Only words that replace each other more often than by chance.
		if n < leastConcepts || n*c.concepts <= from*to || likelihoodRatio(n, from, to, c.concepts) < leastLikelihoodRatio {
			continue
		}
		t[pair[0]] = append(t[pair[0]], Translation{pair[1], n / min(from, to), n})
	}
	for word := range t {
		slices.SortFunc(t[word], func(a, b Translation) int {
			return cmp.Or(cmp.Compare(b.Probability, a.Probability), cmp.Compare(a.Word, b.Word))
		})
		t[word] = t[word][:min(len(t[word]), translationsPerWord)]
	}
	return t
}

// likelihoodRatio is G2 of a table of n observations, of which a have one
// property, b another, and both have both.
func likelihoodRatio(both, a, b, n float64) float64 {
	g := 0.0
	for _, cell := range [...]struct{ observed, row, column float64 }{
		{both, a, b},
		{a - both, a, n - b},
		{b - both, n - a, b},
		{n - a - b + both, n - a, n - b},
	} {
		if cell.observed > 0 {
			g += cell.observed * math.Log(cell.observed*n/(cell.row*cell.column))
		}
	}
	return 2 * g
}
