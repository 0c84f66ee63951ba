//go:build torch

package torch

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sugarme/gotch"

	"ctxnorm/tokenizer"
)

// TestKept holds vectors of a last layer that computes only the slots' tokens, and
// their gradients, against those of one that computes all: rows without a slot, with
// slots that overlap and slots of the whole row.
func TestKept(t *testing.T) {
	m := load(t, tinyDir, false)
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		inputs := make([]*tokenizer.Input, 1+r.IntN(6))
		var slots []slot
		for row := range inputs {
			ids := make([]int32, 1+r.IntN(60))
			for i := range ids {
				ids[i] = r.Int32N(int32(m.config.VocabSize))
			}
			inputs[row] = &tokenizer.Input{IDs: ids}
			for range r.IntN(3) {
				start := r.IntN(len(ids))
				slots = append(slots, slot{row, tokenizer.TokenSpan{Start: start, End: start + 1 + r.IntN(len(ids)-start)}})
			}
		}
		slots = append(slots, slot{0, tokenizer.TokenSpan{Start: 0, End: 1}})
		in := newBatch(inputs, m.config.PadID, m.markers, m.config.Positions)
		got, gotSlope := vectorsAndSlope(t, m, in, slots, keep(in, slots))
		want, wantSlope := vectorsAndSlope(t, m, in, slots, keepAll(in))
		if d := largest(t, [][]float32{got}, [][]float32{want}); d > 1e-5 {
			t.Errorf("seed %d: vectors off by %g", seed, d)
		}
		if d := largest(t, [][]float32{gotSlope}, [][]float32{wantSlope}); d > 1e-4 {
			t.Errorf("seed %d: gradient off by %g", seed, d)
		}
	}
}

// vectorsAndSlope computes the slots' vectors, and the gradient of the weights of
// their sum times numbers that differ from one to the next.
func vectorsAndSlope(t *testing.T, m *model, in *batch, slots []slot, k *kept) (vectors, slope []float32) {
	t.Helper()
	err := onThread(true, func() error {
		s := newScope(gotch.CPU)
		defer s.drop()
		leaf := s.leaf(m.trained.values)
		out := m.bert(s, gotch.Float, m.frozen.values, leaf).means(s, in, slots, k)
		vectors = slices.Clone(s.view(out))
		factors := make([]float32, len(vectors))
		for i := range factors {
			factors[i] = float32(math.Sin(float64(i)))
		}
		s.backward(s.sum(s.mul(out, s.fromFloats(factors, int64(len(slots)), m.config.Hidden))))
		slope = slices.Clone(s.view(s.gradientOf(leaf)))
		return s.err
	})
	if err != nil {
		t.Fatal(err)
	}
	return vectors, slope
}

// TestKeep: a row's kept tokens in order, then its first token as padding; all where
// little is left out.
func TestKeep(t *testing.T) {
	in := &batch{rows: 2, width: 16, ids: make([]int32, 32)}
	span := func(start, end int) tokenizer.TokenSpan { return tokenizer.TokenSpan{Start: start, End: end} }
	k := keep(in, []slot{{0, span(3, 5)}, {0, span(4, 6)}, {1, span(7, 8)}})
	if want := []int32{3, 4, 5, 0, 0, 0, 0, 0, 23, 16, 16, 16, 16, 16, 16, 16}; k.width != 8 || !slices.Equal(k.index, want) {
		t.Errorf("width %d, index %v; want 8, %v", k.width, k.index, want)
	}
	for token, want := range map[int]int{3: 0, 4: 1, 5: 2, 23: 8} {
		if k.place[token] != want {
			t.Errorf("token %d is in place %d, want %d", token, k.place[token], want)
		}
	}
	if k := keep(in, []slot{{1, span(2, 3)}}); k.width != 1 || !slices.Equal(k.index, []int32{0, 18}) {
		t.Errorf("one token: width %d, index %v; want 1, [0 18]", k.width, k.index)
	}
	if k := keep(in, []slot{{1, span(2, 15)}}); k.width != 16 || k.index != nil || k.place[18] != 18 {
		t.Errorf("13 of 16 tokens: width %d, index %v, token 18 in place %d; want all", k.width, k.index, k.place[18])
	}
}
