package lsa

import (
	"context"
	"errors"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/lapack/lapack64"
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

// Of the randomized method: more directions than asked for, and passes over the matrix.
// Halko et al. advise 5 or 10, and 1 or 2 for a slowly decaying spectrum.
const (
	oversample = 10
	passes     = 3
)

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
	columns := config.Dim + oversample
	if len(words) < columns || matrix.rows() < columns {
		return nil, nil
	}
	vectors, err := matrix.rightSingularVectors(ctx, config.Dim, columns, config.Seed)
	if err != nil {
		return nil, err
	}
	for word, weight := range matrix.weights {
		row := vectors[word*config.Dim : (word+1)*config.Dim]
		for i := range row {
			row[i] *= float32(weight)
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

func (m *sparseMatrix) rows() int { return len(m.scales) }

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
	for text := range m.rows() {
		for _, word := range m.words[m.starts[text]:m.starts[text+1]] {
			m.texts[next[word]] = int32(text)
			next[word]++
		}
	}
}

// rightSingularVectors returns, for each word, its numbers in the dim right singular vectors
// of the greatest singular values, computed from a random projection to so many columns.
func (m *sparseMatrix) rightSingularVectors(ctx context.Context, dim, columns int, seed uint64) ([]float32, error) {
	basis := mat.NewDense(len(m.weights), columns, nil)
	random := rand.New(rand.NewPCG(seed, uint64(columns)))
	for i := range basis.RawMatrix().Data {
		basis.RawMatrix().Data[i] = random.NormFloat64()
	}
	for range passes {
		orthonormalize(basis)
		image := m.times(basis)
		orthonormalize(image)
		basis = m.transposedTimes(image)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	orthonormalize(basis)
	image := m.times(basis)
	var gram mat.SymDense // of the image: its eigenvectors are the right singular vectors within the basis
	gram.SymOuterK(1, image.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(&gram, true) {
		return nil, errors.New("lsa: the singular value decomposition does not converge")
	}
	var rotation, result mat.Dense
	eigen.VectorsTo(&rotation) // in ascending order of the values
	result.Mul(basis, rotation.Slice(0, columns, columns-dim, columns))
	vectors := make([]float32, 0, len(m.weights)*dim)
	for word := range m.weights {
		row := result.RawRowView(word)
		for i := len(row) - 1; i >= 0; i-- {
			vectors = append(vectors, float32(row[i]))
		}
	}
	return vectors, nil
}

// orthonormalize replaces the columns of a matrix, which has at least as many rows, by an
// orthonormal basis of what they span: the factor Q of its QR decomposition.
func orthonormalize(a *mat.Dense) {
	raw := a.RawMatrix()
	reflectors := make([]float64, raw.Cols)
	work := make([]float64, 1)
	lapack64.Geqrf(raw, reflectors, work, -1) // asks for the size of the work space
	work = make([]float64, int(work[0]))
	lapack64.Geqrf(raw, reflectors, work, len(work))
	lapack64.Orgqr(raw, reflectors, work[:1], -1)
	work = make([]float64, int(work[0]))
	lapack64.Orgqr(raw, reflectors, work, len(work))
}

// times returns the product of the matrix and b, which has a row for each word.
func (m *sparseMatrix) times(b *mat.Dense) *mat.Dense {
	_, columns := b.Dims()
	product := mat.NewDense(m.rows(), columns, nil)
	parallel.Ranges(m.rows(), 0, func(start, end int) {
		for text := start; text < end; text++ {
			row := product.RawRowView(text)
			for _, word := range m.words[m.starts[text]:m.starts[text+1]] {
				addScaled(row, b.RawRowView(int(word)), m.weights[word]*m.scales[text])
			}
		}
	})
	return product
}

// transposedTimes returns the product of the transposed matrix and b, which has a row for each
// text.
func (m *sparseMatrix) transposedTimes(b *mat.Dense) *mat.Dense {
	_, columns := b.Dims()
	product := mat.NewDense(len(m.weights), columns, nil)
	parallel.Ranges(len(m.weights), 0, func(start, end int) {
		for word := start; word < end; word++ {
			row := product.RawRowView(word)
			for _, text := range m.texts[m.textStarts[word]:m.textStarts[word+1]] {
				addScaled(row, b.RawRowView(int(text)), m.weights[word]*m.scales[text])
			}
		}
	})
	return product
}

// addScaled adds factor * x to sum.
func addScaled(sum, x []float64, factor float64) {
	for i := range sum {
		sum[i] += factor * x[i]
	}
}
