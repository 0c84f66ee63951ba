//go:build torch

package torch

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sugarme/gotch"

	"ctxnorm"
	"ctxnorm/contrastive"
	"ctxnorm/contrastive/torch/internal/bfloat"
	"ctxnorm/tokenizer"
)

func mustFuse(t testing.TB) {
	if !hasBFloat16(gotch.CPU) || !bfloat.Supported() {
		t.Skip("the processor has no products of bfloat16, or no AVX-512")
	}
}

// twoHeads is the model of tinyDir with heads of 16 numbers, which can be fused.
func twoHeads(t testing.TB) string {
	return changed(t, func(fields map[string]any) { fields["num_attention_heads"] = 2 }, nil)
}

// TestFused compares vectors of fused layers with those that libtorch computes in
// float32: of sentences with one mention asked for and with several, pooled over one
// token and over more, on one worker and on three; and of each sentence alone with
// those of all together.
func TestFused(t *testing.T) {
	mustFuse(t)
	dir := twoHeads(t)
	var queries []ctxnorm.Query
	for _, q := range sentences(150, 11) {
		for _, mention := range q.Mentions {
			q.Mention = mention
			queries = append(queries, q)
		}
	}
	for _, pooling := range []contrastive.Pooling{contrastive.PoolSpan, contrastive.PoolEnt} {
		settings := Settings{Pooling: pooling, MarkAll: true, MaxTokens: 64}
		exact := encode(t, openTest(t, dir, Options{Precision: contrastive.PrecisionFloat32, Settings: &settings}), queries)
		for _, workers := range []int{1, 3} {
			e := openTest(t, dir, Options{Precision: contrastive.PrecisionBFloat16, Settings: &settings, Workers: workers})
			if e.fused == nil {
				t.Fatal("nothing is fused")
			}
			all := encode(t, e, queries)
			for i := range exact {
				if c := cosine(exact[i], all[i]); c < .999 {
					t.Errorf("%s, %d workers, row %d: cosine %v to float32", pooling, workers, i, c)
				}
			}
			for i := 0; i < len(queries); i += 20 {
				if alone := encode(t, e, queries[i:i+1]); largest(t, alone, all[i:i+1]) > 1e-5 {
					t.Errorf("%s, %d workers, row %d: another vector when encoded alone", pooling, workers, i)
				}
			}
		}
	}
}

func cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// TestOddHeadsAreNotFused: heads that fill no register are left to libtorch.
func TestOddHeadsAreNotFused(t *testing.T) {
	if e := openTest(t, tinyDir, Options{Precision: contrastive.PrecisionBFloat16}); e.fused != nil {
		t.Error("heads of 8 numbers are fused")
	}
}

// TestSequences: tokens stand one after another, each with its place, and those asked
// for are found where they are said to be.
func TestSequences(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		inputs := make([]*tokenizer.Input, 1+r.IntN(5))
		var ids, places []int32
		var slots []slot
		for row := range inputs {
			inputs[row] = &tokenizer.Input{IDs: make([]int32, 1+r.IntN(40))}
			n := len(inputs[row].IDs)
			for i := range n {
				inputs[row].IDs[i] = 1 + r.Int32N(100)
				ids, places = append(ids, inputs[row].IDs[i]), append(places, int32(i))
			}
			for range r.IntN(3) {
				start := r.IntN(n)
				slots = append(slots, slot{row, tokenizer.TokenSpan{Start: start, End: start + 1 + r.IntN(n-start)}})
			}
		}
		in := newSequences(inputs, 0, [2]int32{})
		if !slices.Equal(in.ids[:len(ids)], ids) || !slices.Equal(in.places[:len(ids)], places) {
			t.Fatalf("ids %v and places %v, want %v and %v", in.ids, in.places, ids, places)
		}
		if len(in.ids) != shapeTokens(len(ids)) || len(in.places) != len(in.ids) || in.starts[len(inputs)] != len(ids) {
			t.Fatalf("%d tokens, %d places, the last input ends at %d, of %d tokens", len(in.ids), len(in.places), in.starts[len(inputs)], len(ids))
		}
		asked := in.ask(slots)
		distinct := map[int]bool{}
		for _, s := range slots {
			for j := s.span.Start; j < s.span.End; j++ {
				token := in.starts[s.row] + j
				distinct[token] = true
				at := asked.at[token]
				if int(asked.index[at]) != token || at < asked.starts[s.row] || at >= asked.starts[s.row+1] {
					t.Fatalf("token %d of row %d is at %d of %v, whose rows start at %v", token, s.row, at, asked.index, asked.starts)
				}
			}
		}
		if n := asked.starts[len(inputs)]; n != len(distinct) || len(asked.index) != shapeTokens(n) {
			t.Fatalf("%d tokens asked for, filled up to %d, want %d", n, len(asked.index), len(distinct))
		}
	}
}

// TestPackSequences: all inputs in their order, in batches that are not too large, and
// enough for all workers.
func TestPackSequences(t *testing.T) {
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
				batches := packSequences(inputs, workers)
				for _, batch := range batches {
					held := 0
					for _, i := range batch {
						if i != next {
							t.Fatalf("input %d stands where %d should", i, next)
						}
						next++
						held += len(inputs[i].IDs)
					}
					if held > maxBatchTokens {
						t.Errorf("a batch of %d tokens", held)
					}
				}
				if next != n {
					t.Errorf("%d inputs packed", next)
				}
				if tokens > minBatchTokens*workers && len(batches) < min(workers, n) {
					t.Errorf("%d batches of %d tokens", len(batches), tokens)
				}
			})
		}
	}
	if batches := packSequences([]tokenizer.Input{{IDs: make([]int32, 2*maxBatchTokens)}, {IDs: make([]int32, 5)}}, 1); len(batches) != 2 {
		t.Errorf("%d batches of an input that is too long and another", len(batches))
	}
}
