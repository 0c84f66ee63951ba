//go:build torch

package bert

import (
	"fmt"

	"github.com/ctxnorm/ctxnorm/internal/tensor"
)

// A param is one block of weights: a tensor of the Hugging Face layout, or several
// of equal shape stacked along the first dimension. The query, key and value
// projections of a layer are one block, so that one product computes all three.
type param struct {
	names  []string // in the Hugging Face layout, without the prefix "bert."
	shape  []int64  // of the block; [out, in] for a matrix
	offset int      // of its first element in the buffer
}

// len returns the number of elements.
func (p *param) len() int { return tensor.Elements(p.shape) }

// tensorShape returns the shape of one of the block's tensors.
func (p *param) tensorShape() []int64 {
	shape := append([]int64(nil), p.shape...)
	shape[0] /= int64(len(p.names))
	return shape
}

// ParamBuffer holds parameters in one float32 vector on the CPU. So a step of the
// optimizer, the norm of the gradient, the cast to bfloat16 and a checkpoint are each
// one pass over memory. The network uses views of it, cut by one operation whose
// gradient is one concatenation.
type ParamBuffer struct {
	params  []param
	size    int            // elements
	decayed int            // elements before this one belong to matrices
	values  *tensor.Tensor // [size]; nil if size is 0
}

// newParamBuffer lays out the matrices and then the vectors, in the order given, all
// zero.
func newParamBuffer(matrices, vectors []param) (_ *ParamBuffer, err error) {
	b := &ParamBuffer{}
	for _, p := range matrices {
		b.add(p)
	}
	b.decayed = b.size
	for _, p := range vectors {
		b.add(p)
	}
	if b.size > 0 {
		b.values, err = tensor.Zeros(b.size)
	}
	return b, err
}

func (b *ParamBuffer) add(p param) {
	p.offset = b.size
	b.params = append(b.params, p)
	b.size += p.len()
}

func (b *ParamBuffer) drop() error {
	if b == nil || b.values == nil {
		return nil
	}
	return tensor.Drop(b.values)
}

// Len returns the number of elements.
func (b *ParamBuffer) Len() int { return b.size }

// Decayed returns the number of elements that AdamW's weight decay applies to: those
// of matrices. They come first.
func (b *ParamBuffer) Decayed() int { return b.decayed }

// Tensor returns the elements as a vector, or nil if there are none.
func (b *ParamBuffer) Tensor() *tensor.Tensor { return b.values }

// Values returns the elements, in libtorch's memory: writing to them changes the
// weights.
func (b *ParamBuffer) Values() ([]float32, error) {
	if b.size == 0 {
		return nil, nil
	}
	return tensor.Memory(b.values)
}

// find returns the parameter whose first tensor has the name, or nil.
func (b *ParamBuffer) find(name string) *param {
	for i := range b.params {
		if b.params[i].names[0] == name {
			return &b.params[i]
		}
	}
	return nil
}

// addViews cuts values, a vector laid out as b, into its parameters, and adds them to
// views by the name of the first tensor of each.
func (b *ParamBuffer) addViews(s *tensor.Scope, values *tensor.Tensor, views map[string]*tensor.Tensor) {
	if b.size == 0 {
		return
	}
	lengths := make([]int64, len(b.params))
	for i := range b.params {
		lengths[i] = int64(b.params[i].len())
	}
	for i, piece := range s.Split(values, lengths) {
		p := &b.params[i]
		views[p.names[0]] = s.Reshape(piece, p.shape...)
	}
}

// Names of parameters that are found by name.
const (
	wordTable     = "embeddings.word_embeddings.weight"
	positionTable = "embeddings.position_embeddings.weight"
	typeTable     = "embeddings.token_type_embeddings.weight"
	embeddingNorm = "embeddings.LayerNorm"
	markerRows    = "markers" // the rows of [ENT] and [/ENT], if the tables are frozen
)

// embeddingTables lists the embedding tables.
func (c *Config) embeddingTables() []param {
	return []param{
		{names: []string{wordTable}, shape: []int64{c.VocabSize, c.Hidden}},
		{names: []string{positionTable}, shape: []int64{c.Positions, c.Hidden}},
		{names: []string{typeTable}, shape: []int64{c.Types, c.Hidden}},
	}
}

// layerParams lists all other parameters: matrices, and biases and LayerNorms.
func (c *Config) layerParams() (matrices, vectors []param) {
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
