package bert

import (
	"encoding/binary"
	"fmt"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// PooledSpan is a range of tokens of a batch. Their hidden states are pooled into one vector.
type PooledSpan struct {
	Row    int // position of the input in its batch
	Tokens tokenizer.TokenSpan
}

// SentenceSet holds the distinct token sequences of inputs. If all mentions of a sentence are marked, its queries have
// the same tokens, and the sentence is computed once for all of them.
type SentenceSet struct {
	Inputs []tokenizer.Input // the first input with each token sequence
	rows   map[string]int    // token sequence -> position in Inputs
}

// NewSentenceSet returns an empty set.
func NewSentenceSet() *SentenceSet { return &SentenceSet{rows: make(map[string]int)} }

// Row returns the position in Inputs of the input's token sequence. It adds a new one.
func (s *SentenceSet) Row(in tokenizer.Input) int {
	key, _ := binary.Append(nil, binary.LittleEndian, in.IDs) // cannot fail for integers
	row, known := s.rows[string(key)]
	if !known {
		row = len(s.Inputs)
		s.rows[string(key)] = row
		s.Inputs = append(s.Inputs, in)
	}
	return row
}

// minBatchTokens is the batch size below which the cost of smaller products outweighs the gain from another core.
const minBatchTokens = 128

// sequenceBatches splits the inputs into batches, in order, and returns the positions of each batch's inputs. A batch
// has at most most tokens, or a single input. There are enough batches to give each worker a share.
func sequenceBatches(inputs []tokenizer.Input, workers, most int) [][]int {
	tokens := 0
	for i := range inputs {
		tokens += len(inputs[i].IDs)
	}
	share := max(minBatchTokens, (tokens+workers-1)/workers)
	var batches [][]int
	var batch []int
	held := 0 // tokens in batch
	for i := range inputs {
		n := len(inputs[i].IDs)
		if held >= share || held > 0 && held+n > most {
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

// CheckUnit returns an error for the first vector that does not have length 1, because the weights contain a NaN or the
// vector is zero.
func CheckUnit(vectors []float32, dim int) error {
	for i := 0; i < len(vectors); i += dim {
		squares := dot.InOrder(vectors[i:i+dim], vectors[i:i+dim])
		if !(squares > 0.99 && squares < 1.01) { // false for NaN too
			return fmt.Errorf("vector %d has squared length %v, want 1: the encoder's weights are damaged", i/dim,
				squares)
		}
	}
	return nil
}
