package wordvec

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"
	"strings"

	"gonum.org/v1/gonum/floats"
)

// Documents is the training text: the words of one document after another. It can be iterated any number of times and
// is the same each time. No window reaches over the end of a document. A slice may be reused after it was yielded. The
// first error ends the training.
type Documents = iter.Seq2[[]string, error]

// Vocabulary is the set of words that have vectors, with their counts. It is safe for concurrent use.
//
// INVARIANT: words are ordered by count, most frequent first, then alphabetically.
type Vocabulary struct {
	words  []string
	counts []int64
	index  map[string]int // position in words
	total  int64          // sum of counts
}

// newVocabulary returns the words that occur at least minCount times in the documents. It returns an error if no word
// is frequent enough, or if a word is empty or contains a tab or a line feed, which the file of a vocabulary cannot
// hold.
func newVocabulary(docs Documents, minCount int) (*Vocabulary, error) {
	counts := make(map[string]int64)
	number := 0
	for words, err := range docs {
		if err != nil {
			return nil, err
		}
		number++
		for _, word := range words {
			if n, known := counts[word]; known {
				counts[word] = n + 1
				continue
			}
			if word == "" || strings.ContainsAny(word, "\t\n") {
				return nil, fmt.Errorf("document %d: word is %q, want at least one character, and no tab or line feed",
					number, word)
			}
			counts[strings.Clone(word)] = 1 // a word may be part of a large text
		}
	}
	v := &Vocabulary{}
	for word, n := range counts {
		if n >= int64(minCount) {
			v.words = append(v.words, word)
		}
	}
	if len(v.words) == 0 {
		return nil, fmt.Errorf("none of the %d words of %d documents appears %d times", len(counts), number, minCount)
	}
	slices.SortFunc(v.words, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	v.counts = make([]int64, len(v.words))
	for i, word := range v.words {
		v.counts[i] = counts[word]
	}
	return v, v.complete()
}

// complete sets index and total. It returns an error if the vocabulary breaks the invariant.
func (v *Vocabulary) complete() error {
	v.index = make(map[string]int, len(v.words))
	v.total = 0
	for i, word := range v.words {
		if v.counts[i] < 1 {
			return fmt.Errorf("word %q: count is %d, want 1 or more", word, v.counts[i])
		}
		if i > 0 && cmp.Or(cmp.Compare(v.counts[i], v.counts[i-1]), strings.Compare(v.words[i-1], word)) >= 0 {
			return fmt.Errorf("word %q comes after %q, want words by count, the most frequent first, then "+
				"alphabetically", word, v.words[i-1])
		}
		if v.total > math.MaxInt64-v.counts[i] {
			return errors.New("counts sum to more than an int64 holds")
		}
		v.index[word] = i
		v.total += v.counts[i]
	}
	return nil
}

// Len returns the number of words.
func (v *Vocabulary) Len() int { return len(v.words) }

// Total returns the sum of the counts of all words.
func (v *Vocabulary) Total() int64 { return v.total }

// Word returns word i, the i-th most frequent.
func (v *Vocabulary) Word(i int) string { return v.words[i] }

// keepProbability returns the probability that subsampling keeps an occurrence of word i:
//
//	min(1, sqrt(t/f) + t/f)
//
// for the word's share f of the text and the threshold t. This is the formula of the authors' program and of Gensim;
// equation 5 of the paper, sqrt(t/f), keeps slightly less.
func (v *Vocabulary) keepProbability(i int, threshold float64) float64 {
	if threshold == 0 {
		return 1
	}
	ratio := threshold * float64(v.total) / float64(v.counts[i])
	return min(1, math.Sqrt(ratio)+ratio)
}

// noise samples words with probabilities in proportion to a power of their counts. It holds the cumulative sums of
// these probabilities.
type noise []float64

// noise returns the sampler of noise words: see [Config].NoiseExponent.
func (v *Vocabulary) noise(exponent float64) noise {
	n, sum := make(noise, v.Len()), 0.
	for i, count := range v.counts {
		sum += math.Pow(float64(count), exponent)
		n[i] = sum
	}
	floats.Scale(1/sum, n)
	return n
}

// word returns the word for a random number, 0 to below 1.
func (n noise) word(random float64) int {
	return min(sort.Search(len(n), func(i int) bool { return n[i] > random }), len(n)-1) // the last sum is about 1
}
