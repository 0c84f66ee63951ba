package tensor

import "slices"

// Param is one block of weights: a tensor of a file of weights, or several tensors of equal shape stacked along the
// first dimension. The query, key and value projections of a BERT layer are one block, so one product computes all
// three.
type Param struct {
	Names  []string // names of its tensors
	Shape  []int64  // shape of the block; [out, in] for a matrix
	offset int      // position of its first element in the buffer
}

// Len returns the number of elements.
func (p *Param) Len() int { return Elements(p.Shape) }

// Of returns the elements of the block among values, a vector with the layout of its buffer.
func (p *Param) Of(values []float32) []float32 { return values[p.offset : p.offset+p.Len()] }

// TensorShape returns the shape of one of the block's tensors.
func (p *Param) TensorShape() []int64 {
	shape := slices.Clone(p.Shape)
	shape[0] /= int64(len(p.Names))
	return shape
}

// Elements returns the number of elements of a tensor with the shape.
func Elements(shape []int64) int {
	n := 1
	for _, size := range shape {
		n *= int(size)
	}
	return n
}
