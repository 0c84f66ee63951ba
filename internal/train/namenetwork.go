//go:build torch

package train

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/papers/bne"
	"github.com/ctxnorm/ctxnorm/papers/bne/nameencoder"
	"github.com/ctxnorm/ctxnorm/text"
)

// nameNetwork is the name encoder of package bne.
type nameNetwork struct {
	model *nameencoder.Model
	seed  uint64 // of dropout
}

func newNameNetwork(task bne.EncoderTask) (*nameNetwork, error) {
	architecture, vectors := task.NameEncoder()
	seed := task.Describe().Config.Seed
	m, err := nameencoder.New(architecture, vectors, seed)
	if err != nil {
		return nil, err
	}
	return &nameNetwork{m, seed}, nil
}

func (n *nameNetwork) dim() int                          { return n.model.Dim() }
func (n *nameNetwork) trained() *tensor.ParamBuffer      { return n.model.Trained }
func (*nameNetwork) frozen() *tensor.Tensor              { return nil }
func (*nameNetwork) precision(tensor.DType) tensor.DType { return tensor.Float32 }
func (n *nameNetwork) write(out string) error            { return n.model.Write(out) }
func (n *nameNetwork) drop() error                       { return n.model.Drop() }

func (n *nameNetwork) fingerprint(base string) (string, error) {
	return nameencoder.BaseFingerprint(n.model.Architecture, base)
}

// read returns the distinct names. What dropout leaves out of a name depends on the seed, the step and
// the name.
func (n *nameNetwork) read(step int, queries []*text.Query) (texts, []reading, error) {
	made := &nameTexts{}
	if step != notTrained {
		made.dropout = &nameencoder.Dropout{Rate: n.model.Architecture.Dropout}
	}
	rows := make(map[string]int)
	readings := make([]reading, len(queries))
	for i, q := range queries {
		normal := nameencoder.Normal(q.Surface())
		row, known := rows[normal]
		if !known {
			row = len(made.names)
			rows[normal] = row
			made.names = append(made.names, n.model.Read(q.Surface()))
			if made.dropout != nil {
				made.dropout.Seeds = append(made.dropout.Seeds, sampling.Hash(n.seed, "dropout", strconv.Itoa(step),
					normal))
			}
		}
		readings[i].span = bert.PooledSpan{Row: row}
	}
	return made, readings, nil
}

func (n *nameNetwork) forward(s *tensor.Scope, _ tensor.DType, _, trained *tensor.Tensor) forward {
	network := n.model.Network(s, trained)
	return func(s *tensor.Scope, of texts, batch []int, spans []bert.PooledSpan, raw bool) *tensor.Tensor {
		all := of.(*nameTexts)
		names := make([]nameencoder.Name, len(batch))
		var dropout *nameencoder.Dropout
		if all.dropout != nil {
			dropout = &nameencoder.Dropout{Rate: all.dropout.Rate}
		}
		for i, position := range batch {
			names[i] = all.names[position]
			if dropout != nil {
				dropout.Seeds = append(dropout.Seeds, all.dropout.Seeds[position])
			}
		}
		rows := make([]int32, len(spans))
		for i, span := range spans {
			rows[i] = int32(span.Row)
		}
		vectors := s.Embedding(network.Encode(s, names, dropout), s.FromInts(rows, int64(len(rows))))
		if raw {
			return vectors
		}
		return s.NormalizeRows(vectors)
	}
}

// nameTexts are names.
type nameTexts struct {
	names   []nameencoder.Name
	dropout *nameencoder.Dropout // of each name; nil to leave nothing out
}

func (t *nameTexts) count() int { return len(t.names) }

func (t *nameTexts) slice(start, end int) texts {
	part := &nameTexts{names: t.names[start:end]}
	if t.dropout != nil {
		part.dropout = &nameencoder.Dropout{Rate: t.dropout.Rate, Seeds: t.dropout.Seeds[start:end]}
	}
	return part
}

// maxBatchNames bounds the memory of a micro-batch.
const maxBatchNames = 256

// batches puts names of as many words together.
func (t *nameTexts) batches(n int, _ tensor.Device) [][]int {
	order := make([]int, len(t.names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(len(t.names[a].Words), len(t.names[b].Words))
	})
	size := min(maxBatchNames, max(1, (len(order)+n-1)/n))
	return slices.Collect(slices.Chunk(order, size))
}

// cost returns the number of words.
func (t *nameTexts) cost(batch []int) int {
	words := 0
	for _, position := range batch {
		words += len(t.names[position].Words)
	}
	return words
}
