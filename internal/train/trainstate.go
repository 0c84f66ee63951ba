//go:build torch

package train

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
)

// trainState holds what changes during training: a network and its optimizer. Master weights, gradients and moments are
// float32 on the CPU. The forward and backward passes are computed in dtype on the device, with weights cast once per
// step.
type trainState struct {
	*contrastive.Plan
	network  network
	adam     *adamW
	gradient []float32 // of the trained weights
	extra    *parameters
	dtype    tensor.DType
	scope    *tensor.Scope  // owns frozen
	frozen   *tensor.Tensor // the frozen weights in dtype; nil if there are none
	workers  int
}

func newTrainState(plan *contrastive.Plan, n network, dtype tensor.DType, device tensor.Device,
	workers int) (*trainState, error) {
	size := n.trained().Len()
	t := &trainState{
		Plan: plan, network: n, dtype: n.precision(dtype), workers: tensor.Workers(device, workers),
		adam: newAdamW(size), gradient: make([]float32, size),
		extra: newParameters(plan.Parameters), scope: tensor.NewScope(device),
	}
	if frozen := n.frozen(); frozen != nil {
		t.frozen = t.scope.ToDevice(t.scope.Cast(frozen, t.dtype))
	}
	return t, t.scope.Err()
}

const divergedHint = ": training diverged; try a lower learning_rate"

// step takes one step on the batch and returns its loss.
func (t *trainState) step(b *trainBatch, rate float64) (float64, error) {
	loss, err := t.forwardBackward(b)
	if err != nil {
		return 0, err
	}
	norm := math.Sqrt(dot.InOrder(t.gradient, t.gradient))
	if math.IsNaN(loss) || math.IsNaN(norm) || math.IsInf(norm, 0) {
		return 0, fmt.Errorf("loss is %v and its gradient has length %v%s", loss, norm, divergedHint)
	}
	scale := 1.0
	if t.Config.ClipNorm > 0 && norm > t.Config.ClipNorm {
		scale = t.Config.ClipNorm / norm
	}
	trained := t.network.trained()
	t.adam.step(trained.Values(), t.gradient, scale, rate, t.Config.WeightDecay, trained.Decayed(), t.workers)
	t.extra.step()
	return loss, nil
}

// forwardBackward computes the gradient of the batch and returns its loss.
//
// The batch is split into micro-batches of texts, and each worker computes its own with one thread: forward to the
// vectors, where the loss joins them, and backward from the gradient with respect to its vectors. The workers'
// gradients are added in a fixed order, so equal numbers of workers give equal bits. libtorch's own threads share each
// operation and spin until all are done with it: measured, 7 times slower while other programs use the cores.
func (t *trainState) forwardBackward(b *trainBatch) (loss float64, err error) {
	workers, vectors, err := t.forward(b.texts, b.spans, t.RawVectors, true)
	defer dropWorkers(workers)
	if err != nil {
		return 0, err
	}
	value, err := b.loss.Evaluate(contrastive.Vectors{
		Rows: contrastive.Convert[float64](vectors), Dim: t.network.dim(), Labels: b.labels,
		Parameters: contrastive.Convert[float64](t.extra.values),
	})
	if err != nil {
		return 0, fmt.Errorf("%w%s", err, divergedHint)
	}
	t.extra.gradient = contrastive.Convert[float32](value.Parameters)
	gradient := contrastive.Convert[float32](value.Rows)
	err = tensor.OnThreads(len(workers), true, func(i int) error {
		return workers[i].backward(gradient, t.network.dim())
	})
	if err != nil {
		return 0, err
	}
	clear(t.gradient)
	for _, w := range workers {
		add(t.gradient, w.gradient, t.workers)
	}
	return value.Loss, nil
}

// positionsByRow returns, for each row, the positions of its spans.
func positionsByRow(spans []bert.PooledSpan, rows int) [][]int {
	positions := make([][]int, rows)
	for i, span := range spans {
		positions[span.Row] = append(positions[span.Row], i)
	}
	return positions
}

// encode returns the vectors of the spans, in their order. It processes a chunk of texts at a time, so the network's
// memory does not grow with their number.
func (t *trainState) encode(ctx context.Context, of texts, spans []bert.PooledSpan) ([]float32, error) {
	spansOf := positionsByRow(spans, of.count())
	const chunk = 4096
	dim := t.network.dim()
	vectors := make([]float32, len(spans)*dim)
	for start := 0; start < of.count(); start += chunk {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		end := min(start+chunk, of.count())
		positions := slices.Concat(spansOf[start:end]...)
		part := make([]bert.PooledSpan, len(positions))
		for k, i := range positions {
			part[k] = bert.PooledSpan{Row: spans[i].Row - start, Tokens: spans[i].Tokens}
		}
		workers, computed, err := t.forward(of.slice(start, end), part, t.RawVectors, false)
		dropWorkers(workers)
		if err != nil {
			return nil, err
		}
		for k, i := range positions {
			copy(vectors[i*dim:], computed[k*dim:(k+1)*dim])
		}
	}
	return vectors, nil
}

