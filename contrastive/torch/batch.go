//go:build torch

package torch

import (
	"cmp"
	"slices"

	"github.com/sugarme/gotch"

	"ctxnorm/tokenizer"
)

// batch is a number of inputs, padded to one of few shapes: see [shapes].
type batch struct {
	rows, width int
	ids         []int32 // rows*width
	lengths     []int   // tokens of each row, without padding; 0 for a row that only fills the shape
	inputs      []*tokenizer.Input
	markers     [2]int32 // ids of the markers
}

// newBatch pads the inputs. A width of positions, the most that the model has, is
// not exceeded.
func newBatch(inputs []*tokenizer.Input, pad int32, markers [2]int32, positions int64) *batch {
	longest := 0
	for _, in := range inputs {
		longest = max(longest, len(in.IDs))
	}
	b := &batch{
		rows: shapeRows(len(inputs)), width: min(shapeWidth(longest), int(positions)),
		inputs: inputs, markers: markers,
	}
	b.lengths = make([]int, b.rows)
	b.ids = make([]int32, b.rows*b.width)
	for i := range b.ids {
		b.ids[i] = pad
	}
	for i, in := range inputs {
		b.lengths[i] = copy(b.ids[i*b.width:(i+1)*b.width], in.IDs)
	}
	return b
}

// marksOf says for each token whether it is the opening or the closing marker, of
// shape [tokens, 2].
func marksOf(ids []int32, markers [2]int32) []float32 {
	marks := make([]float32, 2*len(ids))
	for i, id := range ids {
		for k, marker := range markers {
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
// There are enough batches to give each worker a share.
func packFor(inputs []tokenizer.Input, workers int, device gotch.Device) [][]int {
	order := make([]int, len(inputs))
	tokens := 0
	for i := range order {
		order[i] = i
		tokens += shapeWidth(len(inputs[i].IDs))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(inputs[b].IDs), len(inputs[a].IDs)) })
	budget := cudaBatchTokens
	if !device.IsCuda() {
		budget = min(max(minBatchTokens, powerUpTo(tokens/workers)), maxBatchTokens)
	}
	var batches [][]int
	for start := 0; start < len(order); {
		width := shapeWidth(len(inputs[order[start]].IDs))
		n := takeRows(len(order)-start, powerUpTo(budget/width))
		batches = append(batches, order[start:start+n])
		start += n
	}
	return batches
}
