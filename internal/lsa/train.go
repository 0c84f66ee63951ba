package lsa

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/svd"
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
	if !svd.Enough(matrix, config.Dim) {
		return nil, nil
	}
	singular, _, err := svd.Right(ctx, matrix, config.Dim, config.Seed)
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
	starts  []int // of each text in words; one more for the end
	words   []int32
	scales  []float64 // of each text
	weights []float64 // of each word
	// The transposed matrix: the texts of each word.
	textStarts []int
	texts      []int32
}

// Dims implements [svd.Matrix].
func (m *sparseMatrix) Dims() (rows, columns int) { return len(m.scales), len(m.weights) }

// count returns the matrix of the texts, and the words of at least minTexts texts in
// alphabetical order.
func count(texts Texts, minTexts int) (*sparseMatrix, []string, error) {
	numbers := make(map[string]int32)
	var all []string // by number
	var counts []int // texts with the word
	m := &sparseMatrix{starts: []int{0}}
	for words, err := range texts {
		if err != nil {
			return nil, nil, err
		}
		for _, word := range words {
			number, known := numbers[word]
			if !known {
				number = int32(len(all))
				numbers[word] = number
				all, counts = append(all, word), append(counts, 0)
			}
			counts[number]++
			m.words = append(m.words, number)
		}
		m.starts = append(m.starts, len(m.words))
	}
	var kept []string
	for number, word := range all {
		if counts[number] >= minTexts {
			kept = append(kept, word)
		}
	}
	slices.Sort(kept)
	renumbered := make([]int32, len(all)) // -1 for a word that is left out
	for i := range renumbered {
		renumbered[i] = -1
	}
	m.weights = make([]float64, len(kept))
	total := float64(len(m.starts) - 1)
	for i, word := range kept {
		number := numbers[word]
		renumbered[number] = int32(i)
		m.weights[i] = math.Log(total / float64(counts[number]))
	}
	m.keep(renumbered)
	m.transpose()
	return m, kept, nil
}

// keep leaves the words that have a new number, and sets the scales.
func (m *sparseMatrix) keep(renumbered []int32) {
	end := 0
	for text := range len(m.starts) - 1 {
		old := m.words[m.starts[text]:m.starts[text+1]]
		m.starts[text] = end
		squares := 0.
		for _, word := range old {
			if word = renumbered[word]; word < 0 {
				continue
			}
			m.words[end] = word
			end++
			squares += m.weights[word] * m.weights[word]
		}
		scale := 0.
		if squares > 0 {
			scale = 1 / math.Sqrt(squares)
		}
		m.scales = append(m.scales, scale)
	}
	m.starts[len(m.starts)-1] = end
	m.words = m.words[:end]
}

func (m *sparseMatrix) transpose() {
	m.textStarts = make([]int, len(m.weights)+1)
	for _, word := range m.words {
		m.textStarts[word+1]++
	}
	for i := range m.weights {
		m.textStarts[i+1] += m.textStarts[i]
	}
	next := slices.Clone(m.textStarts)
	m.texts = make([]int32, len(m.words))
	for text := range len(m.scales) {
		for _, word := range m.words[m.starts[text]:m.starts[text+1]] {
			m.texts[next[word]] = int32(text)
			next[word]++
		}
	}
}

// Times implements [svd.Matrix].
func (m *sparseMatrix) Times(b *mat.Dense) *mat.Dense {
	_, columns := b.Dims()
	product := mat.NewDense(len(m.scales), columns, nil)
	parallel.Ranges(len(m.scales), 0, func(start, end int) {
		for text := start; text < end; text++ {
			row := product.RawRowView(text)
			for _, word := range m.words[m.starts[text]:m.starts[text+1]] {
				svd.AddScaled(row, b.RawRowView(int(word)), m.weights[word]*m.scales[text])
			}
		}
	})
	return product
}

// TransposedTimes implements [svd.Matrix].
func (m *sparseMatrix) TransposedTimes(b *mat.Dense) *mat.Dense {
	_, columns := b.Dims()
	product := mat.NewDense(len(m.weights), columns, nil)
	parallel.Ranges(len(m.weights), 0, func(start, end int) {
		for word := start; word < end; word++ {
			row := product.RawRowView(word)
			for _, text := range m.texts[m.textStarts[word]:m.textStarts[word+1]] {
				svd.AddScaled(row, b.RawRowView(int(text)), m.weights[word]*m.scales[text])
			}
		}
	})
	return product
}
