//go:build torch

package train

import (
	"fmt"
	"slices"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/text"
)

// validation measures a model on held-out exemplars: the Multi-Similarity loss on fixed
// batches, and the accuracy of the nearest neighbor. Both are the same for all tasks.
type validation struct {
	texts   texts
	spans   []bert.PooledSpan
	labels  []contrastive.Label
	batches [][]contrastive.BatchItem
	loss    contrastive.MultiSimilarity
}

// maxValidationBatches bounds the arithmetic of the loss, which is done in Go.
const maxValidationBatches = 32

func newValidation(exemplars []text.Exemplar, c contrastive.Config, d *dataLoader) (*validation, error) {
	sampler, err := contrastive.NewSampler(contrastive.Examples(exemplars), c.ConceptsPerBatch, c.Seed)
	if err != nil {
		return nil, fmt.Errorf("validation: %w", err)
	}
	v := &validation{loss: c.NameLoss}
	queries := make([]*text.Query, len(exemplars))
	for i := range exemplars {
		queries[i] = &exemplars[i].Query
		v.labels = append(v.labels, contrastive.LabelOf(exemplars[i].Mention.Concepts))
		if !exemplars[i].Bare {
			v.loss = c.ContextLoss
		}
	}
	if v.texts, v.spans, err = d.distinctTexts(queries); err != nil {
		return nil, fmt.Errorf("validation: %w", err)
	}
	count := min(maxValidationBatches, sampler.Concepts()/sampler.ConceptsPerBatch())
	for i := range count {
		v.batches = append(v.batches, sampler.Batch(i))
	}
	return v, nil
}

// measure returns the loss and the accuracy of the present weights.
func (v *validation) measure(t *trainState) (loss, accuracy float64, err error) {
	workers, vectors, err := t.forward(v.texts, v.spans, false, false)
	dropWorkers(workers)
	if err != nil {
		return 0, 0, err
	}
	dim := t.network.dim()
	for _, batch := range v.batches {
		var x []float64
		labels := make([]contrastive.Label, len(batch))
		for i, item := range batch {
			x = append(x, contrastive.Convert[float64](vectors[item.Example*dim:(item.Example+1)*dim])...)
			labels[i] = contrastive.Label{Concept: item.Concept, Concepts: v.labels[item.Example].Concepts}
		}
		batchLoss, _, err := v.loss.LossOfVectors(x, dim, contrastive.NewPairMasks(labels))
		if err != nil {
			return 0, 0, err
		}
		loss += batchLoss / float64(len(v.batches))
	}
	sim, err := cosines(vectors, len(v.spans), dim)
	if err != nil {
		return 0, 0, err
	}
	return loss, nearestAccuracy(sim, v.labels), nil
}

// nearestAccuracy returns the share of rows whose nearest other row may have their
// concept, among the rows for which there is a row of their concept. Of equally near
// rows the first counts. sim holds the cosines, [n, n].
func nearestAccuracy(sim []float32, labels []contrastive.Label) float64 {
	pairs := contrastive.NewPairMasks(labels)
	n, correct, counted := len(labels), 0, 0
	for i := range n {
		hasPositive, nearest := false, -1
		for j := range n {
			if i == j {
				continue
			}
			ij := i*n + j
			hasPositive = hasPositive || pairs.Positive[ij]
			if nearest < 0 || sim[ij] > sim[nearest] {
				nearest = ij
			}
		}
		if hasPositive {
			counted++
			if !pairs.Negative[nearest] {
				correct++
			}
		}
	}
	if counted == 0 {
		return 0
	}
	return float64(correct) / float64(counted)
}

// cosines returns the products of n unit vectors with each other, [n, n].
func cosines(vectors []float32, n, dim int) ([]float32, error) {
	var sim []float32
	err := tensor.Compute(false, func(s *tensor.Scope) {
		x := s.FromFloats(vectors, int64(n), int64(dim))
		sim = slices.Clone(s.Floats(s.Matmul(x, s.Transpose(x, 0, 1))))
	})
	return sim, err
}
