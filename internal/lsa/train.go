package lsa

import (
	"context"
	"errors"
	"iter"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// Texts is a sequence of texts, each given by its distinct words. After an error the sequence
// ends.
type Texts = iter.Seq2[[]string, error]

// Config holds the settings of [Train].
type Config struct {
	Dim      int    // numbers in a vector
	MinTexts int    // a word of fewer texts gets no vector
	Seed     uint64 // of the random projection
}

// DefaultConfig returns the settings that told senses of short forms apart best: of 150, 200
// and 400 numbers in a vector, none was better by more than .003.
func DefaultConfig() Config { return Config{Dim: 150, MinTexts: 5, Seed: 1} }

// Train computes the vectors of the words of texts. It returns nil if there are not more words
// and texts than numbers in a vector: from so few nothing can be learned. The same texts in the
// same order give the same vectors.
func Train(ctx context.Context, texts Texts, config Config) (*Space, error) {
	if config.Dim < 1 || config.MinTexts < 1 {
		return nil, errors.New("lsa: the dimension and the least number of texts must be positive")
	}
	matrix, words, err := count(texts, config.MinTexts)
	if err != nil {
		return nil, err
	}
	if !Enough(matrix, config.Dim) {
		return nil, nil
	}
	singular, _, err := Right(ctx, matrix, config.Dim, config.Seed)
	if err != nil {
		return nil, err
	}
	vectors := make([]float32, 0, len(words)*config.Dim)
	for word, weight := range matrix.weights {
		for _, x := range singular.RawRowView(word) {
			vectors = append(vectors, float32(x)*float32(weight))
		}
	}
	return newSpace(words, vectors, config.Dim), nil
}

// sparseMatrix is the matrix of texts and words. All values of a row are the weights of the
// words that the text has, times the scale of the row.
type sparseMatrix struct {
	words   [][]int32 // of each text
	texts   [][]int32 // of each word
	scales  []float64 // of each text
	weights []float64 // of each word
}

// Dims implements [Matrix].
func (m *sparseMatrix) Dims() (rows, columns int) { return len(m.scales), len(m.weights) }

// count returns the matrix of the texts, and the words of at least minTexts texts in
// alphabetical order.
func count(texts Texts, minTexts int) (*sparseMatrix, []string, error) {
	textsOf := make(map[string][]int32) // word -> its texts
	total := 0
	for words, err := range texts {
		if err != nil {
			return nil, nil, err
		}
		for _, word := range words {
			textsOf[word] = append(textsOf[word], int32(total))
		}
		total++
	}
	maps.DeleteFunc(textsOf, func(_ string, texts []int32) bool { return len(texts) < minTexts })
	kept := slices.Sorted(maps.Keys(textsOf))
	m := &sparseMatrix{words: make([][]int32, total), scales: make([]float64, total)}
	for number, word := range kept {
		texts := textsOf[word]
		m.texts, m.weights = append(m.texts, texts), append(m.weights, math.Log(float64(total)/float64(len(texts))))
		for _, text := range texts {
			m.words[text] = append(m.words[text], int32(number))
		}
	}
	for text, words := range m.words {
		squares := 0.
		for _, word := range words {
			squares += m.weights[word] * m.weights[word]
		}
		if squares > 0 {
			m.scales[text] = 1 / math.Sqrt(squares)
		}
	}
	return m, kept, nil
}

// Times implements [Matrix].
func (m *sparseMatrix) Times(b *mat.Dense) *mat.Dense {
	return products(m.words, b, func(text int, word int32) float64 { return m.weights[word] * m.scales[text] })
}

// TransposedTimes implements [Matrix].
func (m *sparseMatrix) TransposedTimes(b *mat.Dense) *mat.Dense {
	return products(m.texts, b, func(word int, text int32) float64 { return m.weights[word] * m.scales[text] })
}

// products returns the product of b and a matrix, of which rows has the columns that are not 0 and value the values.
func products(rows [][]int32, b *mat.Dense, value func(row int, column int32) float64) *mat.Dense {
	_, columns := b.Dims()
	product := mat.NewDense(len(rows), columns, nil)
	parallel.Ranges(len(rows), 0, func(start, end int) {
		for row := start; row < end; row++ {
			sum := product.RawRowView(row)
			for _, column := range rows[row] {
				AddScaled(sum, b.RawRowView(int(column)), value(row, column))
			}
		}
	})
	return product
}
