//go:build torch

package bert

import (
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

func TestShapes(t *testing.T) {
	widths, tokens := map[int]bool{}, map[int]bool{}
	for n := range 513 {
		width := shapeWidth(n)
		if width < n || n > 8 && 2*width > 3*n+1 {
			t.Errorf("%d tokens get width %d", n, width)
		}
		widths[width] = true
		if n > 128 {
			continue
		}
		for rows := 1; rows*width <= maxBatchTokens; rows *= 2 {
			tokens[rows*width] = true
		}
	}
	// 8 12 16 24 32 48 64 96 128 192 256 384 512
	if len(widths) != 13 {
		t.Errorf("%d widths, want 13: %v", len(widths), widths)
	}
	// 4 times 2, 3, 4, 6, 8, 12, … 512: 2^1 to 2^9 and 3*2^0 to 3*2^7
	if len(tokens) != 9+8 {
		t.Errorf("%d sizes of batches, want 17: %v", len(tokens), tokens)
	}
	for left := 1; left < 300; left++ {
		for limit := 1; limit <= 256; limit *= 2 {
			n := takeRows(left, limit)
			if n < 1 || n > left || shapeRows(n) > limit || 4*n < 3*shapeRows(n) {
				t.Errorf("of %d inputs %d are taken for at most %d rows", left, n, limit)
			}
		}
	}
}

// TestPaddedBatches: every input is in one batch, the first input of a batch is its longest, and no batch is much
// larger than its worker's share.
func TestPaddedBatches(t *testing.T) {
	for _, n := range []int{0, 1, 5, 40, 700} {
		for _, workers := range []int{1, 2, 7} {
			inputs := make([]tokenizer.Input, n)
			tokens := 0
			for i := range inputs {
				inputs[i].IDs = make([]int32, 5+i*37%60)
				tokens += len(inputs[i].IDs)
			}
			batches := PaddedBatches(inputs, workers, tensor.CPU)
			var seen []int
			for _, batch := range batches {
				width := len(inputs[batch[0]].IDs)
				for _, i := range batch {
					if len(inputs[i].IDs) > width {
						t.Errorf("%d inputs, %d workers: an input is longer than the first of its batch", n, workers)
					}
					width = len(inputs[i].IDs)
				}
				if padded := PaddedTokens(inputs, batch); padded > maxBatchTokens && len(batch) > 1 {
					t.Errorf("%d inputs, %d workers: a batch of %d tokens", n, workers, padded)
				}
				seen = append(seen, batch...)
			}
			slices.Sort(seen)
			for i := range n {
				if i >= len(seen) || seen[i] != i {
					t.Fatalf("%d inputs, %d workers: packed are %v", n, workers, seen)
				}
			}
			if tokens > minBatchTokens*workers && len(batches) < min(workers, n) {
				t.Errorf("%d inputs of %d tokens: %d batches for %d workers", n, tokens, len(batches), workers)
			}
		}
	}
}
