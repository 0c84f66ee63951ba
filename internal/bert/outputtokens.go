//go:build torch

package bert

// outputTokens lists the tokens of a batch with states that the last layer computes: those of the pooled spans. There
// the other tokens are keys and values, but not queries. The states are the same as if all were computed, and the last
// layer's products, a sixth of MiniLM's, shrink. Measured: a mention's span has one token in eight of a sentence.
type outputTokens struct {
	index    []int32 // the tokens, as positions in the batch, padded to one of few lengths; nil for all tokens
	position []int   // position in index of each token of the batch, or in the batch if index is nil
	width    int     // tokens of each row in index, including padding
}

// outputTokens lists the tokens of the spans, the same number for each row: see [shapeOutputs]. A row with fewer tokens
// is padded with its first one.
func (in *batch) outputTokens(spans []PooledSpan) *outputTokens {
	pooled := make([]bool, len(in.ids))
	for _, s := range spans {
		for j := s.Tokens.Start; j < s.Tokens.End; j++ {
			pooled[s.Row*in.width+j] = true
		}
	}
	out := &outputTokens{position: make([]int, len(in.ids))}
	longest := 0
	for start := 0; start < len(pooled); start += in.width {
		count := 0
		for j := start; j < start+in.width; j++ {
			out.position[j] = count
			if pooled[j] {
				count++
			}
		}
		longest = max(longest, count)
	}
	out.width = shapeOutputs(longest)
	if out.width >= in.width {
		return in.allTokens()
	}
	out.index = make([]int32, in.rows*out.width)
	for i := range out.index {
		out.index[i] = int32(i / out.width * in.width)
	}
	for i := range pooled {
		out.position[i] += i / in.width * out.width
		if pooled[i] {
			out.index[out.position[i]] = int32(i)
		}
	}
	return out
}

// allTokens lists all tokens of the batch.
func (in *batch) allTokens() *outputTokens {
	out := &outputTokens{width: in.width, position: make([]int, len(in.ids))}
	for i := range out.position {
		out.position[i] = i
	}
	return out
}
