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
