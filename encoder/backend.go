package encoder

import (
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/bert/infer"
	"github.com/ctxnorm/ctxnorm/internal/bert/kernels"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// backend computes a network with fixed weights. It is safe for concurrent use.
type backend interface {
	// Batches cuts inputs into batches for the workers, and returns the positions of each batch's inputs.
	Batches(inputs []tokenizer.Input, workers int) [][]int
	// Vectors returns a vector of unit length for each span of a batch, row-major.
	Vectors(inputs []*tokenizer.Input, spans []bert.PooledSpan) ([]float32, error)
	Close() error
}

// Check returns an error if this build or this machine cannot compute as o asks.
func (o Options) Check() error {
	_, err := parseBackend(o)
	return err
}

// computation is how an encoder computes.
type computation struct {
	workers int
	// open sets the backend of e, whose tokenizer is open.
	open func(e *Encoder, dir string) (*bert.Config, error)
}

// inGo computes in Go, in the arithmetic of a set, with the given workers.
func inGo(set *kernels.Set, workers int) computation {
	return computation{workers, func(e *Encoder, dir string) (*bert.Config, error) {
		c, err := bert.ReadCheckpoint(dir, e.tokenizer, untrainedSeed)
		if err != nil {
			return nil, err
		}
		e.backend = infer.New(c, set)
		return c.Config, nil
	}}
}
