//go:build torch

package torch

import (
	"errors"
	"fmt"
	"slices"

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
		v.inputs = append(v.inputs, *in)
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

// measure gives the loss and the share that the learner's model has now.
func (v *validation) measure(l *learner) (loss, accuracy float64, err error) {
	passes, vectors, err := l.forward(v.inputs, v.slots, false)
	if err := errors.Join(err, dropPasses(passes)); err != nil {
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
	var sim []float32
	err := onThread(false, func() error {
		s := newScope(gotch.CPU)
		defer s.drop()
		x := s.fromFloats(vectors, int64(n), int64(dim))
		sim = slices.Clone(s.view(s.matmul(x, s.transpose(x, 0, 1))))
		return s.err
	})
	return sim, err
}
