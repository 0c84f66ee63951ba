package bert

import (
	"github.com/ctxnorm/ctxnorm/internal/bert/kernels"
	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// A batch has no padding: its tokens stand one after another, and attention is computed sentence by sentence. The last
// layer computes only the pooled tokens. Package kernels computes the steps of a layer.
//
// INVARIANT: on one processor the vector of a span has the same bits in every batch.

// scratch holds a batch and the memory for its activations. The rows of every matrix are the tokens of the batch, one
// sentence after another, padded with zeros.
type scratch struct {
	starts []int // first token of each sentence, and the end of the last

	// The tokens with states that the last layer computes: those of the pooled spans.
	pooled   []bool
	outputs  []int // positions of the tokens
	position []int // position of each pooled token in outputs
	begins   []int // first output of each sentence, and the end of the last

	states, spare []float32 // [tokens][hidden]; spare gets the states of the outputs
	sums          []float32 // [tokens][hidden]: to be added to the states
	queryKeyValue []float32 // [tokens][3*heads]
	query         []float32 // [outputs][heads], for the last layer
	mixed         []float32 // [tokens][heads]
	inner         []float32 // [tokens][inner]
	factors       kernels.Factors
	attention     *kernels.Attention
	capacity      int // number of tokens that fit
}

func (n *Packed) newScratch() *scratch { return &scratch{attention: kernels.NewAttention(n.head)} }

// tokens returns the number of tokens of the batch.
func (s *scratch) tokens() int { return s.starts[len(s.starts)-1] }

// reset begins a batch.
func (s *scratch) reset(inputs []*tokenizer.Input) {
	s.starts = append(s.starts[:0], 0)
	for _, in := range inputs {
		s.starts = append(s.starts, s.tokens()+len(in.IDs))
	}
}

// choose lists the tokens of the spans as outputs.
func (s *scratch) choose(spans []PooledSpan) {
	tokens := s.tokens()
	s.pooled, s.position = make([]bool, tokens), make([]int, tokens)
	for _, span := range spans {
		for j := span.Tokens.Start; j < span.Tokens.End; j++ {
			s.pooled[s.starts[span.Row]+j] = true
		}
	}
	s.outputs, s.begins = s.outputs[:0], append(s.begins[:0], 0)
	for row, start := range s.starts[:len(s.starts)-1] {
		for j := start; j < s.starts[row+1]; j++ {
			if s.pooled[j] {
				s.position[j] = len(s.outputs)
				s.outputs = append(s.outputs, j)
			}
		}
		s.begins = append(s.begins, len(s.outputs))
	}
}

// compute returns the vectors of the spans of a batch: see [Packed.Vectors].
func (n *Packed) compute(s *scratch, inputs []*tokenizer.Input, spans []PooledSpan) []float32 {
	s.reset(inputs)
	s.choose(spans)
	n.embed(s, inputs)
	for i := range n.layers {
		n.forward(s, i)
	}
	return n.pool(s, spans)
}

// grow makes room for the tokens of the batch.
func (n *Packed) grow(s *scratch) {
	tokens := s.tokens()
	if tokens <= s.capacity {
		return
	}
	s.capacity = tokens
	for _, states := range []*[]float32{&s.states, &s.spare, &s.sums} {
		*states = kernels.Rows(tokens, n.hidden)
	}
	s.queryKeyValue = kernels.Rows(tokens, 3*n.heads)
	s.query, s.mixed = kernels.Rows(tokens, n.heads), kernels.Rows(tokens, n.heads)
	s.inner = kernels.Rows(tokens, n.inner)
}

// embed sets the states to the normalized sum of the embeddings.
func (n *Packed) embed(s *scratch, inputs []*tokenizer.Input) {
	n.grow(s)
	row := 0
	for _, in := range inputs {
		for position, id := range in.IDs {
			state := s.states[row*n.hidden : (row+1)*n.hidden]
			clear(state[copy(state, n.checkpoint.Word(id)):])
			copy(s.sums[row*n.hidden:(row+1)*n.hidden], n.positions[position*n.hidden:])
			row++
		}
	}
	n.addNorm(s, row, n.embeddingNorm)
}

// addNorm adds the sums to the first rows of the states and normalizes these.
func (n *Packed) addNorm(s *scratch, rows int, by norm) {
	n.set.AddNorm(s.states, s.sums, by.weight, by.bias, rows, int(n.config.Hidden), float32(n.config.LayerNormEps))
}

// forward replaces the states by those after layer i. The last layer keeps only the states of the outputs.
func (n *Packed) forward(s *scratch, i int) {
	l, last := &n.layers[i], i == len(n.layers)-1
	rows, width := s.tokens(), 3*n.heads
	if n.observe != nil {
		n.observe(i, attention, s.states[:rows*n.hidden])
	}
	query, queryWidth, begins := s.queryKeyValue, width, s.starts
	if last && len(s.outputs) < rows {
		// Keys and values of all tokens, but queries of the outputs only.
		n.set.Multiply(&s.factors, s.queryKeyValue[n.heads:], width, s.states, rows, l.queryKeyValue, n.heads, width)
		for to, from := range s.outputs {
			copy(s.spare[to*n.hidden:(to+1)*n.hidden], s.states[from*n.hidden:])
		}
		s.states, s.spare = s.spare, s.states
		rows, begins = len(s.outputs), s.begins
		query, queryWidth = s.query, n.heads
		n.set.Multiply(&s.factors, query, queryWidth, s.states, rows, l.queryKeyValue, 0, n.heads)
	} else {
		n.set.Multiply(&s.factors, s.queryKeyValue, width, s.states, rows, l.queryKeyValue, 0, width)
	}
	// In the order of the sentences: the next one overwrites what a head writes after the rows of its own.
	for row, start := range s.starts[:len(s.starts)-1] {
		queries, tokens := begins[row+1]-begins[row], s.starts[row+1]-start
		for h := range int(n.config.Heads) {
			at := h * n.head
			keys := s.queryKeyValue[start*width+n.heads+at:]
			n.set.Attend(s.attention, s.mixed[begins[row]*n.heads+at:], n.heads, query[begins[row]*queryWidth+at:],
				queryWidth, keys, keys[n.heads:], width, queries, tokens)
		}
	}
	n.set.Multiply(&s.factors, s.sums, n.hidden, s.mixed, rows, l.attention, 0, n.hidden)
	n.addNorm(s, rows, l.attentionNorm)
	if n.observe != nil {
		n.observe(i, feedForward, s.states[:rows*n.hidden])
	}
	n.set.Multiply(&s.factors, s.inner, n.inner, s.states, rows, l.up, 0, n.inner)
	n.set.Activate(n.config.Function(), s.inner[:rows*n.inner])
	n.set.Multiply(&s.factors, s.sums, n.hidden, s.inner, rows, l.down, 0, n.hidden)
	n.addNorm(s, rows, l.outputNorm)
}

// pool returns the mean of each span's states, scaled to unit length.
func (n *Packed) pool(s *scratch, spans []PooledSpan) []float32 {
	dim := int(n.config.Hidden)
	vectors := make([]float32, len(spans)*dim)
	for i, span := range spans {
		vector := vectors[i*dim : (i+1)*dim]
		for j := span.Tokens.Start; j < span.Tokens.End; j++ {
			at := s.position[s.starts[span.Row]+j] * n.hidden
			for k, x := range s.states[at : at+dim] {
				vector[k] += x
			}
		}
		dot.Normalize(vector) // the sum of vectors has the direction of their mean
	}
	return vectors
}
