//go:build torch

package torch

import (
	"fmt"
	"math"

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
	config      contrastive.Config
	model       *model
	adam        *adamW
	gradient    []float32
	dtype       gotch.DType
	fixed       *scope // owns frozen
	frozen      *ts.Tensor
	batchTokens int
	threads     int
}

func newLearner(c contrastive.Config, m *model, dtype gotch.DType, device gotch.Device, threads int) (*learner, error) {
	l := &learner{
		config: c, model: m, dtype: dtype, threads: threads,
		adam: newAdamW(m.trained.size), gradient: make([]float32, m.trained.size),
		fixed: newScope(device), batchTokens: defaultBatchTokens(device),
	}
	if m.frozen.size > 0 {
		l.frozen = l.fixed.to(l.fixed.cast(m.frozen.values, dtype))
	}
	return l, l.fixed.err
}

func (l *learner) drop() {
	l.fixed.drop()
}

// step takes one step on the batch and gives its loss. It runs inside
// [onThread], with gradients.
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
	l.adam.step(values, l.gradient, scale, rate, l.config.WeightDecay, l.model.trained.decay, l.threads)
	return loss, nil
}

// differentiate fills gradient and gives the loss.
func (l *learner) differentiate(b *examples) (float64, error) {
	s := newScope(l.fixed.device)
	defer s.drop()
	weights := s.leaf(s.to(s.cast(l.model.trained.values, l.dtype)))
	vectors, order := l.forward(s, weights, b.inputs, b.slots)
	labels := make([]contrastive.Label, len(order))
	for i, slot := range order {
		labels[i] = b.labels[slot]
	}
	settings := l.config.Context
	if b.names {
		settings = l.config.Names
	}
	loss := multiSimilarity(s, vectors, contrastive.NewPairs(labels), settings)
	if s.err != nil {
		return 0, s.err
	}
	if err := loss.Backward(); err != nil {
		return 0, trim(err)
	}
	s.floats(l.gradient, s.do(func() (*ts.Tensor, error) { return weights.Grad(false) }))
	value := make([]float32, 1)
	s.floats(value, loss)
	return float64(value[0]), s.err
}

// forward gives the vectors of the slots, [slots, hidden], and for each row the
// slot it is of. Sentences of like length are computed together, which keeps
// both padding and memory low.
func (l *learner) forward(s *scope, weights *ts.Tensor, inputs []tokenizer.Input, slots []slot) (vectors *ts.Tensor, order []int) {
	byRow := make([][]int, len(inputs))
	for i, slot := range slots {
		byRow[slot.row] = append(byRow[slot.row], i)
	}
	b := l.model.bert(s, l.dtype, l.frozen, weights)
	var parts []*ts.Tensor
	for _, positions := range pack(inputs, l.batchTokens) {
		rows := make([]*tokenizer.Input, len(positions))
		var here []slot
		for row, p := range positions {
			rows[row] = &inputs[p]
			for _, i := range byRow[p] {
				here = append(here, slot{row, slots[i].span})
				order = append(order, i)
			}
		}
		if len(here) == 0 {
			continue
		}
		in := newBatch(rows, l.model.config.PadID, l.model.markers)
		parts = append(parts, pool(s, b.forward(s, in), in, here, l.config.Pooling, l.model.config.Hidden))
	}
	return s.cat(parts, 0), order
}
