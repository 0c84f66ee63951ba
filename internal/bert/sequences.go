//go:build torch

package bert

import (
	"slices"

	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// sequences is a batch without padding between its inputs: their tokens one after
// another, and then padding up to one of few numbers of tokens, see [shapeTokens].
type sequences struct {
	ids       []int32
	positions []int32 // of each token in its input
	starts    []int   // of each input in ids, and the end of the last
}

func newSequences(inputs []*tokenizer.Input, pad int32) *sequences {
	in := &sequences{starts: []int{0}}
	for _, input := range inputs {
		for position, id := range input.IDs {
			in.ids = append(in.ids, id)
			in.positions = append(in.positions, int32(position))
		}
		in.starts = append(in.starts, len(in.ids))
	}
	in.ids, in.positions = padTokens(in.ids, pad), padTokens(in.positions, 0)
	return in
}

// padTokens appends value up to the length that [shapeTokens] returns.
func padTokens(values []int32, value int32) []int32 {
	return append(values, slices.Repeat([]int32{value}, shapeTokens(len(values))-len(values))...)
}

// sequenceBatches cuts the inputs into batches, in their order, and returns the
// positions of each batch's inputs. A batch has at most maxBatchTokens, or a single
// input. There are enough batches to give each worker a share.
func sequenceBatches(inputs []tokenizer.Input, workers int) [][]int {
	tokens := 0
	for i := range inputs {
		tokens += len(inputs[i].IDs)
	}
	share := max(minBatchTokens, (tokens+workers-1)/workers)
	var batches [][]int
	var batch []int
	held := 0 // tokens of batch
	for i := range inputs {
		n := len(inputs[i].IDs)
		if held >= share || held > 0 && held+n > maxBatchTokens {
			batches, batch, held = append(batches, batch), nil, 0
		}
		batch = append(batch, i)
		held += n
	}
	if held > 0 {
		batches = append(batches, batch)
	}
	return batches
}
