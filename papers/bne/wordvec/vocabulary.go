package wordvec

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
)

// Documents are the training text: the words of one document after another, as often as they
// are asked for, the same each time. No window reaches over the end of a document. The slice may be
// reused after it was yielded. The first error ends the training.
type Documents = iter.Seq2[[]string, error]

// Vocabulary is the set of words that have vectors, with their counts. It is safe for
// concurrent use.
//
// INVARIANT: words are ordered by count, the most frequent first, then alphabetically.
type Vocabulary struct {
	words  []string
	counts []int64
	index  map[string]uint32 // position in words
	total  int64             // sum of counts
}

// newVocabulary returns the words of the documents that appear at least minCount times. It
// returns an error for a word that is empty or holds a tab or a line feed, which the file of
// a vocabulary cannot have, and if no word is frequent enough.
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
			counts[strings.Clone(word)] = 1 // a word may be a part of a large text
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

// complete sets index and total. It returns an error for a vocabulary that breaks the
// invariant.
func (v *Vocabulary) complete() error {
	if len(v.words) >= positive {
		return fmt.Errorf("there are %d words, want less than %d", len(v.words), positive)
	}
	v.index = make(map[string]uint32, len(v.words))
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
		v.index[word] = uint32(i)
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

// keepProbability returns the probability that subsampling keeps an appearance of word i:
//
//	min(1, sqrt(t/f) + t/f)
//
// for the word's share f of the text and the threshold t. It is what the authors' program and
// Gensim compute; equation 5 of the paper, sqrt(t/f), keeps a little less.
func (v *Vocabulary) keepProbability(i int, threshold float64) float64 {
	if threshold == 0 {
		return 1
	}
	ratio := threshold * float64(v.total) / float64(v.counts[i])
	return min(1, math.Sqrt(ratio)+ratio)
}

// noise samples words with probabilities in proportion to a power of their counts, by the
// alias method: Walker (1977) with Vose's construction, "A Linear Algorithm for Generating
// Random Numbers with a Given Distribution", IEEE TSE 17, 1991. Column i is chosen uniformly;
// it stands for word i with its probability, and for its alias otherwise.
type noise []noiseColumn

type noiseColumn struct {
	keep  uint32 // probability of word i, times 2^32; that of 1 is rounded down by 2^-32
	alias uint32
}

// noise returns the sampler of noise words: see [Config].NoiseExponent.
func (v *Vocabulary) noise(exponent float64) noise {
	n := v.Len()
	scaled := make([]float64, n) // probabilities times n
	var sum float64
	for i, count := range v.counts {
		scaled[i] = math.Pow(float64(count), exponent)
		sum += scaled[i]
	}
	columns := make(noise, n)
	var small, large []uint32
	for i := range scaled {
		scaled[i] *= float64(n) / sum
		if scaled[i] < 1 {
			small = append(small, uint32(i))
		} else {
			large = append(large, uint32(i))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		columns[s] = noiseColumn{uint32(scaled[s] * (1 << 32)), l}
		scaled[l] -= 1 - scaled[s]
		if scaled[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	for _, i := range append(small, large...) { // their probability is 1 but for rounding
		columns[i] = noiseColumn{math.MaxUint32, i}
	}
	return columns
}

// sample returns a word for 64 random bits.
func (n noise) sample(random uint64) uint32 {
	column := uint32(random >> 32 * uint64(len(n)) >> 32)
	if uint32(random) < n[column].keep {
		return column
	}
	return n[column].alias
}
