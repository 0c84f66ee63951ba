//go:build torch

package bne

import (
	"github.com/ctxnorm/ctxnorm/internal/tensor"
)

// LSTM are the weights of one direction, as torch.nn.LSTM has them: the rows of the matrices
// are those of the input, forget, cell and output gates, one after the other.
type LSTM struct {
	InputWeight  *tensor.Tensor // [4 hidden, input]
	HiddenWeight *tensor.Tensor // [4 hidden, hidden]
	InputBias    *tensor.Tensor // [4 hidden]
	HiddenBias   *tensor.Tensor // [4 hidden]
	Hidden       int64
}

// BiLSTM reads sequences in both directions.
type BiLSTM struct{ Forward, Backward LSTM }

// Network is the encoder of section 3.2. The paper's dimensions are in brackets.
type Network struct {
	Characters    *tensor.Tensor // [characters, 50]; rows of padding are not used
	CharacterLSTM BiLSTM         // hidden states of 200
	WordLSTM      BiLSTM         // hidden states of 200, of words of 200 + 2*200
	Weight, Bias  *tensor.Tensor // W and b, [200, 2*200] and [200]
	WordDim       int64          // of word vectors
}

// Name is a name as the network reads it.
type Name struct{ Words []Word }

// Word is a word of a name: the rows of its characters, at least one, and its vector, of
// zeros for a word that has none.
type Word struct {
	Characters []int32
	Vector     []float32
}

// Encode returns f(s) of names of at least one word, [names, dimension].
func (n *Network) Encode(s *tensor.Scope, names []Name) *tensor.Tensor {
	// All words of all names are one batch of the first BiLSTM, and a row of its result is
	// h_w of a word.
	var characters [][]int32
	var vectors []float32
	words := make([][]int32, len(names)) // of each name: rows of the words
	for i, name := range names {
		for _, word := range name.Words {
			words[i] = append(words[i], int32(len(characters)))
			characters = append(characters, word.Characters)
			vectors = append(vectors, word.Vector...)
		}
	}
	_, last := n.CharacterLSTM.run(s, n.Characters, characters)
	rows := s.Cat([]*tensor.Tensor{s.FromFloats(vectors, int64(len(characters)), n.WordDim), last}, 1)
	greatest, _ := n.WordLSTM.run(s, rows, words)
	return s.Linear(greatest, n.Weight, n.Bias)
}

// run reads sequences of rows of a table. It returns the greatest of the states after each
// row, component by component, and the state after the last row that a direction reads, which is the
// first for the backward one: [sequences, 2 hidden] both, forward then backward.
func (b *BiLSTM) run(s *tensor.Scope, table *tensor.Tensor, sequences [][]int32) (greatest, last *tensor.Tensor) {
	reversed := make([][]int32, len(sequences))
	for i, sequence := range sequences {
		for j := range sequence {
			reversed[i] = append(reversed[i], sequence[len(sequence)-1-j])
		}
	}
	forwardGreatest, forwardLast := b.Forward.run(s, table, sequences)
	backwardGreatest, backwardLast := b.Backward.run(s, table, reversed)
	return s.Cat([]*tensor.Tensor{forwardGreatest, backwardGreatest}, 1), s.Cat([]*tensor.Tensor{forwardLast, backwardLast}, 1)
}

// run reads sequences from their first row to their last:
//
//	i, f, o = sigmoid(W x + U h + b),  g = tanh(W x + U h + b)
//	c = f c + i g,  h = o tanh(c)
//
// A sequence that has ended keeps its state, and its states do not count for the greatest.
//
// NB: gotch's Lstm is not used: it reserves memory of no bytes for the addresses of its three
// results.
func (l *LSTM) run(s *tensor.Scope, table *tensor.Tensor, sequences [][]int32) (greatest, last *tensor.Tensor) {
	count, longest := int64(len(sequences)), 0
	for _, sequence := range sequences {
		longest = max(longest, len(sequence))
	}
	h := s.FromFloats(make([]float32, len(sequences)*int(l.Hidden)), count, l.Hidden)
	c := h
	states := make([]*tensor.Tensor, 0, longest)
	for step := range longest {
		rows := make([]int32, len(sequences))
		goesOn := make([]float32, len(sequences))
		hidden := make([]float32, len(sequences)) // keeps states after the end from being the greatest
		for i, sequence := range sequences {
			if step < len(sequence) {
				rows[i], goesOn[i] = sequence[step], 1
			} else {
				hidden[i] = -2 // below every state, which is between -1 and 1
			}
		}
		keep := s.FromFloats(goesOn, count, 1)
		gates := s.Add(
			s.Linear(s.Embedding(table, s.FromInts(rows, count)), l.InputWeight, l.InputBias),
			s.Linear(h, l.HiddenWeight, l.HiddenBias))
		gate := func(i int64) *tensor.Tensor { return s.Narrow(gates, 1, i*l.Hidden, l.Hidden) }
		newC := s.Add(s.Mul(s.Sigmoid(gate(1)), c), s.Mul(s.Sigmoid(gate(0)), s.Tanh(gate(2))))
		newH := s.Mul(s.Sigmoid(gate(3)), s.Tanh(newC))
		c = s.Add(c, s.Mul(keep, s.Sub(newC, c)))
		h = s.Add(h, s.Mul(keep, s.Sub(newH, h)))
		state := s.Add(s.Mul(keep, newH), s.FromFloats(hidden, count, 1))
		states = append(states, s.Reshape(state, 1, count, l.Hidden))
	}
	return s.Greatest(s.Cat(states, 0), 0), h
}
