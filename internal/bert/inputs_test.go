package bert

import (
	"fmt"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// TestSequenceBatches: all inputs are in batches, in order; no batch is too large, and there are enough for all
// workers.
func TestSequenceBatches(t *testing.T) {
	const most = 2048
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
				batches := sequenceBatches(inputs, workers, most)
				for _, batch := range batches {
					held := 0
					for _, i := range batch {
						if i != next {
							t.Fatalf("got input %d, want %d", i, next)
						}
						next++
						held += len(inputs[i].IDs)
					}
					if held > most {
						t.Errorf("a batch of %d tokens", held)
					}
				}
				must.Equal(t, next, n, "inputs are in batches")
				if tokens > minBatchTokens*workers && len(batches) < min(workers, n) {
					t.Errorf("%d batches of %d tokens", len(batches), tokens)
				}
			})
		}
	}
	batches := sequenceBatches([]tokenizer.Input{{IDs: make([]int32, 2*most)}, {IDs: make([]int32, 5)}}, 1, most)
	must.Equal(t, len(batches), 2, "batches of an input over the limit and another")
}
