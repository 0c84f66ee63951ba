//go:build torch

package torch

import "ctxnorm/tokenizer"

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
