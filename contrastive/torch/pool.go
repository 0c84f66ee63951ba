//go:build torch

package torch

import (
	"fmt"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"

	"ctxnorm/contrastive"
	"ctxnorm/tokenizer"
)

// slot is the tokens of a batch that become one vector.
type slot struct {
	row  int // of the batch
	span tokenizer.TokenSpan
}

// pooledSpan is the tokens of a mention that are pooled.
func pooledSpan(mention tokenizer.TokenSpan, pooling contrastive.Pooling) tokenizer.TokenSpan {
	if pooling == contrastive.PoolEnt {
		mention.End = mention.Start + 1
	}
	return mention
}

// vectors computes a vector for each slot, the mean of the hidden states of its
// tokens, of float32 and unit length: [slots, hidden].
func (b *bert) vectors(s *scope, in *batch, slots []slot) *ts.Tensor {
	return b.means(s, in, slots, keep(in, slots))
}

// means is vectors where the last layer computes the tokens kept.
//
// The means are one product with a matrix of [slots, kept tokens], which costs
// little beside a layer: 64 slots of 64 x 40 tokens are 0.2 % of MiniLM's
// products.
func (b *bert) means(s *scope, in *batch, slots []slot, k *kept) *ts.Tensor {
	tokens := in.rows * k.width
	weights := make([]float32, len(slots)*tokens)
	for i, slot := range slots {
		for j := slot.span.Start; j < slot.span.End; j++ {
			weights[i*tokens+k.place[slot.row*in.width+j]] = 1 / float32(slot.span.Len())
		}
	}
	inner := s.inner()
	states := inner.reshape(inner.cast(b.forward(inner, in, k), gotch.Float), int64(tokens), b.config.Hidden)
	sums := inner.matmul(inner.fromFloats(weights, int64(len(slots)), int64(tokens)), states)
	return s.leave(inner, inner.unit(sums))
}

// checkUnit reports the first of the vectors that is not of length 1: a NaN in
// the weights, or a zero row.
func checkUnit(vectors []float32, dim int) error {
	for i := 0; i < len(vectors); i += dim {
		squares := 0.0
		for _, v := range vectors[i : i+dim] {
			squares += float64(v) * float64(v)
		}
		if !(squares > 0.99 && squares < 1.01) { // false for NaN too
			return fmt.Errorf("vector %d has squared length %v, want 1: the encoder's weights are damaged", i/dim, squares)
		}
	}
	return nil
}

// rowsOf cuts row-major numbers into rows.
func rowsOf(values []float32, width int) [][]float32 {
	rows := make([][]float32, len(values)/width)
	for i := range rows {
		rows[i] = values[i*width : (i+1)*width]
	}
	return rows
}
