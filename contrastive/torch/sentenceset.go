//go:build torch

package torch

import "ctxnorm/tokenizer"

// sentenceSet is the distinct sentences of inputs: where all mentions of a sentence are
// marked, its queries have the same tokens, and it is computed once for them.
type sentenceSet struct {
	inputs []tokenizer.Input // the first of each sequence of tokens
	rows   map[string]int    // tokens -> position in inputs
}

func newSentenceSet() sentenceSet { return sentenceSet{rows: make(map[string]int)} }

// row is the position of the input's sentence, which may be new.
func (s *sentenceSet) row(in tokenizer.Input) int {
	key := string(bytesOf(in.IDs))
	row, known := s.rows[key]
	if !known {
		row = len(s.inputs)
		s.rows[key] = row
		s.inputs = append(s.inputs, in)
	}
	return row
}

// distinct gives the sentences of inputs, and for each the positions of all inputs
// that have it.
func distinct(inputs []tokenizer.Input) (first []tokenizer.Input, positions [][]int) {
	s := newSentenceSet()
	for i, in := range inputs {
		row := s.row(in)
		if row == len(positions) {
			positions = append(positions, nil)
		}
		positions[row] = append(positions[row], i)
	}
	return s.inputs, positions
}
