//go:build torch

package bert

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/bert/berttest"
	"github.com/ctxnorm/ctxnorm/internal/bert/bfloat"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// TestCanFuse: heads that fill a register are fused, and others are left to libtorch.
func TestCanFuse(t *testing.T) {
	if !tensor.HasBFloat16(tensor.CPU) || !bfloat.Supported() {
		t.Skip("the processor does not multiply bfloat16, or has no AVX-512")
	}
	for heads, want := range map[int]bool{2: true, 4: false} { // of 16 and of 8 numbers
		dir := berttest.Changed(t, func(fields map[string]any) { fields["num_attention_heads"] = heads }, nil)
		m, err := loadModel(dir, 0, [2]int32{1, 2}, false, 1)
		if err != nil {
			t.Fatal(err)
		}
		inf, err := NewInference(m, tensor.BFloat16, tensor.CPU)
		if err != nil {
			t.Fatal(err)
		}
		if got := inf.fused != nil; got != want {
			t.Errorf("%d heads: fused %v, want %v", heads, got, want)
		}
		if err := inf.Drop(); err != nil {
			t.Error(err)
		}
	}
}

// TestSequences: tokens stand one after another, each with its position in its input,
// and the output tokens are found at their positions.
func TestSequences(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		inputs := make([]*tokenizer.Input, 1+r.IntN(5))
		var ids, positions []int32
		var spans []PooledSpan
		for row := range inputs {
			inputs[row] = &tokenizer.Input{IDs: make([]int32, 1+r.IntN(40))}
			n := len(inputs[row].IDs)
			for i := range n {
				inputs[row].IDs[i] = 1 + r.Int32N(100)
				ids, positions = append(ids, inputs[row].IDs[i]), append(positions, int32(i))
			}
			for range r.IntN(3) {
				start := r.IntN(n)
				spans = append(spans, PooledSpan{row, tokenizer.TokenSpan{Start: start, End: start + 1 + r.IntN(n-start)}})
			}
		}
		in := newSequences(inputs, 0)
		if !slices.Equal(in.ids[:len(ids)], ids) || !slices.Equal(in.positions[:len(ids)], positions) {
			t.Fatalf("ids %v and positions %v, want %v and %v", in.ids, in.positions, ids, positions)
		}
		if len(in.ids) != shapeTokens(len(ids)) || len(in.positions) != len(in.ids) || in.starts[len(inputs)] != len(ids) {
			t.Fatalf("%d ids, %d positions and the end of the last input at %d, for %d tokens", len(in.ids), len(in.positions), in.starts[len(inputs)], len(ids))
		}
		out := in.outputTokens(spans)
		distinct := map[int]bool{}
		for _, s := range spans {
			for j := s.Tokens.Start; j < s.Tokens.End; j++ {
				token := in.starts[s.Row] + j
				distinct[token] = true
				at := out.position[token]
				if int(out.index[at]) != token || at < out.starts[s.Row] || at >= out.starts[s.Row+1] {
					t.Fatalf("token %d of row %d is at %d of %v, whose rows start at %v", token, s.Row, at, out.index, out.starts)
				}
			}
		}
		if n := out.starts[len(inputs)]; n != len(distinct) || len(out.index) != shapeTokens(n) {
			t.Fatalf("%d output tokens, padded to %d, want %d", n, len(out.index), len(distinct))
		}
	}
}

// TestSequenceBatches: all inputs are in batches, in their order; no batch is too large,
// and there are enough for all workers.
func TestSequenceBatches(t *testing.T) {
	for _, n := range []int{0, 1, 5, 40, 700} {
		for _, workers := range []int{1, 2, 7} {
			t.Run(fmt.Sprintf("%d inputs, %d workers", n, workers), func(t *testing.T) {
				inputs := make([]tokenizer.Input, n)
				tokens := 0
				for i := range inputs {
					inputs[i].IDs = make([]int32, 5+i*37%60)
					tokens += len(inputs[i].IDs)
				}
				next := 0
				batches := SequenceBatches(inputs, workers, maxBatchTokens)
				for _, batch := range batches {
					held := 0
					for _, i := range batch {
						if i != next {
							t.Fatalf("got input %d, want %d", i, next)
						}
						next++
						held += len(inputs[i].IDs)
					}
					if held > maxBatchTokens {
						t.Errorf("a batch of %d tokens", held)
					}
				}
				if next != n {
					t.Errorf("%d inputs are in batches", next)
				}
				if tokens > minBatchTokens*workers && len(batches) < min(workers, n) {
					t.Errorf("%d batches of %d tokens", len(batches), tokens)
				}
			})
		}
	}
	if batches := SequenceBatches([]tokenizer.Input{{IDs: make([]int32, 2*maxBatchTokens)}, {IDs: make([]int32, 5)}}, 1, maxBatchTokens); len(batches) != 2 {
		t.Errorf("%d batches of an input over the limit and another, want 2", len(batches))
	}
}
