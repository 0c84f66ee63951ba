//go:build torch

package torch

import (
	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"
)

// bert is the encoder of Devlin, Chang, Lee & Toutanova, "BERT: Pre-training of
// Deep Bidirectional Transformers for Language Understanding", NAACL 2019, as
// transformers' BertModel computes it, without the pooler and without dropout:
// weights as views of flat vectors, all of one type.
//
//	token ids ─ word + position + type ─ LayerNorm ─┐
//	      ┌─────────────────────────────────────────┘
//	      ├─ query, key, value ─ attention ─ dense ─ + ─ LayerNorm ─┐   one layer,
//	      └─────────────────────────────────────────┘               │   Layers times
//	      ┌──────────────────────────────────────────────────────── ┘
//	      ├─ dense ─ activation ─ dense ─ + ─ LayerNorm ─ hidden states
//	      └───────────────────────────────┘
type bert struct {
	config  *bertConfig
	dtype   gotch.DType
	words   *ts.Tensor // [vocabulary, hidden]
	places  *ts.Tensor // [positions, hidden]
	types   *ts.Tensor // [types, hidden]
	markers *ts.Tensor // [2, hidden], added at markers whose rows in words are zero; nil where words has them
	norm    norm
	layers  []layer
}

type norm struct{ weight, bias *ts.Tensor }

type dense struct{ weight, bias *ts.Tensor } // [out, in], [out]

type layer struct {
	queryKeyValue dense // out: query, key and value, each of width hidden
	attention     dense
	attentionNorm norm
	up, down      dense
	outputNorm    norm
}

// newBert arranges the views by name. It keeps no tensor: they live as long as
// the scope in which the views were cut.
func newBert(config *bertConfig, dtype gotch.DType, views map[string]*ts.Tensor) *bert {
	normOf := func(name string) norm { return norm{views[name+".weight"], views[name+".bias"]} }
	denseOf := func(name string) dense { return dense{views[name+".weight"], views[name+".bias"]} }
	b := &bert{
		config: config,
		dtype:  dtype,
		words:  views[wordTable], places: views[positionTable], types: views[typeTable],
		markers: views[markerRows],
		norm:    normOf(embeddingNorm),
	}
	for i := range config.Layers {
		l := layerName(i)
		b.layers = append(b.layers, layer{
			queryKeyValue: denseOf(l + "attention.self.query"),
			attention:     denseOf(l + "attention.output.dense"),
			attentionNorm: normOf(l + "attention.output.LayerNorm"),
			up:            denseOf(l + "intermediate.dense"),
			down:          denseOf(l + "output.dense"),
			outputNorm:    normOf(l + "output.LayerNorm"),
		})
	}
	return b
}

// activations gives what comes between the two products of a layer, by the
// names of config.json.
var activations = map[string]func(*scope, *ts.Tensor) *ts.Tensor{
	"gelu":              func(s *scope, x *ts.Tensor) *ts.Tensor { return s.gelu(x, "none") },
	"gelu_new":          func(s *scope, x *ts.Tensor) *ts.Tensor { return s.gelu(x, "tanh") },
	"gelu_pytorch_tanh": func(s *scope, x *ts.Tensor) *ts.Tensor { return s.gelu(x, "tanh") },
	"relu":              (*scope).relu,
}

// forward gives the hidden states of the last layer, [rows, width, hidden], in
// the type of the weights. Those at padding are of no meaning.
func (b *bert) forward(s *scope, in *batch) *ts.Tensor {
	held := s.inner()
	h := b.embed(held, in)
	mask := b.mask(held, in)
	for i := range b.layers {
		before, inner := h, held.inner()
		h = held.leave(inner, b.layers[i].forward(inner, b.config, in, before, mask))
		held.free(before)
	}
	return s.leave(held, h)
}

// embed is the sum of the three embeddings, normalised.
func (b *bert) embed(s *scope, in *batch) *ts.Tensor {
	inner := s.inner()
	ids := inner.fromInts(in.ids, int64(in.rows), int64(in.width))
	words := inner.embedding(b.words, ids)
	if b.markers != nil {
		marks := inner.fromFloats(in.marks(), int64(in.rows), int64(in.width), 2)
		words = inner.add(words, inner.matmul(inner.cast(marks, b.dtype), b.markers))
	}
	places := inner.narrow(b.places, 0, 0, int64(in.width))
	first := inner.narrow(b.types, 0, 0, 1) // every token is of the first sentence: type 0
	sum := inner.add(inner.add(words, first), places)
	return s.leave(inner, inner.layerNorm(sum, b.norm.weight, b.norm.bias, b.config.Hidden, b.config.LayerNormEps))
}

// mask is 0 at tokens and a number that softmax takes to 0 at padding, of shape
// [rows, 1, 1, width].
func (b *bert) mask(s *scope, in *batch) *ts.Tensor {
	const never = -1e9 // finite, so that no row can turn to NaN
	values := make([]float32, in.rows*in.width)
	for i, length := range in.lengths {
		for j := length; j < in.width; j++ {
			values[i*in.width+j] = never
		}
	}
	inner := s.inner()
	return s.leave(inner, inner.cast(inner.fromFloats(values, int64(in.rows), 1, 1, int64(in.width)), b.dtype))
}

func (l *layer) forward(s *scope, c *bertConfig, in *batch, h, mask *ts.Tensor) *ts.Tensor {
	h = s.add(h, l.attend(s, c, in, h, mask))
	h = s.layerNorm(h, l.attentionNorm.weight, l.attentionNorm.bias, c.Hidden, c.LayerNormEps)
	up := activations[c.Activation](s, s.linear(h, l.up.weight, l.up.bias))
	h = s.add(h, s.linear(up, l.down.weight, l.down.bias))
	return s.layerNorm(h, l.outputNorm.weight, l.outputNorm.bias, c.Hidden, c.LayerNormEps)
}

// attend is multi-head self-attention and its output projection.
func (l *layer) attend(s *scope, c *bertConfig, in *batch, h, mask *ts.Tensor) *ts.Tensor {
	all := s.linear(h, l.queryKeyValue.weight, l.queryKeyValue.bias)
	rows, width := int64(in.rows), int64(in.width)
	// [rows, width, 3*hidden] -> [3, rows, heads, width, hidden/heads]
	heads := s.permute(s.reshape(all, rows, width, 3, c.Heads, c.Hidden/c.Heads), 2, 0, 3, 1, 4)
	mixed := s.attention(s.at(heads, 0, 0), s.at(heads, 0, 1), s.at(heads, 0, 2), mask)
	return s.linear(s.reshape(s.transpose(mixed, 1, 2), rows, width, c.Hidden), l.attention.weight, l.attention.bias)
}
