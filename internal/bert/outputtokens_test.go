//go:build torch

package bert

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// TestOutputTokens compares the vectors, and their gradients, of a last layer that computes only the tokens of the
// spans with those of one that computes all tokens: for rows without a span, overlapping spans and spans of the whole
// row.
func TestOutputTokens(t *testing.T) {
	m := load(t, fixtures.TinyBERT(), false)
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		inputs := make([]*tokenizer.Input, 1+r.IntN(6))
		var spans []PooledSpan
		for row := range inputs {
			ids := make([]int32, 1+r.IntN(60))
			for i := range ids {
				ids[i] = r.Int32N(int32(m.Config.VocabSize))
			}
			inputs[row] = &tokenizer.Input{IDs: ids}
			for range r.IntN(3) {
				start := r.IntN(len(ids))
				spans = append(spans, PooledSpan{row, tokenizer.TokenSpan{Start: start, End: start + 1 + r.IntN(len(ids)-start)}})
			}
		}
		spans = append(spans, PooledSpan{0, tokenizer.TokenSpan{Start: 0, End: 1}})
		in := newBatch(inputs, m.Config.PadID, m.Config.Positions)
		got, gotGradient := vectorsAndGradient(t, m, in, spans, in.outputTokens(spans))
		want, wantGradient := vectorsAndGradient(t, m, in, spans, in.allTokens())
		if d := fixtures.MaxDifference(t, [][]float32{got}, [][]float32{want}); d > 1e-5 {
			t.Errorf("seed %d: vectors off by %g", seed, d)
		}
		if d := fixtures.MaxDifference(t, [][]float32{gotGradient}, [][]float32{wantGradient}); d > 1e-4 {
			t.Errorf("seed %d: gradient off by %g", seed, d)
		}
	}
}

// vectorsAndGradient computes the vectors of the spans, and the gradient of the weights for the sum of the vectors'
// numbers multiplied by varying factors.
func vectorsAndGradient(t *testing.T, m *Model, in *batch, spans []PooledSpan, tokens *outputTokens) (vectors, gradient []float32) {
	t.Helper()
	must.Succeed(t, tensor.Compute(tensor.CPU, true, func(s *tensor.Scope) {
		leaf := s.Leaf(m.Trained.Tensor())
		out := m.Network(s, tensor.Float32, m.Frozen.Tensor(), leaf).pool(s, in, spans, tokens)
		vectors = slices.Clone(s.Floats(out))
		factors := make([]float32, len(vectors))
		for i := range factors {
			factors[i] = float32(math.Sin(float64(i)))
		}
		s.Backward(s.Sum(s.Mul(out, s.FromFloats(factors, int64(len(spans)), m.Config.Hidden))))
		gradient = slices.Clone(s.Floats(s.Gradient(leaf)))
	}))
	return vectors, gradient
}

// TestOutputTokensOfBatch: a row has its pooled tokens in order, then its first token as padding. If only a few tokens
// would be left out, all are computed.
func TestOutputTokensOfBatch(t *testing.T) {
	in := &batch{rows: 2, width: 16, ids: make([]int32, 32)}
	span := func(start, end int) tokenizer.TokenSpan { return tokenizer.TokenSpan{Start: start, End: end} }
	out := in.outputTokens([]PooledSpan{{0, span(3, 5)}, {0, span(4, 6)}, {1, span(7, 8)}})
	if want := []int32{3, 4, 5, 0, 0, 0, 0, 0, 23, 16, 16, 16, 16, 16, 16, 16}; out.width != 8 || !slices.Equal(out.index, want) {
		t.Errorf("width %d, index %v; want 8, %v", out.width, out.index, want)
	}
	for token, want := range map[int]int{3: 0, 4: 1, 5: 2, 23: 8} {
		if out.position[token] != want {
			t.Errorf("token %d is in position %d, want %d", token, out.position[token], want)
		}
	}
	if out := in.outputTokens([]PooledSpan{{1, span(2, 3)}}); out.width != 1 || !slices.Equal(out.index, []int32{0, 18}) {
		t.Errorf("one token: width %d, index %v; want 1, [0 18]", out.width, out.index)
	}
	if out := in.outputTokens([]PooledSpan{{1, span(2, 15)}}); out.width != 16 || out.index != nil || out.position[18] != 18 {
		t.Errorf("13 of 16 tokens: width %d, index %v, token 18 in position %d; want all", out.width, out.index, out.position[18])
	}
}
