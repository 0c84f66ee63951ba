//go:build torch

package train

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/papers/bne"
	"github.com/ctxnorm/ctxnorm/text"
)

// nameNetwork is the name encoder of package bne.
type nameNetwork struct {
	model *bne.Model
	seed  uint64 // for dropout
}

func (n *nameNetwork) dim() int                          { return n.model.Dim() }
func (n *nameNetwork) trained() *tensor.ParamBuffer      { return n.model.Trained }
func (*nameNetwork) frozen() *tensor.Tensor              { return nil }
func (*nameNetwork) precision(tensor.DType) tensor.DType { return tensor.Float32 }
func (n *nameNetwork) write(out string) error            { return n.model.Write(out) }

func (n *nameNetwork) drop() error {
	n.model.Drop()
	return nil
}

func (n *nameNetwork) fingerprint(base string) (string, error) {
	return n.model.BaseFingerprint(base)
}

// read returns the distinct names. Dropout in a name depends on the seed, the step and the name.
func (n *nameNetwork) read(step int, queries []*text.Query) (texts, []reading, error) {
	var names nameTexts
	rows := make(map[string]int)
	readings := make([]reading, len(queries))
	for i, q := range queries {
		normal := normalize.Normal(q.Surface())
		row, known := rows[normal]
		if !known {
			row = len(names)
			rows[normal] = row
			name := n.model.Read(q.Surface())
			if step != notTrained {
				name.Dropout = n.model.Dropout
				name.Seed = sampling.Hash(n.seed, "dropout", strconv.Itoa(step), normal)
			}
			names = append(names, name)
		}
		readings[i].span = bert.PooledSpan{Row: row}
	}
	return names, readings, nil
}

func (n *nameNetwork) forward(s *tensor.Scope, _ tensor.DType, _, trained *tensor.Tensor) forward {
	network := n.model.Network(s, trained)
	return func(s *tensor.Scope, of texts, batch []int, spans []bert.PooledSpan, raw bool) *tensor.Tensor {
		names := make([]bne.Input, len(batch))
		for i, position := range batch {
			names[i] = of.(nameTexts)[position]
		}
		rows := make([]int32, len(spans))
		for i, span := range spans {
			rows[i] = int32(span.Row)
		}
		vectors := s.Embedding(network.Encode(s, names), s.FromInts(rows, int64(len(rows))))
		if raw {
			return vectors
		}
		return s.NormalizeRows(vectors)
	}
}

// nameTexts holds names.
type nameTexts []bne.Input

func (t nameTexts) count() int                 { return len(t) }
func (t nameTexts) slice(start, end int) texts { return t[start:end] }

// maxBatchNames bounds the memory of a micro-batch.
const maxBatchNames = 256

// batches groups names with similar numbers of words.
func (t nameTexts) batches(n int, _ tensor.Device) [][]int {
	order := make([]int, len(t))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(len(t[a].Words), len(t[b].Words))
	})
	size := min(maxBatchNames, max(1, (len(order)+n-1)/n))
	return slices.Collect(slices.Chunk(order, size))
}

// cost returns the number of words.
func (t nameTexts) cost(batch []int) int {
	words := 0
	for _, position := range batch {
		words += len(t[position].Words)
	}
	return words
}
