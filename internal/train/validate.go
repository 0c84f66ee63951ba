//go:build torch

package train

import (
	"fmt"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/text"
)

// validation measures a model on held-out exemplars: the Multi-Similarity loss on fixed batches, and the accuracy of
// the nearest neighbor. Both are the same for all tasks.
type validation struct {
	texts   texts
	spans   []bert.PooledSpan
	labels  []contrastive.Label
	batches [][]contrastive.BatchItem
	loss    contrastive.MultiSimilarity
}

// maxValidationBatches bounds the computation of the loss, which is done in Go.
const maxValidationBatches = 32

func newValidation(exemplars []text.Exemplar, c contrastive.Config, d *dataLoader) (*validation, error) {
	sampler, err := contrastive.NewSampler(exemplars, c.ConceptsPerBatch, c.Seed)
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

// measure returns the loss and the accuracy of the current weights.
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
			x = append(x, contrastive.Convert[float64](vectors[item.Exemplar*dim:(item.Exemplar+1)*dim])...)
			labels[i] = contrastive.Label{Concept: item.Concept, Concepts: v.labels[item.Exemplar].Concepts}
		}
		value, err := v.loss.Evaluate(contrastive.Vectors{Rows: x, Dim: dim, Labels: labels})
		if err != nil {
			return 0, 0, fmt.Errorf("%w%s", err, divergedHint)
		}
		loss += value.Loss / float64(len(v.batches))
	}
	return loss, nearestAccuracy(vectors, v.labels, dim), nil
}

// nearestAccuracy returns the accuracy of the nearest neighbor: among the rows that share their concept with another
// row, the share with a nearest other row that may have the same concept. Among equally near rows the first counts. The
// rows must have unit length.
func nearestAccuracy(vectors []float32, labels []contrastive.Label, dim int) float64 {
	pairs := contrastive.NewPairMasks(labels)
	n, correct, counted := len(labels), 0, 0
	sim := make([]float32, n*n)
	dot.Best().Multiply(sim, vectors, vectors, dim)
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
