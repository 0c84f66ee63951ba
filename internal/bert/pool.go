//go:build torch

package bert

import (
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// Vectors computes a vector for each span: the mean of the hidden states of its tokens, scaled to unit length. The
// result is float32 of shape [spans, hidden], and gradients flow through it. The inputs are padded; spans refer to them
// by row.
func (n *Network) Vectors(s *tensor.Scope, inputs []*tokenizer.Input, spans []PooledSpan) *tensor.Tensor {
	inner := s.Inner()
	return s.Leave(inner, inner.NormalizeRows(n.Means(inner, inputs, spans)))
}

// Means is like [Network.Vectors], but does not scale the vectors.
func (n *Network) Means(s *tensor.Scope, inputs []*tokenizer.Input, spans []PooledSpan) *tensor.Tensor {
	in := newBatch(inputs, n.config.PadID, n.config.Positions)
	return n.pool(s, in, spans, in.outputTokens(spans))
}

// pool is like Means, but the last layer computes the tokens of out.
//
// The means are one product with a matrix of [spans, output tokens], which costs little compared with a layer: 64 spans
// of 64 x 40 tokens are 0.2 % of MiniLM's products.
func (n *Network) pool(s *tensor.Scope, in *batch, spans []PooledSpan, out *outputTokens) *tensor.Tensor {
	tokens := in.rows * out.width
	weights := make([]float32, len(spans)*tokens)
	for i, span := range spans {
		for j := span.Tokens.Start; j < span.Tokens.End; j++ {
			weights[i*tokens+out.position[span.Row*in.width+j]] = 1 / float32(span.Tokens.Len())
		}
	}
	inner := s.Inner()
	states := inner.Reshape(inner.Cast(n.forward(inner, in, out), tensor.Float32), int64(tokens), n.config.Hidden)
	return s.Leave(inner, inner.Matmul(inner.FromFloats(weights, int64(len(spans)), int64(tokens)), states))
}
