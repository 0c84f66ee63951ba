//go:build torch

package torch

import (
	"math"
	"slices"

	"github.com/sugarme/gotch/ts"

	"ctxnorm/contrastive/torch/internal/bfloat"
)

// fusedBert computes a bert whose products are of bfloat16 and packed: what stands between
// these is left to package bfloat, and no token is padding. It knows no gradient.
//
// libtorch takes a mask and softmax, or a sum and its norm, one after another, copies
// heads apart and together again, and spends most of it on turning bfloat16 into float32
// and back. Measured with MiniLM, 32 sentences of 45 tokens: 4 ms of a layer for attention
// where this takes 1.8, and 1.1 ms for each norm where this takes .26.
type fusedBert struct {
	*bert
	places        *ts.Tensor // [positions, hidden]: the position and the type of a first sentence
	embeddingNorm sumNorm
	norms         [][2]sumNorm // of each layer: after attention, and after all
}

// sumNorm is the LayerNorm of a sum.
type sumNorm struct {
	weight, bias []float32
	eps          float32
}

// canFuse reports whether a fusedBert can compute this kind of model here.
func canFuse(c *bertConfig) bool {
	return bfloat.Supported() && bfloat.Attends(int(c.Hidden/c.Heads))
}

// fuse makes a fusedBert of b, in the scope of its weights.
func fuse(s *scope, b *bert) *fusedBert {
	norm := func(n norm) sumNorm {
		return sumNorm{slices.Clone(s.view(n.weight)), slices.Clone(s.view(n.bias)), float32(b.config.LayerNormEps)}
	}
	f := &fusedBert{
		bert:          b,
		places:        s.add(b.places, s.narrow(b.types, 0, 0, 1)),
		embeddingNorm: norm(b.norm),
	}
	for i := range b.layers {
		f.norms = append(f.norms, [2]sumNorm{norm(b.layers[i].attentionNorm), norm(b.layers[i].outputNorm)})
	}
	return f
}

// vectors computes a vector for each slot, as [bert.vectors] does: [slots, hidden].
func (f *fusedBert) vectors(s *scope, in *sequences, slots []slot) []float32 {
	asked := in.ask(slots)
	attention := bfloat.NewAttention(int(f.config.Heads), int(f.config.Hidden/f.config.Heads))
	h := f.embed(s, in)
	for i := range f.layers {
		only := asked
		if i < len(f.layers)-1 {
			only = nil
		}
		before, inner := h, s.inner()
		h = s.leave(inner, f.layer(inner, i, attention, in, before, only))
		s.free(before)
	}
	return f.pool(memoryOf[uint16](s, h), in, slots, asked)
}

// embed is the sum of the three embeddings, normalised.
func (f *fusedBert) embed(s *scope, in *sequences) *ts.Tensor {
	inner := s.inner()
	tokens := int64(len(in.ids))
	words := f.embedWords(inner, in.ids, in.markers, tokens)
	places := inner.rows(f.places, inner.fromInts(in.places, tokens))
	return s.leave(inner, inner.addNorm(words, places, f.embeddingNorm))
}

// layer computes the states of the tokens asked, or of all, from those of all, h.
func (f *fusedBert) layer(s *scope, i int, attention *bfloat.Attention, in *sequences, h *ts.Tensor, only *asked) *ts.Tensor {
	l, hidden := &f.layers[i], int(f.config.Hidden)
	of, starts := h, in.starts
	var query, key, value bfloat.Rows
	if only == nil {
		query = s.matrix(l.queryKeyValue.apply(s, h), 3*hidden)
		key, value = query.From(hidden), query.From(2*hidden)
	} else {
		of, starts = s.rows(h, s.fromInts(only.index, int64(len(only.index)))), only.starts
		query = s.matrix(l.query.apply(s, of), hidden)
		key = s.matrix(l.keyValue.apply(s, h), 2*hidden)
		value = key.From(hidden)
	}
	mixed := s.do(func() (*ts.Tensor, error) {
		return ts.Empty([]int64{int64(query.Count), f.config.Hidden}, f.dtype, s.device)
	})
	if to := s.matrix(mixed, hidden); s.err == nil {
		for j, start := range starts[:len(starts)-1] {
			end, first, last := starts[j+1], in.starts[j], in.starts[j+1]
			attention.Mix(to.Slice(start, end), query.Slice(start, end), key.Slice(first, last), value.Slice(first, last))
		}
		clear(to.Numbers[starts[len(starts)-1]*hidden:])
	}
	sum := s.addNorm(of, l.attention.apply(s, mixed), f.norms[i][0])
	return s.addNorm(sum, l.down.apply(s, l.up.apply(s, sum)), f.norms[i][1])
}

// pool gives the mean of each slot's states, at unit length.
func (f *fusedBert) pool(states []uint16, in *sequences, slots []slot, asked *asked) []float32 {
	if states == nil {
		return nil
	}
	hidden := int(f.config.Hidden)
	vectors := make([]float32, len(slots)*hidden)
	for i, slot := range slots {
		vector := vectors[i*hidden : (i+1)*hidden]
		for j := slot.span.Start; j < slot.span.End; j++ {
			at := asked.at[in.starts[slot.row]+j] * hidden
			for k, x := range states[at : at+hidden] {
				vector[k] += bfloat.Float32(x)
			}
		}
		toUnit(vector)
	}
	return vectors
}

// toUnit scales a vector to length 1, the sum of vectors as well as their mean.
func toUnit(vector []float32) {
	squares := 0.0
	for _, x := range vector {
		squares += float64(x) * float64(x)
	}
	scale := float32(1 / math.Sqrt(squares))
	for i := range vector {
		vector[i] *= scale
	}
}

// addNorm is the norm of x + y, in the memory of y.
func (s *scope) addNorm(x, y *ts.Tensor, n sumNorm) *ts.Tensor {
	a, b := memoryOf[uint16](s, x), memoryOf[uint16](s, y)
	if s.err == nil {
		bfloat.AddNorm(b, a, b, n.weight, n.bias, n.eps)
	}
	return y
}

// matrix is the memory of x as rows of so many numbers.
func (s *scope) matrix(x *ts.Tensor, width int) bfloat.Rows {
	numbers := memoryOf[uint16](s, x)
	return bfloat.Rows{Numbers: numbers, Count: len(numbers) / width, Stride: width}
}
