//go:build torch

package torch

import (
	"fmt"

	"github.com/sugarme/gotch"

	"ctxnorm"
	"ctxnorm/contrastive"
	"ctxnorm/tokenizer"
)

// validation measures a model on held-out exemplars: the loss on fixed batches,
// and the share of exemplars whose nearest other one is of their concept.
type validation struct {
	inputs  []tokenizer.Input
	slots   []slot
	labels  []contrastive.Label
	batches [][]contrastive.Draw
	loss    contrastive.MultiSimilarity
}

// maxValidationBatches bounds the arithmetic of the loss, which is done in Go.
const maxValidationBatches = 32

func newValidation(exemplars []ctxnorm.Exemplar, d *drawer) (*validation, error) {
	c, err := newCollection(exemplars, d.config)
	if err != nil {
		return nil, fmt.Errorf("validation: %w", err)
	}
	v := &validation{loss: d.config.Names}
	for i := range exemplars {
		in, err := d.input(c, i)
		if err != nil {
			return nil, fmt.Errorf("validation: %w", err)
		}
		v.inputs = append(v.inputs, in)
		v.slots = append(v.slots, slot{i, in.Query})
		v.labels = append(v.labels, contrastive.LabelOf(exemplars[i].Mention.Concepts))
		if !exemplars[i].Bare {
			v.loss = d.config.Context
		}
	}
	count := min(maxValidationBatches, c.sampler.Concepts()/c.sampler.Pairs())
	for i := range count {
		v.batches = append(v.batches, c.sampler.Batch(i))
	}
	return v, nil
}

// measure runs inside [onThread], without gradients.
func (v *validation) measure(l *learner) (loss, accuracy float64, err error) {
	vectors, err := l.encode(v.inputs, v.slots)
	if err != nil {
		return 0, 0, err
	}
	dim := int(l.model.config.Hidden)
	for _, batch := range v.batches {
		x := make([]float64, 0, len(batch)*dim)
		labels := make([]contrastive.Label, len(batch))
		for i, draw := range batch {
			for _, value := range vectors[draw.Item*dim : (draw.Item+1)*dim] {
				x = append(x, float64(value))
			}
			labels[i] = contrastive.Label{Concept: draw.Concept, Concepts: v.labels[draw.Item].Concepts}
		}
		one, _, err := v.loss.LossOfVectors(x, dim, contrastive.NewPairs(labels))
		if err != nil {
			return 0, 0, err
		}
		loss += one / float64(len(v.batches))
	}
	sim, err := cosines(vectors, len(v.slots), dim)
	if err != nil {
		return 0, 0, err
	}
	return loss, nearestAccuracy(sim, v.labels), nil
}

// nearestAccuracy is the share of rows whose nearest other row may be of their
// concept, among the rows that have such another; ties go to the first. sim
// holds the cosines, n*n.
func nearestAccuracy(sim []float32, labels []contrastive.Label) float64 {
	pairs := contrastive.NewPairs(labels)
	n, right, counted := len(labels), 0, 0
	for i := range n {
		related, nearest := false, -1
		for j := range n {
			if i == j {
				continue
			}
			ij := i*n + j
			related = related || pairs.Positive[ij]
			if nearest < 0 || sim[ij] > sim[nearest] {
				nearest = ij
			}
		}
		if related {
			counted++
			if !pairs.Negative[nearest] {
				right++
			}
		}
	}
	if counted == 0 {
		return 0
	}
	return float64(right) / float64(counted)
}

// cosines gives the n*n products of unit vectors with each other.
func cosines(vectors []float32, n, dim int) ([]float32, error) {
	s := newScope(gotch.CPU)
	defer s.drop()
	x := s.fromFloats(vectors, int64(n), int64(dim))
	sim := make([]float32, n*n)
	s.floats(sim, s.matmul(x, s.transpose(x, 0, 1)))
	return sim, s.err
}

// encode gives the vectors of the slots, in their order.
func (l *learner) encode(inputs []tokenizer.Input, slots []slot) ([]float32, error) {
	dim := int(l.model.config.Hidden)
	vectors := make([]float32, len(slots)*dim)
	s := newScope(l.fixed.device)
	defer s.drop()
	weights := s.to(s.cast(l.model.trained.values, l.dtype))
	made, order := l.forward(s, weights, inputs, slots)
	rows := make([]float32, len(vectors))
	s.floats(rows, made)
	for i, slot := range order {
		copy(vectors[slot*dim:(slot+1)*dim], rows[i*dim:(i+1)*dim])
	}
	return vectors, s.err
}
