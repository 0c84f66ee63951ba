package tensor

import "slices"

// Param is one block of weights: a tensor of a file of weights, or several of equal shape
// stacked along the first dimension. The query, key and value projections of a BERT's layer are
// one block, so that one product computes all three.
type Param struct {
	Names  []string // of its tensors
	Shape  []int64  // of the block; [out, in] for a matrix
	offset int      // of its first element in the buffer
}

// Len returns the number of elements.
func (p *Param) Len() int { return Elements(p.Shape) }

// Of returns the elements of the block among values, a vector laid out as its buffer.
func (p *Param) Of(values []float32) []float32 { return values[p.offset : p.offset+p.Len()] }

// TensorShape returns the shape of one of the block's tensors.
func (p *Param) TensorShape() []int64 {
	shape := slices.Clone(p.Shape)
	shape[0] /= int64(len(p.Names))
	return shape
}

// Elements returns the number of elements of a tensor of the shape.
func Elements(shape []int64) int {
	n := 1
	for _, size := range shape {
		n *= int(size)
	}
	return n
}
