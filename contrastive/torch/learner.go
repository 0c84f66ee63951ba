//go:build torch

package torch

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"

	"ctxnorm/contrastive"
	"ctxnorm/tokenizer"
)

// learner is a model, its optimizer and the steps taken: what training changes.
// Master weights, gradients and moments are float32 on the CPU; the forward and
// backward passes are computed in dtype on the device, with weights cast once a
// step.
type learner struct {
	config   contrastive.Config
	model    *model
	adam     *adamW
	gradient []float32
	dtype    gotch.DType
	fixed    *scope     // owns frozen
	frozen   *ts.Tensor // the model's, cast; nil where nothing is frozen
	workers  int
}

func newLearner(c contrastive.Config, m *model, dtype gotch.DType, device gotch.Device, workers int) (*learner, error) {
	l := &learner{
		config: c, model: m, dtype: dtype, workers: workersOn(device, workers),
		adam: newAdamW(m.trained.size), gradient: make([]float32, m.trained.size),
		fixed: newScope(device),
	}
	if m.frozen.size > 0 {
		l.frozen = l.fixed.to(l.fixed.cast(m.frozen.values, dtype))
	}
	return l, l.fixed.err
}

func (l *learner) drop() error {
	l.fixed.drop()
	return errors.Join(l.fixed.err, l.model.drop())
}

// step takes one step on the batch and gives its loss.
func (l *learner) step(b *examples, rate float64) (float64, error) {
	loss, err := l.differentiate(b)
	if err != nil {
		return 0, err
	}
	length := norm2(l.gradient)
	if math.IsNaN(loss) || math.IsNaN(length) || math.IsInf(length, 0) {
		return 0, fmt.Errorf("loss is %v and its gradient has length %v: training diverged; try a lower learning_rate", loss, length)
	}
	scale := 1.0
	if l.config.ClipNorm > 0 && length > l.config.ClipNorm {
		scale = l.config.ClipNorm / length
	}
	values, err := l.model.trained.memory()
	if err != nil {
		return 0, err
	}
	l.adam.step(values, l.gradient, scale, rate, l.config.WeightDecay, l.model.trained.decay, l.workers)
	return loss, nil
}

// differentiate fills gradient and gives the loss.
//
// The batch is cut into groups of sentences, and each core computes its groups
// with one thread: forward to the vectors, where the loss joins them, and
// backward from the gradient with respect to its vectors. The gradients of the
// groups are added in one order, so equal numbers of workers give equal bits.
// libtorch's own threads share each operation and wait for each other after it,
// spinning: measured, 7 times slower where other programs use the cores.
func (l *learner) differentiate(b *examples) (loss float64, err error) {
	passes, vectors, err := l.forward(b.inputs, b.slots, true)
	defer func() { err = errors.Join(err, dropPasses(passes)) }()
	if err != nil {
		return 0, err
	}
	settings := l.config.Context
	if b.names {
		settings = l.config.Names
	}
	loss, slope, err := lossAndSlope(vectors, contrastive.NewPairs(b.labels), settings)
	if err != nil {
		return 0, err
	}
	err = onThreads(len(passes), true, func(i int) error { return passes[i].backward(slope, int(l.model.config.Hidden)) })
	if err != nil {
		return 0, err
	}
	clear(l.gradient)
	for _, p := range passes {
		add(l.gradient, p.gradient, l.workers)
	}
	return loss, nil
}

// add adds x to sum, on so many goroutines.
func add(sum, x []float32, workers int) {
	var wait sync.WaitGroup
	chunk := (len(x) + workers - 1) / workers
	for start := 0; start < len(x); start += chunk {
		end := min(start+chunk, len(x))
		wait.Go(func() {
			sum, x := sum[start:end], x[start:end]
			for i, v := range x {
				sum[i] += v
			}
		})
	}
	wait.Wait()
}

// lossAndSlope is the loss of unit vectors and its gradient with respect to
// them, row-major as they are.
func lossAndSlope(vectors []float32, pairs contrastive.Pairs, settings contrastive.MultiSimilarity) (loss float64, slope []float32, err error) {
	err = onThread(true, func() error {
		s := newScope(gotch.CPU)
		defer s.drop()
		leaf := s.leaf(s.fromFloats(vectors, int64(pairs.N), int64(len(vectors)/pairs.N)))
		total := multiSimilarity(s, leaf, pairs, settings)
		s.backward(total)
		slope = slices.Clone(s.view(s.gradientOf(leaf)))
		if value := s.view(total); s.err == nil {
			loss = float64(value[0])
		}
		return s.err
	})
	return loss, slope, err
}

