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
// Coincidence", Computational Linguistics 19(1), 1993. Learning takes .1 s for
// 40 k names, so translations are learnt anew where an index is built.
func LearnTranslations(d *ctxnorm.Dictionary, pairs [][2]string) Translations {
	_, names := namesOf(d)
	return learnTranslations(spellEach(names), pairs)
}

func learnTranslations(names [][]Spelt, pairs [][2]string) Translations {
	c := newReplacementCounts()
	for _, ofConcept := range names {
		c.add(ofConcept[:min(len(ofConcept), namesCompared)])
	}
	for _, pair := range pairs {
		c.add([]Spelt{spell(pair[0]), spell(pair[1])})
	}
	return c.translations()
}

// replacementCounts counts by concepts which word replaces which. Words are
// numbered as they come.
type replacementCounts struct {
	numbers  map[string]int32
	words    []string // by number
	pairs    map[wordPair]float64
	replaced []float64 // by word, how often it is, and as often replaces
	concepts float64   // in which any word is replaced
	shown    []replacement
}

// wordPair is a word and what stands in its place, by their numbers: from<<32 | to.
type wordPair uint64

func newWordPair(from, to int32) wordPair { return wordPair(from)<<32 | wordPair(to) }

func (p wordPair) from() int32 { return int32(p >> 32) }
func (p wordPair) to() int32   { return int32(p & math.MaxUint32) }

// replacement is evidence that a word replaces another: 1, or 1/2.
type replacement struct {
	pair   wordPair
	weight float64
}

func newReplacementCounts() *replacementCounts {
	return &replacementCounts{numbers: make(map[string]int32), pairs: make(map[wordPair]float64)}
}

// number gives the numbers of words.
func (c *replacementCounts) number(words []string) []int32 {
	numbers := make([]int32, len(words))
	for i, word := range words {
		number, known := c.numbers[word]
		if !known {
			number = int32(len(c.words))
			c.numbers[word] = number
			c.words = append(c.words, word)
			c.replaced = append(c.replaced, 0)
		}
		numbers[i] = number
	}
	return numbers
}

// add counts what the names of one concept show.
func (c *replacementCounts) add(names []Spelt) {
	if len(names) < 2 {
		return
	}
	numbered := make([][]int32, len(names))
	for i := range names {
		numbered[i] = c.number(names[i].Words)
	}
	c.shown = c.shown[:0]
	var from, to []int32
	for i, a := range numbered {
		for _, b := range numbered[i+1:] {
			from, to = without(from[:0], a, b), without(to[:0], b, a)
			n := max(len(from), len(to))
			if min(len(from), len(to)) == 0 || n > wordsReplaced || len(from) == len(a) {
				continue
			}
			weight := 1 / float64(n)
			for _, x := range from {
				for _, y := range to {
					c.shown = append(c.shown, replacement{newWordPair(x, y), weight}, replacement{newWordPair(y, x), weight})
				}
			}
		}
	}
	c.count()
}

// count counts the replacements shown by one concept, each pair by its greatest weight.
func (c *replacementCounts) count() {
	slices.SortFunc(c.shown, func(a, b replacement) int {
		if a.pair != b.pair {
			return cmp.Compare(a.pair, b.pair)
		}
		return cmp.Compare(b.weight, a.weight)
	})
	shown := slices.CompactFunc(c.shown, func(a, b replacement) bool { return a.pair == b.pair })
	for i := 0; i < len(shown); {
		word, most := shown[i].pair.from(), 0.0
		for ; i < len(shown) && shown[i].pair.from() == word; i++ {
			c.pairs[shown[i].pair] += shown[i].weight
			most = max(most, shown[i].weight)
		}
		c.replaced[word] += most
	}
	if len(shown) > 0 {
		c.concepts++
	}
}

// without appends to rest the words of a that are not in b.
func without(rest, a, b []int32) []int32 {
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
		from, to := c.replaced[pair.from()], c.replaced[pair.to()]
		// Only words that replace each other more often than by chance.
		if n < leastConcepts || n*c.concepts <= from*to || likelihoodRatio(n, from, to, c.concepts) < leastLikelihoodRatio {
			continue
		}
		word := c.words[pair.from()]
		t[word] = append(t[word], Translation{c.words[pair.to()], n / min(from, to), n})
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
