//go:build torch

package bne

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/text"
)

// Encoder turns a mention, read without its sentence, into a vector of unit length. It implements text.Encoder and is
// safe for concurrent use.
type Encoder struct {
	model       *Model
	weights     *tensor.Scope // owns the network's tensors
	network     *Network
	cores       *parallel.Cores
	fingerprint string
}

// Open reads the encoder in a folder. It computes on a device, "cpu" or "cuda", with a number of CPU cores, 0 for all.
// The caller must call Close.
func Open(dir, deviceName string, workers int) (_ *Encoder, err error) {
	device, err := tensor.ParseDevice(deviceName)
	if err != nil {
		return nil, err
	}
	e := &Encoder{cores: parallel.NewCores(tensor.Workers(device, workers))}
	if e.fingerprint, err = fingerprint(dir); err != nil {
		return nil, err
	}
	if e.model, err = openModel(dir); err != nil {
		return nil, err
	}
	e.weights = tensor.NewScope(device)
	err = tensor.OnThread(false, func() error {
		e.network = e.model.Network(e.weights, e.weights.ToDevice(e.model.Trained.Tensor()))
		return e.weights.Err()
	})
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// Dim returns the length of a vector.
func (e *Encoder) Dim() int { return e.model.Dim() }

// Fingerprint returns the hash of the weights, the word vectors, the architecture and the version of the arithmetic.
// Vectors of encoders with equal fingerprints can be compared.
func (e *Encoder) Fingerprint() string { return e.fingerprint }

// Close frees the weights. No call of Encode may be in progress.
func (e *Encoder) Close() error {
	if e.network == nil && e.weights == nil {
		return nil
	}
	e.weights.Drop()
	e.model.Drop()
	e.network, e.weights = nil, nil
	return nil
}

// batchNames is the number of names encoded at once.
const batchNames = 64

// Encode writes the unit vector of each query to dst, which must have room for len(queries) rows of [Encoder.Dim]. It
// stops between batches if ctx is canceled.
func (e *Encoder) Encode(ctx context.Context, dst []float32, queries []text.Query) error {
	dim := e.Dim()
	if len(dst) != len(queries)*dim {
		return fmt.Errorf("name encoder: dst has room for %d numbers, want %d for %d queries of %d", len(dst),
			len(queries)*dim, len(queries), dim)
	}
	names := make([]Input, len(queries))
	order := make([]int, len(queries))
	for i := range queries {
		names[i], order[i] = e.model.Read(queries[i].Surface()), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(names[a].Words), len(names[b].Words)) })
	batches := slices.Collect(slices.Chunk(order, batchNames))
	err := e.cores.Each(ctx, len(batches), func(i int) error { return e.encodeBatch(dst, names, batches[i]) })
	if err != nil {
		return fmt.Errorf("name encoder: %w", err)
	}
	return nil
}

// encodeBatch computes the vectors of the names at these positions.
func (e *Encoder) encodeBatch(dst []float32, names []Input, batch []int) error {
	read := make([]Input, len(batch))
	for i, position := range batch {
		read[i] = names[position]
	}
	var vectors []float32
	err := tensor.Compute(e.weights.Device(), false, func(s *tensor.Scope) {
		vectors = slices.Clone(s.Floats(s.NormalizeRows(e.network.Encode(s, read))))
	})
	if err != nil {
		return err
	}
	dim := e.Dim()
	for i, position := range batch {
		copy(dst[position*dim:], vectors[i*dim:(i+1)*dim])
	}
	return bert.CheckUnit(vectors, dim)
}