// pass is what one worker computes of a batch.
type pass struct {
	*scope
	weights  *ts.Tensor // the leaf that gradients are taken of
	parts    []part
	gradient []float32 // of weights, after backward; in libtorch's memory
}

// part is a group of sentences that are computed together.
type part struct {
	slots   []int      // positions among the batch's
	vectors *ts.Tensor // [len(slots), hidden], unit
}

// groupsPerWorker is how many groups each worker gets at least, where the batch has
// the tokens for it: so many that none waits long for another.
const groupsPerWorker = 2

// dealGroups gives each group to the worker with the least to compute, the largest
// group first: lists of groups, none of them empty.
func dealGroups(groups [][]int, inputs []tokenizer.Input, workers int) [][][]int {
	size := func(group []int) int {
		return shapeRows(len(group)) * shapeWidth(len(inputs[group[0]].IDs)) // the first is the longest
	}
	groups = slices.SortedStableFunc(slices.Values(groups), func(a, b []int) int { return cmp.Compare(size(b), size(a)) })
	shares := make([][][]int, min(workers, len(groups)))
	load := make([]int, len(shares))
	for _, group := range groups {
		least := slices.Index(load, slices.Min(load))
		shares[least] = append(shares[least], group)
		load[least] += size(group)
	}
	return shares
}

// forward gives the unit vectors of the slots, in their order, and the passes
// that made them, which are the caller's to drop.
func (l *learner) forward(inputs []tokenizer.Input, slots []slot, gradients bool) (passes []*pass, vectors []float32, err error) {
	slotsOf := make([][]int, len(inputs))
	for i, slot := range slots {
		slotsOf[slot.row] = append(slotsOf[slot.row], i)
	}
	shares := dealGroups(packFor(inputs, groupsPerWorker*l.workers, l.fixed.device), inputs, l.workers)
	shared := newScope(l.fixed.device)
	defer shared.drop()
	weights := shared.to(shared.cast(l.model.trained.values, l.dtype))
	if shared.err != nil {
		return nil, nil, shared.err
	}
	passes = make([]*pass, len(shares))
	dim := int(l.model.config.Hidden)
	vectors = make([]float32, len(slots)*dim)
	err = onThreads(len(passes), gradients, func(w int) error {
		p := &pass{scope: newScope(l.fixed.device), weights: weights}
		passes[w] = p
		if gradients {
			p.weights = p.leaf(weights)
		}
		b := l.model.bert(p.scope, l.dtype, l.frozen, p.weights)
		for _, group := range shares[w] {
			p.compute(l, b, inputs, slots, slotsOf, group)
		}
		for _, part := range p.parts {
			for i, row := range rowsOf(p.view(part.vectors), dim) {
				slot := part.slots[i]
				copy(vectors[slot*dim:], row)
			}
		}
		return p.err
	})
	return passes, vectors, err
}

// compute adds the part of a group: positions among the inputs.
func (p *pass) compute(l *learner, b *bert, inputs []tokenizer.Input, slots []slot, slotsOf [][]int, group []int) {
	rows := make([]*tokenizer.Input, len(group))
	var here []slot
	made := part{}
	for row, position := range group {
		rows[row] = &inputs[position]
		for _, i := range slotsOf[position] {
			here = append(here, slot{row, pooledSpan(slots[i].span, l.config.Pooling)})
			made.slots = append(made.slots, i)
		}
	}
	if len(here) == 0 {
		return
	}
	in := newBatch(rows, l.model.config.PadID, l.model.markers, l.model.config.Positions)
	inner := p.inner()
	made.vectors = p.leave(inner, b.vectors(inner, in, here))
	p.parts = append(p.parts, made)
}

// backward takes the gradient of sum(slope * vectors), which is that of the loss.
func (p *pass) backward(slope []float32, dim int) error {
	for _, part := range p.parts {
		rows := make([]float32, 0, len(part.slots)*dim)
		for _, slot := range part.slots {
			rows = append(rows, slope[slot*dim:(slot+1)*dim]...)
		}
		p.scope.backward(p.sum(p.mul(part.vectors, p.fromFloats(rows, int64(len(part.slots)), int64(dim)))))
	}
	p.gradient = p.view(p.gradientOf(p.weights))
	return p.err
}

func dropPasses(passes []*pass) error {
	var err error
	for _, p := range passes {
		if p != nil {
			p.err = nil
			p.drop()
			err = errors.Join(err, p.err)
		}
	}
	return err
}
