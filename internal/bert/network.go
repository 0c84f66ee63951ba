//go:build torch

package bert

import (
	"github.com/ctxnorm/ctxnorm/internal/bert/kernels"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
)

// Network is the encoder of Devlin, Chang, Lee & Toutanova, "BERT: Pre-training of Deep Bidirectional Transformers for
// Language Understanding", NAACL 2019, as computed by BertModel of transformers, without the pooler and without
// dropout. Its weights are views of the buffers of a [Model] or of copies, all of one type.
//
//	token ids ─ word + position + type ─ LayerNorm ─┐
//	      ┌─────────────────────────────────────────┘
//	      ├─ query, key, value ─ attention ─ dense ─ + ─ LayerNorm ─┐   one layer,
//	      └─────────────────────────────────────────┘               │   Layers times
//	      ┌──────────────────────────────────────────────────────── ┘
//	      ├─ dense ─ activation ─ dense ─ + ─ LayerNorm ─ hidden states
//	      └───────────────────────────────┘
type Network struct {
	config    *Config
	dtype     tensor.DType
	markerIDs [2]int32       // ids of [ENT] and [/ENT]
	words     *tensor.Tensor // [vocabulary, hidden]
	positions *tensor.Tensor // [positions, hidden]
	types     *tensor.Tensor // [types, hidden]
	markers   *tensor.Tensor // [2, hidden], added at markers, which have zeros in words; nil if words has their rows
	norm      layerNorm
	layers    []layer
}

type layerNorm struct{ weight, bias *tensor.Tensor }

type dense struct {
	weight, bias *tensor.Tensor // [out, in], [out]
	activation   string         // applied to the output; "" for none
}

type layer struct {
	queryKeyValue   dense // out: query, key and value, each of width hidden
	query, keyValue dense // the same weights in two parts, for the last layer only
	attention       dense
	attentionNorm   layerNorm
	up, down        dense
	outputNorm      layerNorm
}

// newNetwork arranges the views by name. Its tensors live as long as the scope of the views.
func newNetwork(s *tensor.Scope, m *Model, dtype tensor.DType, views map[string]*tensor.Tensor) *Network {
	config := m.Config
	normOf := func(name string) layerNorm { return layerNorm{views[name+".weight"], views[name+".bias"]} }
	denseOf := func(name string) dense { return dense{weight: views[name+".weight"], bias: views[name+".bias"]} }
	n := &Network{
		config: config, dtype: dtype, markerIDs: m.markers,
		words: views[wordTable], positions: views[positionTable], types: views[typeTable],
		markers: views[markerRows],
		norm:    normOf(embeddingNorm),
	}
	for i := range config.Layers {
		l := layerName(i)
		up := denseOf(l + "intermediate.dense")
		up.activation = config.Activation
		n.layers = append(n.layers, layer{
			queryKeyValue: denseOf(l + "attention.self.query"),
			attention:     denseOf(l + "attention.output.dense"),
			attentionNorm: normOf(l + "attention.output.LayerNorm"),
			up:            up,
			down:          denseOf(l + "output.dense"),
			outputNorm:    normOf(l + "output.LayerNorm"),
		})
	}
	last := &n.layers[len(n.layers)-1]
	last.query = last.queryKeyValue.outputs(s, 0, config.Hidden)
	last.keyValue = last.queryKeyValue.outputs(s, config.Hidden, 2*config.Hidden)
	return n
}

// activate applies the activation with this name in config.json.
func activate(s *tensor.Scope, name string, x *tensor.Tensor) *tensor.Tensor {
	switch activations[name] {
	case kernels.TanhGELU:
		return s.Gelu(x, "tanh")
	case kernels.ReLU:
		return s.Relu(x)
	}
	return s.Gelu(x, "none")
}

// forward returns the hidden states of the last layer for the output tokens, of shape [rows, output tokens of a row,
// hidden], in the type of the weights. The states at padding have no meaning.
func (n *Network) forward(s *tensor.Scope, in *batch, out *outputTokens) *tensor.Tensor {
	states := s.Inner()
	h := n.embed(states, in)
	mask := n.mask(states, in)
	all := in.allTokens()
	for i := range n.layers {
		tokens := all
		if i == len(n.layers)-1 {
			tokens = out
		}
		before, inner := h, states.Inner()
		h = states.Leave(inner, n.layers[i].forward(inner, n.config, in, before, mask, tokens))
		states.Free(before)
	}
	return s.Leave(states, h)
}

// embed returns the normalized sum of the three embeddings.
func (n *Network) embed(s *tensor.Scope, in *batch) *tensor.Tensor {
	inner := s.Inner()
	words := n.embedWords(inner, in.ids, int64(in.rows), int64(in.width))
	positions := inner.Narrow(n.positions, 0, 0, int64(in.width))
	first := inner.Narrow(n.types, 0, 0, 1) // every token belongs to the first sentence: type 0
	sum := inner.Add(inner.Add(words, first), positions)
	return s.Leave(inner, inner.LayerNorm(sum, n.norm.weight, n.norm.bias, n.config.Hidden, n.config.LayerNormEps))
}

// embedWords returns the word embeddings of ids, of the given shape plus hidden.
func (n *Network) embedWords(s *tensor.Scope, ids []int32, shape ...int64) *tensor.Tensor {
	words := s.Embedding(n.words, s.FromInts(ids, shape...))
	if n.markers == nil {
		return words
	}
	isMarker := s.FromFloats(markerIndicators(ids, n.markerIDs), append(shape, 2)...)
	return s.Add(words, s.Matmul(s.Cast(isMarker, n.dtype), n.markers))
}

