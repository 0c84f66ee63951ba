//go:build torch

package torch

// kept are the tokens of a batch whose states of the last layer are asked for:
// those of the slots, as many of each row. No other is computed in the last layer,
// whose products are a sixth of MiniLM's; the states are the same, since every
// token is still a key and a value. Measured: a mention's span has one token in
// eight of a sentence.
type kept struct {
	width int     // kept tokens of a row, padded as a batch is: see [shapeWidth]
	index []int32 // rows*width: their places among the batch's tokens; nil where all are kept
	place []int   // of each of the batch's tokens among index
}

// keep lists the tokens of the slots.
func keep(in *batch, slots []slot) *kept {
	asked := make([]bool, len(in.ids))
	for _, s := range slots {
		for j := s.span.Start; j < s.span.End; j++ {
			asked[s.row*in.width+j] = true
		}
	}
	k := &kept{place: make([]int, len(in.ids))}
	longest := 0
	for start := 0; start < len(asked); start += in.width {
		count := 0
		for j := start; j < start+in.width; j++ {
			k.place[j] = count
			if asked[j] {
				count++
			}
		}
		longest = max(longest, count)
	}
	k.width = shapeKept(longest)
	if k.width >= in.width {
		return keepAll(in)
	}
	k.index = make([]int32, in.rows*k.width)
	for i := range k.index {
		k.index[i] = int32(i / k.width * in.width) // the row's first token, where there is no other
	}
	for i := range asked {
		k.place[i] += i / in.width * k.width
		if asked[i] {
			k.index[k.place[i]] = int32(i)
		}
	}
	return k
}

// keepAll keeps every token.
func keepAll(in *batch) *kept {
	k := &kept{width: in.width, place: make([]int, len(in.ids))}
	for i := range k.place {
		k.place[i] = i
	}
	return k
}