// add adds x to sum, on the given number of goroutines.
func add(sum, x []float32, workers int) {
	parallel.Ranges(len(x), workers, func(start, end int) {
		sum, x := sum[start:end], x[start:end]
		for i, v := range x {
			sum[i] += v
		}
	})
}

// worker computes micro-batches forward and backward, on one thread.
type worker struct {
	*tensor.Scope
	weights  *tensor.Tensor // a leaf if gradients are computed
	raw      bool           // whether vectors are not scaled
	batches  []microBatch
	gradient []float32 // of the weights; in memory owned by the scope
}

// microBatch holds the vectors of the spans in some of a batch's texts.
type microBatch struct {
	spans   []int          // positions among the batch's spans
	vectors *tensor.Tensor // [len(spans), dim]
}

// microBatchesPerWorker is the minimum number of micro-batches for each worker, if the batch has enough texts: enough
// to keep workers from waiting long for each other.
const microBatchesPerWorker = 2

// balance assigns the micro-batches to the workers, largest first, each to the worker with the least work so far. Every
// worker of the result gets at least one.
func balance(batches [][]int, of texts, workers int) [][][]int {
	batches = slices.SortedStableFunc(slices.Values(batches), func(a, b []int) int {
		return cmp.Compare(of.cost(b), of.cost(a))
	})
	shares := make([][][]int, min(workers, len(batches)))
	load := make([]int, len(shares))
	for _, batch := range batches {
		least := slices.Index(load, slices.Min(load))
		shares[least] = append(shares[least], batch)
		load[least] += of.cost(batch)
	}
	return shares
}

// forward returns the vectors of the spans, raw or of unit length, in the order of the spans, and the workers that
// computed them, which the caller must drop.
func (t *trainState) forward(of texts, spans []bert.PooledSpan,
	raw, gradients bool) (workers []*worker, vectors []float32, err error) {
	spansOf := positionsByRow(spans, of.count())
	shares := balance(of.batches(microBatchesPerWorker*t.workers, t.scope.Device()), of, t.workers)
	shared := tensor.NewScope(t.scope.Device())
	defer shared.Drop()
	weights := shared.ToDevice(shared.Cast(t.network.trained().Tensor(), t.dtype))
	if shared.Err() != nil {
		return nil, nil, shared.Err()
	}
	workers = make([]*worker, len(shares))
	dim := t.network.dim()
	vectors = make([]float32, len(spans)*dim)
	err = tensor.OnThreads(len(workers), gradients, func(i int) error {
		w := &worker{Scope: tensor.NewScope(t.scope.Device()), weights: weights, raw: raw}
		workers[i] = w
		if gradients {
			w.weights = w.Leaf(weights)
		}
		compute := t.network.forward(w.Scope, t.dtype, t.frozen, w.weights)
		for _, batch := range shares[i] {
			w.forward(compute, of, spans, spansOf, batch)
		}
		for _, batch := range w.batches {
			values := w.Floats(batch.vectors)
			if w.Err() != nil {
				return w.Err()
			}
			for k, span := range batch.spans {
				copy(vectors[span*dim:], values[k*dim:(k+1)*dim])
			}
		}
		return w.Err()
	})
	return workers, vectors, err
}

// forward computes a micro-batch, given as positions among the texts.
func (w *worker) forward(compute forward, of texts, spans []bert.PooledSpan, spansOf [][]int, batch []int) {
	var pooled []bert.PooledSpan
	made := microBatch{}
	for row, position := range batch {
		for _, i := range spansOf[position] {
			pooled = append(pooled, bert.PooledSpan{Row: row, Tokens: spans[i].Tokens})
			made.spans = append(made.spans, i)
		}
	}
	if len(pooled) == 0 {
		return
	}
	inner := w.Inner()
	made.vectors = w.Leave(inner, compute(inner, of, batch, pooled, w.raw))
	w.batches = append(w.batches, made)
}

// backward computes the worker's gradient from the gradient of the loss with respect to the vectors of all spans: it is
// the gradient of sum(gradient * vectors).
func (w *worker) backward(gradient []float32, dim int) error {
	for _, batch := range w.batches {
		rows := make([]float32, 0, len(batch.spans)*dim)
		for _, span := range batch.spans {
			rows = append(rows, gradient[span*dim:(span+1)*dim]...)
		}
		w.Backward(w.Sum(w.Mul(batch.vectors, w.FromFloats(rows, int64(len(batch.spans)), int64(dim)))))
	}
	w.gradient = w.Floats(w.Gradient(w.weights))
	return w.Err()
}

func dropWorkers(workers []*worker) {
	for _, w := range workers {
		if w != nil {
			w.Drop()
		}
	}
}