// markerIndicators returns two numbers for each token, 1 if it is the opening or the closing marker and otherwise 0, of
// shape [tokens, 2].
func markerIndicators(ids []int32, markers [2]int32) []float32 {
	indicators := make([]float32, 2*len(ids))
	for i, id := range ids {
		for k, marker := range markers {
			if id == marker {
				indicators[2*i+k] = 1
			}
		}
	}
	return indicators
}

// attentionMask is added to the products of queries and keys.
type attentionMask struct {
	values *tensor.Tensor // [rows*heads, width, width], of the type of the products; or [1, 1, 1]
	beta   float64        // factor of values; 0 if no token is padding
}

// mask returns a mask that is 0 at tokens and, at padding, a number that softmax takes to 0. It is written out for
// every head and query: broadcasting one mask per row takes ten times as long with short rows.
func (n *Network) mask(s *tensor.Scope, in *batch) attentionMask {
	const masked = -1e9 // finite, so rows never turn to NaN
	rows, width := int64(in.rows), int64(in.width)
	values := make([]float32, in.rows*in.width)
	padded := false
	for i, length := range in.lengths {
		for j := length; j < in.width; j++ {
			values[i*in.width+j] = masked
			padded = true
		}
	}
	inner := s.Inner()
	if !padded {
		return attentionMask{s.Leave(inner, inner.Cast(inner.FromFloats([]float32{0}, 1, 1, 1), n.dtype)), 0}
	}
	keys := inner.Cast(inner.FromFloats(values, rows, 1, 1, width), n.dtype)
	full := inner.Contiguous(inner.Expand(keys, rows, n.config.Heads, width, width))
	return attentionMask{s.Leave(inner, inner.Reshape(full, rows*n.config.Heads, width, width)), 1}
}

// firstQueries returns the mask of the first queries of each row. All queries of a row have the same mask.
func (m attentionMask) firstQueries(s *tensor.Scope, queries int) attentionMask {
	if m.beta == 0 {
		return m
	}
	return attentionMask{s.Narrow(m.values, 1, 0, int64(queries)), m.beta}
}

// forward computes the states of the output tokens from h, the states of all tokens.
func (l *layer) forward(s *tensor.Scope, c *Config, in *batch, h *tensor.Tensor, mask attentionMask,
	out *outputTokens) *tensor.Tensor {
	selected := h
	if out.index != nil {
		tokens := s.Reshape(h, int64(in.rows*in.width), c.Hidden)
		tokens = s.IndexSelect(tokens, s.FromInts(out.index, int64(len(out.index))))
		selected = s.Reshape(tokens, int64(in.rows), int64(out.width), c.Hidden)
	}
	h = s.Add(selected, l.attend(s, c, in, h, selected, mask, out))
	h = s.LayerNorm(h, l.attentionNorm.weight, l.attentionNorm.bias, c.Hidden, c.LayerNormEps)
	h = s.Add(h, l.down.apply(s, l.up.apply(s, h)))
	return s.LayerNorm(h, l.outputNorm.weight, l.outputNorm.bias, c.Hidden, c.LayerNormEps)
}

// attend computes multi-head attention of the selected states to all states h, and its output projection.
func (l *layer) attend(s *tensor.Scope, c *Config, in *batch, h, selected *tensor.Tensor, mask attentionMask,
	out *outputTokens) *tensor.Tensor {
	rows, width, queries := int64(in.rows), int64(in.width), int64(out.width)
	var query, key, value *tensor.Tensor
	if selected == h {
		all := c.splitHeads(s, l.queryKeyValue.apply(s, h), rows, width, 3)
		query, key, value = s.Select(all, 0, 0), s.Select(all, 0, 1), s.Select(all, 0, 2)
	} else {
		query = s.Select(c.splitHeads(s, l.query.apply(s, selected), rows, queries, 1), 0, 0)
		both := c.splitHeads(s, l.keyValue.apply(s, h), rows, width, 2)
		key, value = s.Select(both, 0, 0), s.Select(both, 0, 1)
	}
	mask = mask.firstQueries(s, out.width)
	mixed := s.Attention(query, key, value, mask.values, mask.beta, c.Hidden/c.Heads)
	// [rows*heads, queries, hidden/heads] -> [rows, queries, hidden]
	mixed = s.Transpose(s.Reshape(mixed, rows, c.Heads, queries, c.Hidden/c.Heads), 1, 2)
	return l.attention.apply(s, s.Reshape(mixed, rows, queries, c.Hidden))
}

// splitHeads rearranges projections that lie side by side, [rows, width, projections*hidden], to [projections,
// rows*heads, width, hidden/heads], in the memory order of batched products.
func (c *Config) splitHeads(s *tensor.Scope, x *tensor.Tensor, rows, width, projections int64) *tensor.Tensor {
	x = s.Permute(s.Reshape(x, rows, width, projections, c.Heads, c.Hidden/c.Heads), 2, 0, 3, 1, 4)
	return s.Reshape(s.Contiguous(x), projections, rows*c.Heads, width, c.Hidden/c.Heads)
}

func (d dense) apply(s *tensor.Scope, x *tensor.Tensor) *tensor.Tensor {
	y := s.Linear(x, d.weight, d.bias)
	if d.activation != "" {
		y = activate(s, d.activation, y)
	}
	return y
}

// outputs returns the part of the layer that computes count outputs starting with first.
func (d dense) outputs(s *tensor.Scope, first, count int64) dense {
	return dense{weight: s.Narrow(d.weight, 0, first, count), bias: s.Narrow(d.bias, 0, first, count)}
}
