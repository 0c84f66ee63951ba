package lsa

import (
	"context"
	"errors"
	"iter"
	"maps"
	"math"
	"slices"
)

// Texts is a sequence of texts, each given as its distinct words. An error ends the sequence.
type Texts = iter.Seq2[[]string, error]

// Dim is the length of a vector that best distinguished senses of short forms: of 150, 200 and 400, the best was better
// by at most .003. MinTexts is the number of texts in which a word must occur.
const (
	Dim      = 150
	MinTexts = 5
)

// Train computes vectors of dim numbers for the words that occur in at least minTexts texts. It returns nil if there
// are not more words and texts than numbers in a vector, which is too little to learn from. The same texts in the same
// order and the same seed of the random projection give the same vectors.
func Train(ctx context.Context, texts Texts, dim, minTexts int, seed uint64) (*Space, error) {
	if dim < 1 || minTexts < 1 {
		return nil, errors.New("lsa: the dimension and the least number of texts must be positive")
	}
	matrix, words, weights, err := count(texts, minTexts)
	if err != nil {
		return nil, err
	}
	if !matrix.Enough(dim) {
		return nil, nil
	}
	singular, _, err := matrix.Right(ctx, dim, seed)
	if err != nil {
		return nil, err
	}
	vectors := make([]float32, 0, len(words)*dim)
	for word, weight := range weights {
		for _, x := range singular.RawRowView(word) {
			vectors = append(vectors, float32(x)*float32(weight))
		}
	}
	return newSpace(words, vectors, dim), nil
}

// count returns the matrix of texts (rows) and words (columns), the words in at least minTexts texts in alphabetical
// order, and their weights. The values in a row are the weights of the text's words, times one scale.
func count(texts Texts, minTexts int) (m *Matrix, words []string, weights []float64, err error) {
	textsOf := make(map[string][]int32) // word -> its texts
	total := 0
	for words, err := range texts {
		if err != nil {
			return nil, nil, nil, err
		}
		for _, word := range words {
			textsOf[word] = append(textsOf[word], int32(total))
		}
		total++
	}
	maps.DeleteFunc(textsOf, func(_ string, texts []int32) bool { return len(texts) < minTexts })
	words = slices.Sorted(maps.Keys(textsOf))
	m = &Matrix{Rows: total}
	scales := make([]float64, total) // first the sums of squares
	for _, word := range words {
		weight := math.Log(float64(total) / float64(len(textsOf[word])))
		m.Columns, weights = append(m.Columns, textsOf[word]), append(weights, weight)
		for _, text := range textsOf[word] {
			scales[text] += weight * weight
		}
	}
	for text, squares := range scales {
		if squares > 0 {
			scales[text] = 1 / math.Sqrt(squares)
		}
	}
	m.Value = func(word, i int) float64 { return weights[word] * scales[m.Columns[word][i]] }
	return m, words, weights, nil
}
