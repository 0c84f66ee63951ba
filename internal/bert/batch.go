//go:build torch

package bert

import (
	"cmp"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// batch holds inputs padded to one of few shapes: see shapes.go.
type batch struct {
	rows, width int
	ids         []int32 // [rows, width]
	lengths     []int   // tokens of each row, without padding; 0 for a row that only fills the shape
}

// newBatch pads the inputs with the token pad. The width is at most positions, the length of the model's longest input.
func newBatch(inputs []*tokenizer.Input, pad int32, positions int64) *batch {
	longest := 0
	for _, in := range inputs {
		longest = max(longest, len(in.IDs))
	}
	b := &batch{rows: shapeRows(len(inputs)), width: min(shapeWidth(longest), int(positions))}
	b.lengths = make([]int, b.rows)
	b.ids = slices.Repeat([]int32{pad}, b.rows*b.width)
	for i, in := range inputs {
		b.lengths[i] = copy(b.ids[i*b.width:(i+1)*b.width], in.IDs)
	}
	return b
}

// Bounds of the tokens, including padding, that one worker computes at once.
const (
	// maxBatchTokens keeps a batch's activations in a core's caches. Measured with
	// MiniLM in bfloat16: 1,000 to 2,000 tokens give 320 sentences/s, 4,000 give 270
	// and 8,000 give 220.
	maxBatchTokens = 2048
	// cudaBatchTokens fills a GPU.
	cudaBatchTokens = 32768
)

// PaddedBatches splits the inputs into batches, longest inputs first, and returns the positions of each batch's inputs.
// There are enough batches to give each worker a share.
func PaddedBatches(inputs []tokenizer.Input, workers int, device tensor.Device) [][]int {
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

// PaddedTokens returns the number of tokens, including padding, of a batch of [PaddedBatches].
func PaddedTokens(inputs []tokenizer.Input, batch []int) int {
	longest := len(inputs[batch[0]].IDs)
	return shapeRows(len(batch)) * shapeWidth(longest)
}
