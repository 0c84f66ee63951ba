//go:build torch

package torch

import (
	"cmp"
	"slices"

	"github.com/sugarme/gotch"

	"ctxnorm/tokenizer"
)

// batch is a number of inputs, padded to the longest.
type batch struct {
	rows, width int
	ids         []int32 // rows*width
	lengths     []int   // tokens of each row, without padding
	inputs      []*tokenizer.Input
	markers     [2]int32 // ids of the markers
}

// newBatch pads the inputs.
func newBatch(inputs []*tokenizer.Input, pad int32, markers [2]int32) *batch {
	b := &batch{rows: len(inputs), inputs: inputs, lengths: make([]int, len(inputs)), markers: markers}
	for i, in := range inputs {
		b.lengths[i] = len(in.IDs)
		b.width = max(b.width, len(in.IDs))
	}
	b.ids = make([]int32, b.rows*b.width)
	for i, in := range inputs {
		row := b.ids[i*b.width : (i+1)*b.width]
		n := copy(row, in.IDs)
		for j := n; j < len(row); j++ {
			row[j] = pad
		}
	}
	return b
}

// marks says for each token whether it is the opening or the closing marker, of
// shape [rows, width, 2].
func (b *batch) marks() []float32 {
	marks := make([]float32, 2*len(b.ids))
	for i, id := range b.ids {
		for k, marker := range b.markers {
			if id == marker {
				marks[2*i+k] = 1
			}
		}
	}
	return marks
}

// Bounds of the tokens, padding included, that one worker computes at once.
const (
	// maxBatchTokens keeps a batch's activations in a core's caches: measured
	// with MiniLM in bfloat16, 1,000 to 2,000 tokens give 320 sentences/s, 4,000
	// give 270 and 8,000 give 220.
	maxBatchTokens = 2048
	// minBatchTokens is where smaller products no longer pay for another core.
	minBatchTokens = 128
	// cudaBatchTokens fills a GPU.
	cudaBatchTokens = 32768
)

// packFor cuts the inputs into batches for so many workers: lists of positions.
// There are enough batches to give each worker an equal share.
func packFor(inputs []tokenizer.Input, workers int, device gotch.Device) [][]int {
	order := make([]int, len(inputs))
	tokens := 0
	for i := range order {
		order[i] = i
		tokens += len(inputs[i].IDs)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(inputs[b].IDs), len(inputs[a].IDs)) })
	length := func(i int) int { return len(inputs[order[i]].IDs) }
	if device.IsCuda() {
		return cut(order, length, cudaBatchTokens)
	}
	// The least budget that gives no more batches than there are shares; padding
	// makes it a little more than an equal share.
	share := max(minBatchTokens, (tokens+workers-1)/workers)
	shares := (tokens + share - 1) / share
	for budget := share; budget < maxBatchTokens; budget += budget/32 + 1 {
		if batches := cut(order, length, budget); len(batches) <= shares {
			return batches
		}
	}
	return cut(order, length, maxBatchTokens)
}

// cut cuts positions, the longest input first, into batches of at most so many
// tokens with their padding, or of one input that has more.
func cut(order []int, length func(i int) int, budget int) [][]int {
	var batches [][]int
	for start := 0; start < len(order); {
		n := max(1, budget/max(1, length(start)))
		end := min(start+n, len(order))
		batches = append(batches, order[start:end])
		start = end
	}
	return batches
}
