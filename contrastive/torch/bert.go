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

type dense struct {
	weight, bias *ts.Tensor  // [out, in], [out]
	activation   string      // of what comes out; "" for none
	packed       *ts.CModule // computes all of it with the weight, which is packed; nil where it is not
}

type layer struct {
	queryKeyValue   dense // out: query, key and value, each of width hidden
	query, keyValue dense // the parts of it, in the last layer
	attention       dense
	attentionNorm   norm
	up, down        dense
	outputNorm      norm
}

// newBert arranges the views by name. Its tensors live as long as the scope, in
// which the views were cut.
func newBert(s *scope, config *bertConfig, dtype gotch.DType, views map[string]*ts.Tensor) *bert {
	normOf := func(name string) norm { return norm{views[name+".weight"], views[name+".bias"]} }
	denseOf := func(name string) dense { return dense{weight: views[name+".weight"], bias: views[name+".bias"]} }
	b := &bert{
		config: config,
		dtype:  dtype,
		words:  views[wordTable], places: views[positionTable], types: views[typeTable],
		markers: views[markerRows],
		norm:    normOf(embeddingNorm),
	}
	for i := range config.Layers {
		l := layerName(i)
		up := denseOf(l + "intermediate.dense")
		up.activation = config.Activation
		b.layers = append(b.layers, layer{
			queryKeyValue: denseOf(l + "attention.self.query"),
			attention:     denseOf(l + "attention.output.dense"),
			attentionNorm: normOf(l + "attention.output.LayerNorm"),
			up:            up,
			down:          denseOf(l + "output.dense"),
			outputNorm:    normOf(l + "output.LayerNorm"),
		})
	}
	last := &b.layers[len(b.layers)-1]
	last.query = last.queryKeyValue.part(s, 0, config.Hidden)
	last.keyValue = last.queryKeyValue.part(s, config.Hidden, 2*config.Hidden)
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

// forward gives the hidden states of the last layer for the tokens kept, of shape
// [rows, kept of a row, hidden], in the type of the weights. Those at padding are
// of no meaning.
func (b *bert) forward(s *scope, in *batch, k *kept) *ts.Tensor {
	held := s.inner()
	h := b.embed(held, in)
	m := b.mask(held, in)
	all := keepAll(in)
	for i := range b.layers {
		of := all
		if i == len(b.layers)-1 {
			of = k
		}
		before, inner := h, held.inner()
		h = held.leave(inner, b.layers[i].forward(inner, b.config, in, before, m, of))
		held.free(before)
	}
	return s.leave(held, h)
}

// embed is the sum of the three embeddings, normalised.
func (b *bert) embed(s *scope, in *batch) *ts.Tensor {
	inner := s.inner()
	words := b.embedWords(inner, in.ids, in.markers, int64(in.rows), int64(in.width))
	places := inner.narrow(b.places, 0, 0, int64(in.width))
	first := inner.narrow(b.types, 0, 0, 1) // every token is of the first sentence: type 0
	sum := inner.add(inner.add(words, first), places)
	return s.leave(inner, inner.layerNorm(sum, b.norm.weight, b.norm.bias, b.config.Hidden, b.config.LayerNormEps))
}

// embedWords is the embedding of the words alone, of that shape and hidden.
func (b *bert) embedWords(s *scope, ids []int32, markers [2]int32, shape ...int64) *ts.Tensor {
	words := s.embedding(b.words, s.fromInts(ids, shape...))
	if b.markers == nil {
		return words
	}
	marks := s.fromFloats(marksOf(ids, markers), append(shape, 2)...)
	return s.add(words, s.matmul(s.cast(marks, b.dtype), b.markers))
}

// mask is what is added to the products of queries and keys.
type mask struct {
	values *ts.Tensor // [rows*heads, width, width], of the type of the products; or [1, 1, 1]
	beta   float64    // 0 where nothing is padded, so that nothing is added
}

// mask is 0 at tokens and a number that softmax takes to 0 at padding. It is
// written out for every head and query: adding rows of one key mask each costs ten
// times as much where they are short.
func (b *bert) mask(s *scope, in *batch) mask {
	const never = -1e9 // finite, so that no row can turn to NaN
	rows, width := int64(in.rows), int64(in.width)
	values := make([]float32, in.rows*in.width)
	padded := false
	for i, length := range in.lengths {
		for j := length; j < in.width; j++ {
			values[i*in.width+j] = never
			padded = true
		}
	}
	inner := s.inner()
	if !padded {
		return mask{s.leave(inner, inner.cast(inner.fromFloats([]float32{0}, 1, 1, 1), b.dtype)), 0}
	}
	keys := inner.cast(inner.fromFloats(values, rows, 1, 1, width), b.dtype)
	whole := inner.contiguous(inner.expand(keys, rows, b.config.Heads, width, width))
	return mask{s.leave(inner, inner.reshape(whole, rows*b.config.Heads, width, width)), 1}
}

// of is the mask of the first so many queries of each row: all queries of a row
// have the same.
func (m mask) of(s *scope, queries int) mask {
	if m.beta == 0 {
		return m
	}
	return mask{s.narrow(m.values, 1, 0, int64(queries)), m.beta}
}

// forward computes the states of the tokens kept from those of all, h.
func (l *layer) forward(s *scope, c *bertConfig, in *batch, h *ts.Tensor, m mask, k *kept) *ts.Tensor {
	of := h
	if k.index != nil {
		tokens := s.reshape(h, int64(in.rows*in.width), c.Hidden)
		of = s.reshape(s.rows(tokens, s.fromInts(k.index, int64(len(k.index)))), int64(in.rows), int64(k.width), c.Hidden)
	}
	h = s.add(of, l.attend(s, c, in, h, of, m, k))
	h = s.layerNorm(h, l.attentionNorm.weight, l.attentionNorm.bias, c.Hidden, c.LayerNormEps)
	h = s.add(h, l.down.apply(s, l.up.apply(s, h)))
	return s.layerNorm(h, l.outputNorm.weight, l.outputNorm.bias, c.Hidden, c.LayerNormEps)
}

// attend is multi-head attention of the states of, to all states h, and its output
// projection.
func (l *layer) attend(s *scope, c *bertConfig, in *batch, h, of *ts.Tensor, m mask, k *kept) *ts.Tensor {
	rows, width, asked := int64(in.rows), int64(in.width), int64(k.width)
	var query, key, value *ts.Tensor
	if of == h {
		all := c.heads(s, l.queryKeyValue.apply(s, h), rows, width, 3)
		query, key, value = s.at(all, 0, 0), s.at(all, 0, 1), s.at(all, 0, 2)
	} else {
		query = s.at(c.heads(s, l.query.apply(s, of), rows, asked, 1), 0, 0)
		both := c.heads(s, l.keyValue.apply(s, h), rows, width, 2)
		key, value = s.at(both, 0, 0), s.at(both, 0, 1)
	}
	mixed := s.attention(query, key, value, m.of(s, k.width), width, c.Hidden/c.Heads)
	// [rows*heads, asked, hidden/heads] -> [rows, asked, hidden]
	mixed = s.transpose(s.reshape(mixed, rows, c.Heads, asked, c.Hidden/c.Heads), 1, 2)
	return l.attention.apply(s, s.reshape(mixed, rows, asked, c.Hidden))
}

// heads takes so many projections side by side, [rows, width, parts*hidden], to
// [parts, rows*heads, width, hidden/heads], in memory as products in batches want
// them.
func (c *bertConfig) heads(s *scope, x *ts.Tensor, rows, width, parts int64) *ts.Tensor {
	x = s.permute(s.reshape(x, rows, width, parts, c.Heads, c.Hidden/c.Heads), 2, 0, 3, 1, 4)
	return s.reshape(s.contiguous(x), parts, rows*c.Heads, width, c.Hidden/c.Heads)
}

func (d dense) apply(s *scope, x *ts.Tensor) *ts.Tensor {
	if d.packed != nil {
		return s.run(d.packed, x, d.weight, d.bias)
	}
	y := s.linear(x, d.weight, d.bias)
	if d.activation != "" {
		y = activations[d.activation](s, y)
	}
	return y
}

// part is the outputs from the first on.
func (d dense) part(s *scope, first, count int64) dense {
	return dense{weight: s.narrow(d.weight, 0, first, count), bias: s.narrow(d.bias, 0, first, count)}
}
