package wordvec

// Vectors are the vectors of a vocabulary. It is safe for concurrent use.
type Vectors struct {
	*Vocabulary
	config Config
	data   []float32 // row-major, a row per word
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
