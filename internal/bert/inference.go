//go:build torch

package bert

import (
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// Inference computes vectors by libtorch with fixed weights, which are copied to the device once, in the type of the
// products. It is safe for concurrent use and must be closed.
type Inference struct {
	model   *Model
	weights *tensor.Scope // owns the network's tensors
	network *Network
}

// NewInference prepares the weights of m. It takes ownership of m, even if it returns an error.
func NewInference(m *Model, dtype tensor.DType, device tensor.Device) (*Inference, error) {
	s := tensor.NewScope(device)
	inf := &Inference{model: m, weights: s}
	err := tensor.OnThread(false, func() error {
		trained := s.ToDevice(s.Cast(m.Trained.Tensor(), dtype))
		inf.network = m.Network(s, dtype, m.Frozen.Tensor(), trained)
		if s.Err() == nil && trained != m.Trained.Tensor() {
			m.Drop() // only the copy is needed
		}
		return s.Err()
	})
	if err != nil {
		inf.Close()
		return nil, err
	}
	return inf, nil
}

// Batches splits the inputs into batches for the workers and returns the positions of each batch's inputs.
func (inf *Inference) Batches(inputs []tokenizer.Input, workers int) [][]int {
	return PaddedBatches(inputs, workers, inf.weights.Device())
}

// Vectors returns a unit vector for each span of a batch, row-major: see [Network.Vectors].
func (inf *Inference) Vectors(inputs []*tokenizer.Input, spans []PooledSpan) (vectors []float32, err error) {
	err = tensor.Compute(inf.weights.Device(), false, func(s *tensor.Scope) {
		vectors = slices.Clone(s.Floats(inf.network.Vectors(s, inputs, spans)))
	})
	if err != nil {
		return nil, err
	}
	return vectors, CheckUnit(vectors, int(inf.network.config.Hidden))
}

// Close frees the weights. No call of Vectors may be in progress.
func (inf *Inference) Close() error {
	inf.weights.Drop()
	inf.model.Drop()
	return nil
}
