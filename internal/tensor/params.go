//go:build torch

package tensor

import (
	"iter"
	"slices"
)

// ParamBuffer holds parameters in one float32 vector on the CPU. A step of the optimizer, the norm of the gradient, the
// cast to bfloat16 and a checkpoint are thus one pass over memory each. The network uses views of it, split by one
// operation with a single concatenation as its gradient.
type ParamBuffer struct {
	params  []Param
	size    int     // elements
	decayed int     // elements before this one belong to matrices
	tensor  *Tensor // [size]; nil if size is 0
	values  []float32
}

// NewParamBuffer lays out the matrices and then the vectors, in the given order, all zero.
func NewParamBuffer(matrices, vectors []Param) (_ *ParamBuffer, err error) {
	b := &ParamBuffer{params: slices.Concat(matrices, vectors)}
	for i := range b.params {
		p := &b.params[i]
		p.offset = b.size
		b.size += p.Len()
		if i < len(matrices) {
			b.decayed = b.size
		}
	}
	if b.size > 0 {
		if b.tensor, err = zeros(b.size); err == nil {
			b.values, err = memory(b.tensor)
		}
	}
	return b, err
}

// Drop frees the elements.
func (b *ParamBuffer) Drop() {
	if b != nil && b.tensor != nil {
		_ = b.tensor.Drop() // nothing can be done if the memory is not freed
		b.tensor, b.values = nil, nil
	}
}

// Len returns the number of elements.
func (b *ParamBuffer) Len() int { return b.size }

// Decayed returns the number of elements with weight decay in AdamW: those of matrices. They come first.
func (b *ParamBuffer) Decayed() int { return b.decayed }

// Tensor returns the elements as a vector, or nil if there are none.
func (b *ParamBuffer) Tensor() *Tensor { return b.tensor }

// All yields the parameters in the order of the layout, each with its elements.
func (b *ParamBuffer) All() iter.Seq2[*Param, []float32] {
	return func(yield func(*Param, []float32) bool) {
		for i := range b.params {
			if p := &b.params[i]; !yield(p, p.Of(b.values)) {
				return
			}
		}
	}
}

// Values returns the elements in libtorch's memory: writing to them changes the weights.
func (b *ParamBuffer) Values() []float32 { return b.values }

// Find returns the parameter with a first tensor of the given name, or nil.
func (b *ParamBuffer) Find(name string) *Param {
	for i := range b.params {
		if b.params[i].Names[0] == name {
			return &b.params[i]
		}
	}
	return nil
}

// AddViews splits values, a vector with the layout of b, into its parameters, and adds them to views by the name of the
// first tensor of each.
func (b *ParamBuffer) AddViews(s *Scope, values *Tensor, views map[string]*Tensor) {
	if b.size == 0 {
		return
	}
	lengths := make([]int64, len(b.params))
	for i := range b.params {
		lengths[i] = int64(b.params[i].Len())
	}
	for i, piece := range s.Split(values, lengths) {
		p := &b.params[i]
		views[p.Names[0]] = s.Reshape(piece, p.Shape...)
	}
}
