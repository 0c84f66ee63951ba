//go:build torch

package torch

import (
	"slices"

	"ctxnorm/tokenizer"
)

// sequences is a batch without padding: the tokens of its inputs one after another, and
// after the last as many more as make one of few numbers of tokens, see [shapeTokens].
type sequences struct {
	ids, places []int32 // of each token: its id, and its place in its input
	starts      []int   // of each input, and the end of the last
	markers     [2]int32
}

func newSequences(inputs []*tokenizer.Input, pad int32, markers [2]int32) *sequences {
	in := &sequences{starts: []int{0}, markers: markers}
	for _, input := range inputs {
		for place, id := range input.IDs {
			in.ids = append(in.ids, id)
			in.places = append(in.places, int32(place))
		}
		in.starts = append(in.starts, len(in.ids))
	}
	in.ids, in.places = filled(in.ids, pad), filled(in.places, 0)
	return in
}

// filled is a number for each token and, for as many more as [shapeTokens] asks for, fill.
func filled(numbers []int32, fill int32) []int32 {
	return append(numbers, slices.Repeat([]int32{fill}, shapeTokens(len(numbers))-len(numbers))...)
}

// asked are the tokens of a batch whose states of the last layer are pooled: no other is
// computed there, as in [kept].
type asked struct {
	index  []int32 // places among the batch's tokens, filled up as these are
	starts []int   // of those of each input, and the end of the last
	at     []int   // of each of the batch's tokens among index, if it is
}

func (in *sequences) ask(slots []slot) *asked {
	wanted := make([]bool, len(in.ids))
	for _, s := range slots {
		for j := s.span.Start; j < s.span.End; j++ {
			wanted[in.starts[s.row]+j] = true
		}
	}
	a := &asked{starts: []int{0}, at: make([]int, len(in.ids))}
	for row, start := range in.starts[:len(in.starts)-1] {
		for j := start; j < in.starts[row+1]; j++ {
			if wanted[j] {
				a.at[j] = len(a.index)
				a.index = append(a.index, int32(j))
			}
		}
		a.starts = append(a.starts, len(a.index))
	}
	a.index = filled(a.index, 0)
	return a
}

// packSequences cuts the inputs into batches for so many workers: lists of positions, in
// order, each of maxBatchTokens at most or of a single input. There are enough
// batches to give each worker a share.
func packSequences(inputs []tokenizer.Input, workers int) [][]int {
	tokens := 0
	for i := range inputs {
		tokens += len(inputs[i].IDs)
	}
	share := max(minBatchTokens, (tokens+workers-1)/workers)
	var batches [][]int
	var batch []int
	held := 0
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
