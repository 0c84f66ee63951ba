package lexical

import (
	"cmp"
	"math"
	"slices"
)

// wordSynonym is a word that replaces another in names of one concept: "kidney" for "renal". Both are canonical tokens.
type wordSynonym struct {
	word        int32
	probability float64 // of these two words, given that the rarer one is replaced at all
}

// wordSynonyms holds the synonyms of each word, the most probable first.
type wordSynonyms map[int32][]wordSynonym

const (
	// minLikelihoodRatio is the least G2 at which chance does not explain that two words
	// replace each other: chi-squared with one degree of freedom at p = .001.
	minLikelihoodRatio = 10.83
	minConcepts        = 2 // the names of one concept may differ in anything
	maxSynonyms        = 4 // of a word: the most probable
	// words that differ on either side of a pair of names; with more, it is unclear which replaces which
	maxReplaced      = 2
	maxNamesCompared = 200 // of a concept: the first
)

// replacementCounts learns which words are synonyms from the names of each concept: it counts for each pair of words the
// concepts in which one replaces the other. Words are numbers.
//
// Two names of a concept that share a word and differ in one or two words on each side ("renal failure", "kidney
// failure") are evidence that the words in which they differ replace each other: 1 for one word against one word, 1/2
// where either side has two. A concept counts once for each pair of words, so that a concept with many names has no
// more weight. A pair is kept if
//
//	G2 = 2 Σ o ln(o / e)
//
// over the four cells (one word replaced or not, the other replacing or not) is at least 10.83: Dunning, "Accurate
// Methods for the Statistics of Surprise and Coincidence", Computational Linguistics 19(1), 1993.
type replacementCounts struct {
	pairs    map[wordPair]float64
	replaced map[int32]float64 // concepts in which each word is replaced; in as many it replaces another
	concepts float64           // number of concepts in which any word is replaced
}

// wordPair is a word and the word that replaces it.
type wordPair struct{ from, to int32 }

func newReplacementCounts() *replacementCounts {
	return &replacementCounts{pairs: make(map[wordPair]float64), replaced: make(map[int32]float64)}
}

// add counts the replacements that the names of one concept show, given the words of each.
func (c *replacementCounts) add(names [][]int32) {
	if len(names) < 2 {
		return
	}
	names = names[:min(len(names), maxNamesCompared)]
	shown := make(map[wordPair]float64) // the greatest weight of each pair
	var from, to []int32
	for i, a := range names {
		for _, b := range names[i+1:] {
			from, to = appendDifference(from[:0], a, b), appendDifference(to[:0], b, a)
			n := max(len(from), len(to))
			if min(len(from), len(to)) == 0 || n > maxReplaced || len(from) == len(a) {
				continue
			}
			weight := 1 / float64(n)
			for _, x := range from {
				for _, y := range to {
					shown[wordPair{x, y}] = max(shown[wordPair{x, y}], weight)
					shown[wordPair{y, x}] = max(shown[wordPair{y, x}], weight)
				}
			}
		}
	}
	most := make(map[int32]float64) // of each word
	for pair, weight := range shown {
		c.pairs[pair] += weight
		most[pair.from] = max(most[pair.from], weight)
	}
	for word, weight := range most {
		c.replaced[word] += weight
	}
	if len(shown) > 0 {
		c.concepts++
	}
}

// appendDifference appends the words of a that are not in b to dst.
func appendDifference(dst, a, b []int32) []int32 {
	for _, word := range a {
		if !slices.Contains(b, word) {
			dst = append(dst, word)
		}
	}
	return dst
}

// synonyms returns the words that replace each other more often than by chance, by new numbers in the order of words.
func (c *replacementCounts) synonyms(numbers []int32) wordSynonyms {
	learned := make(wordSynonyms)
	for pair, n := range c.pairs {
		from, to := c.replaced[pair.from], c.replaced[pair.to]
		if n < minConcepts || n*c.concepts <= from*to || likelihoodRatio(n, from, to, c.concepts) < minLikelihoodRatio {
			continue
		}
		word := numbers[pair.from]
		learned[word] = append(learned[word], wordSynonym{numbers[pair.to], n / min(from, to)})
	}
	for word, others := range learned {
		slices.SortFunc(others, func(a, b wordSynonym) int {
			return cmp.Or(cmp.Compare(b.probability, a.probability), cmp.Compare(a.word, b.word))
		})
		learned[word] = others[:min(len(others), maxSynonyms)]
	}
	return learned
}

// likelihoodRatio returns G2 of a table of n observations, of which a have one
// property, b have another, and both have both.
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
