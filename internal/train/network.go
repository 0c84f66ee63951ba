//go:build torch

package train

import (
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/papers/bne"
	"github.com/ctxnorm/ctxnorm/text"
)

// network is an encoder that is trained: its weights, its reading of texts, and the computation of vectors. It is a
// [bertNetwork] or a [nameNetwork].
type network interface {
	// dim returns the length of a vector.
	dim() int

	// trained returns the trained weights. frozen returns the others, or nil if there are none.
	trained() *tensor.ParamBuffer
	frozen() *tensor.Tensor

	// precision returns the type of the network's products, given the requested one.
	precision(tensor.DType) tensor.DType

	// read returns the queries in the form that the network takes, and the distinct texts among them. step is the
	// training step or notTrained. It uses no weights.
	read(step int, queries []*text.Query) (texts, []reading, error)

	// forward returns the network with these weights: those of trained and frozen, or copies of them in the type of
	// products.
	forward(s *tensor.Scope, dtype tensor.DType, frozen, trained *tensor.Tensor) forward

	// fingerprint returns the hash of the network before training, read from the folder that it starts from.
	fingerprint(base string) (string, error)

	// write writes the encoder with its current weights to a folder, which appears complete or not at all.
	write(out string) error

	// drop frees the weights and the tokenizer.
	drop() error
}

// notTrained stands for the step of texts that are encoded without training on them.
const notTrained = -1

// texts holds distinct texts in the form that a network takes.
type texts interface {
	// count returns the number of texts.
	count() int
	// slice returns the texts from start up to end.
	slice(start, end int) texts
	// batches splits the texts into micro-batches, at least n if there are that many texts. It returns the positions of
	// each batch's texts.
	batches(n int, device tensor.Device) [][]int
	// cost returns a number proportional to the time that a micro-batch takes.
	cost(batch []int) int
}

// reading is a query in the form that a network takes.
type reading struct {
	span   bert.PooledSpan // with its position among the texts as row
	others []otherMention
}

// otherMention is another marked mention in the text of a query.
type otherMention struct {
	mention int // its position in the query's document
	span    bert.PooledSpan
}

// forward computes the vectors of the spans of a micro-batch, [spans, dim], raw or of unit length. The spans' rows are
// positions in batch.
type forward func(s *tensor.Scope, of texts, batch []int, spans []bert.PooledSpan, raw bool) *tensor.Tensor

// openNetwork opens the network that the task trains.
func openNetwork(t *Training) (network, error) {
	if task, ok := t.Task.(*bne.Task); ok {
		m, err := task.NewModel()
		if err != nil {
			return nil, err
		}
		return &nameNetwork{m, task.Config.Seed}, nil
	}
	return openBERT(t.Base, t.Task.Describe().Config)
}
