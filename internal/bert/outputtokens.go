//go:build torch

package bert

// outputTokens lists the tokens of a batch whose states the last layer computes: those
// of the pooled spans. The other tokens are keys and values there, but no queries.
// The states are the same as if all were computed, and the last layer's products,
// a sixth of MiniLM's, shrink. Measured: a mention's span has one token in eight of
// a sentence.
type outputTokens struct {
	index    []int32 // the tokens, as positions in the batch, padded to one of few lengths; nil: all tokens
	position []int   // of each token of the batch: its position in index, or in the batch if index is nil
	width    int     // of a padded batch: tokens of each row in index, padding included
	starts   []int   // of a batch without padding: where each row starts in index, and the end of the last
}

// inSpans reports for each of n tokens whether it is in a span, where start(row) is
// the position of a row's first token.
func inSpans(n int, spans []PooledSpan, start func(row int) int) []bool {
	pooled := make([]bool, n)
	for _, s := range spans {
		for j := s.Tokens.Start; j < s.Tokens.End; j++ {
			pooled[start(s.Row)+j] = true
		}
	}
	return pooled
}

// outputTokens lists the tokens of the spans, the same number for each row: see
// [shapeOutputs]. A row with fewer is padded with its first token.
func (in *batch) outputTokens(spans []PooledSpan) *outputTokens {
	pooled := inSpans(len(in.ids), spans, func(row int) int { return row * in.width })
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

// outputTokens lists the tokens of the spans, padded as the batch is: see
// [shapeTokens].
func (in *sequences) outputTokens(spans []PooledSpan) *outputTokens {
	pooled := inSpans(len(in.ids), spans, func(row int) int { return in.starts[row] })
	out := &outputTokens{starts: []int{0}, position: make([]int, len(in.ids))}
	for row, start := range in.starts[:len(in.starts)-1] {
		for j := start; j < in.starts[row+1]; j++ {
			if pooled[j] {
				out.position[j] = len(out.index)
				out.index = append(out.index, int32(j))
			}
		}
		out.starts = append(out.starts, len(out.index))
	}
	out.index = padTokens(out.index, 0)
	return out
}

// allTokens lists all tokens of the batch.
func (in *sequences) allTokens() *outputTokens { return &outputTokens{starts: in.starts} }
