package wordvec

import (
	"math"

	"github.com/ctxnorm/ctxnorm/internal/dot"
)

// Vectors are the vectors of a vocabulary. It is safe for concurrent use.
type Vectors struct {
	*Vocabulary
	config  Config
	data    []float32 // row-major, a row per word
	lengths []float32 // of the rows
	kernel  dot.Kernel
}

func newVectors(vocabulary *Vocabulary, data []float32, config Config) *Vectors {
	v := &Vectors{Vocabulary: vocabulary, config: config, data: data, lengths: make([]float32, vocabulary.Len()),
		kernel: dot.Best()}
	for i := range v.lengths {
		row := v.Row(i)
		v.lengths[i] = length(v.kernel, row)
	}
	return v
}

func length(kernel dot.Kernel, x []float32) float32 {
	return float32(math.Sqrt(float64(kernel.Dot(x, x))))
}

// Dim returns the dimension of the vectors.
func (v *Vectors) Dim() int { return v.config.Dim }

// Config returns the settings that the vectors were trained with.
func (v *Vectors) Config() Config { return v.config }

// Row returns the vector of word i, which must not be changed. It is not of unit length.
func (v *Vectors) Row(i int) []float32 {
	dim := v.config.Dim
	return v.data[i*dim : (i+1)*dim : (i+1)*dim]
}

// Vector returns the vector of a word, which must not be changed, or nil if the word has none.
func (v *Vectors) Vector(word string) []float32 {
	i, known := v.Index(word)
	if !known {
		return nil
	}
	return v.Row(i)
}

// Mean returns the mean of the vectors of words and the number of words that have one. If
// there are none, the mean is nil.
func (v *Vectors) Mean(words []string) (mean []float32, known int) {
	for _, word := range words {
		row := v.Vector(word)
		if row == nil {
			continue
		}
		if mean == nil {
			mean = make([]float32, v.Dim())
		}
		known++
		for i, x := range row {
			mean[i] += x
		}
	}
	for i := range mean {
		mean[i] /= float32(known)
	}
	return mean, known
}

// Neighbor is a word near to a vector.
type Neighbor struct {
	Word   string
	Cosine float32
}

// Nearest returns the k words whose vectors have the greatest cosine with a vector of
// dimension [Vectors.Dim], the greatest first; of equal ones the more frequent word. It
// compares with every word.
func (v *Vectors) Nearest(vector []float32, k int) []Neighbor {
	queryLength := length(v.kernel, vector)
	if queryLength == 0 || k <= 0 {
		return nil
	}
	var nearest []Neighbor
	const group = 256 // rows of a scan
	var products [group]float32
	for start := 0; start < v.Len(); start += group {
		n := min(group, v.Len()-start)
		v.kernel.Scan(products[:n], vector, v.data[start*v.Dim():])
		for i, product := range products[:n] {
			rowLength := v.lengths[start+i]
			if rowLength == 0 {
				continue
			}
			nearest = insert(nearest, Neighbor{v.Word(start + i), product / (rowLength * queryLength)}, k)
		}
	}
	return nearest
}

// insert inserts a neighbor into the k best so far, after those of the same cosine.
func insert(best []Neighbor, n Neighbor, k int) []Neighbor {
	at := len(best)
	for at > 0 && best[at-1].Cosine < n.Cosine {
		at--
	}
	if at == k {
		return best
	}
	if len(best) < k {
		best = append(best, Neighbor{})
	}
	copy(best[at+1:], best[at:])
	best[at] = n
	return best
}
