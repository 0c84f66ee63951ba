//go:build torch

package bne

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/tensor"
)

// lstmWeights holds the weights of one direction, in the layout of torch.nn.LSTM: the rows of the matrices belong to
// the input, forget, cell and output gates, one after the other.
type lstmWeights struct {
	InputWeight  *tensor.Tensor // [4 hidden, input]
	HiddenWeight *tensor.Tensor // [4 hidden, hidden]
	InputBias    *tensor.Tensor // [4 hidden]
	HiddenBias   *tensor.Tensor // [4 hidden]
	Hidden       int64
}

// biLSTM reads sequences in both directions.
type biLSTM struct{ Forward, Backward lstmWeights }

// Network is the encoder of section 3.2. The paper's dimensions are given in brackets.
type Network struct {
	Characters    *tensor.Tensor // [characters, 50]; row 0 is for unknown ones
	CharacterLSTM biLSTM         // hidden states of 200
	WordLSTM      biLSTM         // hidden states of 200, of words of 200 + 2*200
	Weight, Bias  *tensor.Tensor // W and b, [200, 2*200] and [200]
	WordDim       int64          // of word vectors
	Tanh          bool           // f(s) is tanh(W h_s + b), as in the authors' program, and not W h_s + b
}

// Input is a name in the form that the network reads.
type Input struct {
	Words []Word

	// Dropout is the share of inputs of the word BiLSTM that are dropped in training, 0 to below 1. This is the place
	// of dropout in the authors' program (github.com/minhcp/BNE, encoder.py); the paper does not say which layers have
	// it. The inputs that are dropped for a name depend on Seed alone.
	Dropout float64
	Seed    uint64
}

// Word is a word of a name: the rows of its characters, at least one, and its vector, or zeros if the word has none.
type Word struct {
	Characters []int32
	Vector     []float32
}

// dropped returns width factors for each word of the names: 0 for dropped inputs, otherwise 1 / (1 - Dropout).
func dropped(names []Input, width int64) (factors []float32) {
	for _, name := range names {
		r := rand.New(rand.NewPCG(name.Seed, 0))
		kept := float32(1 / (1 - name.Dropout))
		for range width * int64(len(name.Words)) {
			factor := kept
			if r.Float64() < name.Dropout {
				factor = 0
			}
			factors = append(factors, factor)
		}
	}
	return factors
}

// Encode returns f(s) for names, [names, dimension]. Each must have at least one word. All must have the same Dropout.
func (n *Network) Encode(s *tensor.Scope, names []Input) *tensor.Tensor {
	// The distinct words of all names are one batch of the first BiLSTM, and each word reads a row of its result.
	var characters [][]int32
	distinct := make(map[string]int32) // characters of a word, as numbers -> row of characters
	var ofWords []int32                // row of characters for each word
	var vectors []float32
	words := make([][]int32, len(names)) // for each name, positions among the words
	for i, name := range names {
		for _, word := range name.Words {
			key := fmt.Sprint(word.Characters)
			row, known := distinct[key]
			if !known {
				row = int32(len(characters))
				distinct[key] = row
				characters = append(characters, word.Characters)
			}
			words[i] = append(words[i], int32(len(ofWords)))
			ofWords = append(ofWords, row)
			vectors = append(vectors, word.Vector...)
		}
	}
	count := int64(len(ofWords))
	last := s.Embedding(n.CharacterLSTM.last(s, n.Characters, characters), s.FromInts(ofWords, count))
	rows := s.Cat([]*tensor.Tensor{s.FromFloats(vectors, count, n.WordDim), last}, 1) // h_w
	if names[0].Dropout > 0 {
		width := n.WordDim + 2*n.CharacterLSTM.Forward.Hidden
		rows = s.Mul(rows, s.FromFloats(dropped(names, width), count, width))
	}
	encoded := s.Linear(n.WordLSTM.greatest(s, rows, words), n.Weight, n.Bias) // W h_s + b
	if n.Tanh {
		encoded = s.Tanh(encoded)
	}
	return encoded
}

