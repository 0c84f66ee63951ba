package lexical

import (
	"cmp"
	"slices"
)

// wordSynonym is a word that replaces another in names of one concept: "kidney" for "renal". Both are canonical tokens.
type wordSynonym struct {
	word        int32
	probability float64 // of this replacement, given that the rarer of the two words is replaced at all
}

// wordSynonyms maps each word to its synonyms, most probable first.
type wordSynonyms map[int32][]wordSynonym

const (
	minConcepts = 2  // because the names of a single concept may differ in anything
	minSynonym  = .2 // minimum probability of a synonym
	maxSynonyms = 4  // maximum number of synonyms of a word
	// maximum number of words that differ on each side of a pair of names; with more, it is unclear which word replaces
	// which
	maxReplaced      = 2
	maxNamesCompared = 200 // maximum number of names of a concept that are compared: the first
)

// replacementCounts learns word synonyms from the names of each concept. For each pair of words it counts the concepts
// in which one word replaces the other. Words are given by number.
//
// Two names of a concept that share a word and differ in one or two words on each side ("renal failure", "kidney
// failure") are evidence that the differing words replace each other: 1 for one word against one word, 1/2 if either
// side has two. A concept counts once for each pair of words, so a concept with many names has no more weight. G2
// (Dunning, "Accurate Methods for the Statistics of Surprise and Coincidence", 1993) chose no better pairs than their
// probability: with it 5 of 4,228 mentions more of BC5CDR's dev set were right by strings alone, and 2 fewer by ranking.
type replacementCounts struct {
	pairs    map[wordPair]float64 // word -> concepts in which it is replaced, the same number in which it replaces
	replaced map[int32]float64    // word -> concepts in which it is replaced; the same number in which it replaces another word
}

// wordPair is a word and the word that replaces it.
type wordPair struct{ from, to int32 }

func newReplacementCounts() *replacementCounts {
	return &replacementCounts{pairs: make(map[wordPair]float64), replaced: make(map[int32]float64)}
}

// add counts the replacements in the names of one concept, given the words of each name.
func (c *replacementCounts) add(names [][]int32) {
	if len(names) < 2 {
		return
	}
	names = names[:min(len(names), maxNamesCompared)]
	shown := make(map[wordPair]float64) // highest weight of each pair
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
	most := make(map[int32]float64) // highest weight of each word
	for pair, weight := range shown {
		c.pairs[pair] += weight
		most[pair.from] = max(most[pair.from], weight)
	}
	for word, weight := range most {
		c.replaced[word] += weight
	}
}

// appendDifference appends to dst the words of a that are not in b.
func appendDifference(dst, a, b []int32) []int32 {
	for _, word := range a {
		if !slices.Contains(b, word) {
			dst = append(dst, word)
		}
	}
	return dst
}

// synonyms returns the words that replace each other often. numbers maps the old numbers of words
// to alphabetical ones, which the result uses.
func (c *replacementCounts) synonyms(numbers []int32) wordSynonyms {
	learned := make(wordSynonyms)
	for pair, n := range c.pairs {
		probability := n / min(c.replaced[pair.from], c.replaced[pair.to])
		if n < minConcepts || probability < minSynonym {
			continue
		}
		word := numbers[pair.from]
		learned[word] = append(learned[word], wordSynonym{numbers[pair.to], probability})
	}
	for word, others := range learned {
		slices.SortFunc(others, func(a, b wordSynonym) int {
			return cmp.Or(cmp.Compare(b.probability, a.probability), cmp.Compare(a.word, b.word))
		})
		learned[word] = others[:min(len(others), maxSynonyms)]
	}
	return learned
}
