package wordvec

// Vectors holds the vectors of a vocabulary. It is safe for concurrent use.
type Vectors struct {
	*Vocabulary
	config Config
	data   []float32 // row-major, a row per word
}

// Dim returns the dimension of the vectors.
func (v *Vectors) Dim() int { return v.config.Dim }

// Row returns the vector of word i, which does not have unit length. It must not be modified.
func (v *Vectors) Row(i int) []float32 {
	dim := v.config.Dim
	return v.data[i*dim : (i+1)*dim : (i+1)*dim]
}

// Vector returns the vector of a word, or nil if it has none. It must not be modified.
func (v *Vectors) Vector(word string) []float32 {
	i, known := v.index[word]
	if !known {
		return nil
	}
	return v.Row(i)
}

// Mean returns the mean of the vectors of the words that have one, or nil if none has.
func (v *Vectors) Mean(words []string) []float32 {
	rows := make([][]float32, len(words))
	for i, word := range words {
		rows[i] = v.Vector(word)
	}
	return Mean(rows)
}

// Mean returns the mean of the vectors that are not nil, or nil if all are.
func Mean(vectors [][]float32) (mean []float32) {
	count := 0
	for _, vector := range vectors {
		if vector == nil {
			continue
		}
		if mean == nil {
			mean = make([]float32, len(vector))
		}
		count++
		for i, x := range vector {
			mean[i] += x
		}
	}
	for i := range mean {
		mean[i] /= float32(count)
	}
	return mean
}