// last returns the states after the last row of sequences of rows of a table, where the backward direction ends at the
// first row: [sequences, 2 hidden], forward then backward.
func (b *biLSTM) last(s *tensor.Scope, table *tensor.Tensor, sequences [][]int32) *tensor.Tensor {
	return b.run(s, table, sequences, func(before, state *tensor.Tensor) *tensor.Tensor { return state })
}

// greatest returns the maximum of the states after each row, component by component: [sequences, 2 hidden], forward
// then backward.
func (b *biLSTM) greatest(s *tensor.Scope, table *tensor.Tensor, sequences [][]int32) *tensor.Tensor {
	return b.run(s, table, sequences, func(before, state *tensor.Tensor) *tensor.Tensor {
		if before == nil {
			return state
		}
		// Equal to the maximum except for rounding, and cheaper than a pair of tensors.
		return s.Add(before, s.Relu(s.Sub(state, before)))
	})
}

// run pools the states of both directions. pool returns the pooled states up to a row, given those before it, nil for
// the first row, and the state after it.
func (b *biLSTM) run(s *tensor.Scope, table *tensor.Tensor, sequences [][]int32,
	pool func(before, state *tensor.Tensor) *tensor.Tensor) *tensor.Tensor {
	reversed := make([][]int32, len(sequences))
	for i, sequence := range sequences {
		reversed[i] = slices.Clone(sequence)
		slices.Reverse(reversed[i])
	}
	return s.Cat([]*tensor.Tensor{b.Forward.run(s, table, sequences, pool), b.Backward.run(s, table, reversed, pool)},
		1)
}

// run reads sequences from their first row to their last and returns their pooled states, [sequences, hidden]:
//
//	i, f, o = sigmoid(W x + U h + b),  g = tanh(W x + U h + b)
//	c = f c + i g,  h = o tanh(c)
//
// The longest sequences come first, so the sequences that continue at a step are the first rows, and no others are
// computed.
//
// NB: it does not use gotch's Lstm, which reserves zero bytes of memory for the addresses of its three results.
func (l *lstmWeights) run(s *tensor.Scope, table *tensor.Tensor, sequences [][]int32,
	pool func(before, state *tensor.Tensor) *tensor.Tensor) *tensor.Tensor {
	order := make([]int, len(sequences)) // by length, longest first
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(sequences[b]), len(sequences[a])) })
	longest := len(sequences[order[0]])
	active := func(step int) int { // number of sequences of more than step rows
		n, _ := slices.BinarySearchFunc(order, step, func(i, step int) int {
			if len(sequences[i]) > step {
				return -1
			}
			return 1
		})
		return n
	}
	zeros := s.FromFloats(make([]float32, len(sequences)*int(l.Hidden)), int64(len(sequences)), l.Hidden)
	h, c := zeros, zeros
	var pooled *tensor.Tensor
	ended := make([]*tensor.Tensor, longest) // pooled states of the sequences that end at a step
	for step := range longest {
		count, next := active(step), active(step+1)
		rows := make([]int32, count)
		for i := range rows {
			rows[i] = sequences[order[i]][step]
		}
		gates := s.Add(
			s.Linear(s.Embedding(table, s.FromInts(rows, int64(count))), l.InputWeight, l.InputBias),
			s.Linear(h, l.HiddenWeight, l.HiddenBias))
		gate := func(i int64) *tensor.Tensor { return s.Narrow(gates, 1, i*l.Hidden, l.Hidden) }
		c = s.Add(s.Mul(s.Sigmoid(gate(1)), c), s.Mul(s.Sigmoid(gate(0)), s.Tanh(gate(2))))
		h = s.Mul(s.Sigmoid(gate(3)), s.Tanh(c))
		pooled = pool(pooled, h)
		ended[longest-1-step] = s.Narrow(pooled, 0, int64(next), int64(count-next))
		if next < count {
			h, c, pooled = s.Narrow(h, 0, 0, int64(next)), s.Narrow(c, 0, 0, int64(next)), s.Narrow(pooled, 0, 0,
				int64(next))
		}
	}
	places := make([]int32, len(order))
	for place, i := range order {
		places[i] = int32(place)
	}
	return s.Embedding(s.Cat(ended, 0), s.FromInts(places, int64(len(places))))
}
