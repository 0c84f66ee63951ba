//go:build torch

package torch

import (
	"fmt"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"
)

// A param is one block of weights: a tensor of the Hugging Face layout, or
// several of equal shape one above the other. The query, key and value
// projections of a layer are one block, so that one product gives all three.
type param struct {
	names  []string // in the Hugging Face layout, without the prefix "bert."
	shape  []int64  // of the block; [out, in] for a matrix
	offset int      // of its first element in the flat vector
}

// len is the number of elements.
func (p *param) len() int {
	n := 1
	for _, size := range p.shape {
		n *= int(size)
	}
	return n
}

// part is the shape of one of the block's tensors.
func (p *param) part() []int64 {
	shape := append([]int64(nil), p.shape...)
	shape[0] /= int64(len(p.names))
	return shape
}

// flat is a list of parameters in one vector of float32 on the CPU: so a step
// of the optimizer, the norm of the gradient, the cast to bfloat16 and a
// checkpoint are each one pass over memory. The model gets views, cut by one
// operation whose gradient is one concatenation.
type flat struct {
	params []param
	size   int        // elements
	decay  int        // elements before this one are of matrices, which AdamW decays
	values *ts.Tensor // [size]; nil where size is 0
}

// newFlat lays out matrices and then vectors, in the order given, all zero.
func newFlat(matrices, vectors []param) (*flat, error) {
	f := &flat{}
	for _, p := range matrices {
		f.place(p)
	}
	f.decay = f.size
	for _, p := range vectors {
		f.place(p)
	}
	if f.size == 0 {
		return f, nil
	}
	values, err := ts.Zeros([]int64{int64(f.size)}, gotch.Float, gotch.CPU)
	if err != nil {
		return nil, trim(err)
	}
	f.values = values
	return f, nil
}

func (f *flat) place(p param) {
	p.offset = f.size
	f.params = append(f.params, p)
	f.size += p.len()
}

func (f *flat) drop() error {
	if f == nil || f.values == nil {
		return nil
	}
	return trim(f.values.Drop())
}

// memory is all values, in libtorch's memory.
func (f *flat) memory() ([]float32, error) {
	if f.size == 0 {
		return nil, nil
	}
	return memory[float32](f.values)
}

// find is the parameter whose first tensor has that name, or nil.
func (f *flat) find(name string) *param {
	for i := range f.params {
		if f.params[i].names[0] == name {
			return &f.params[i]
		}
	}
	return nil
}

// views cuts values, a vector laid out as f, into its parameters, by the name of
// the first tensor of each.
func (f *flat) views(s *scope, values *ts.Tensor, views map[string]*ts.Tensor) {
	if f.size == 0 {
		return
	}
	lengths := make([]int64, len(f.params))
	for i := range f.params {
		lengths[i] = int64(f.params[i].len())
	}
	for i, piece := range s.split(values, lengths) {
		p := &f.params[i]
		views[p.names[0]] = s.reshape(piece, p.shape...)
	}
}

// Names of blocks that are asked for by name.
const (
	wordTable     = "embeddings.word_embeddings.weight"
	positionTable = "embeddings.position_embeddings.weight"
	typeTable     = "embeddings.token_type_embeddings.weight"
	embeddingNorm = "embeddings.LayerNorm"
	markerRows    = "markers" // the rows of [ENT] and [/ENT], where the tables are frozen
)

// tables lists the embedding tables.
func (c *bertConfig) tables() []param {
	return []param{
		{names: []string{wordTable}, shape: []int64{c.VocabSize, c.Hidden}},
		{names: []string{positionTable}, shape: []int64{c.Positions, c.Hidden}},
		{names: []string{typeTable}, shape: []int64{c.Types, c.Hidden}},
	}
}

// blocks lists all other parameters: matrices, and biases and LayerNorms.
func (c *bertConfig) blocks() (matrices, vectors []param) {
	norm := func(name string) {
		for _, kind := range []string{".weight", ".bias"} {
			vectors = append(vectors, param{names: []string{name + kind}, shape: []int64{c.Hidden}})
		}
	}
	norm(embeddingNorm)
	for i := range c.Layers {
		l := layerName(i)
		for _, m := range []struct {
			names   []string
			out, in int64
		}{
			{[]string{l + "attention.self.query", l + "attention.self.key", l + "attention.self.value"}, c.Hidden, c.Hidden},
			{[]string{l + "attention.output.dense"}, c.Hidden, c.Hidden},
			{[]string{l + "intermediate.dense"}, c.Intermediate, c.Hidden},
			{[]string{l + "output.dense"}, c.Hidden, c.Intermediate},
		} {
			out := m.out * int64(len(m.names))
			matrices = append(matrices, param{names: withSuffix(m.names, ".weight"), shape: []int64{out, m.in}})
			vectors = append(vectors, param{names: withSuffix(m.names, ".bias"), shape: []int64{out}})
		}
		norm(l + "attention.output.LayerNorm")
		norm(l + "output.LayerNorm")
	}
	return matrices, vectors
}

func layerName(i int) string { return fmt.Sprintf("encoder.layer.%d.", i) }

func withSuffix(names []string, suffix string) []string {
	full := make([]string, len(names))
	for i, name := range names {
		full[i] = name + suffix
	}
	return full
}
