package dilbert

import (
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/ctxnorm/ctxnorm/contrastive"
)

// tripletBatch is the triplet loss of anchors a, positives p and negatives n,
//
//	L = max(0, D(a, p) - D(a, n) + margin)
//
// (DILBERT, equation 3), with the Euclidean distance D, as the mean over the triplets of a batch. Rows 3i, 3i+1 and
// 3i+2 are an anchor, a positive and a negative. Rows after the triplets are ignored.
type tripletBatch struct {
	margin   float64
	triplets int
}

// Evaluate implements [contrastive.Loss].
func (t tripletBatch) Evaluate(v contrastive.Vectors) (contrastive.LossValue, error) {
	if 3*t.triplets > len(v.Labels) {
		return contrastive.LossValue{}, fmt.Errorf("loss: %d rows, want %d for %d triplets", len(v.Labels), 3*t.triplets, t.triplets)
	}
	value := contrastive.LossValue{Rows: make([]float64, len(v.Rows))}
	weight := 1 / float64(max(1, t.triplets))
	// add adds weight times the gradient of the distance of two rows. At equal vectors there is no gradient.
	add := func(i, j int, distance, weight float64) {
		if distance == 0 {
			return
		}
		x, y := v.Row(i), v.Row(j)
		for k := range x {
			g := weight * (x[k] - y[k]) / distance
			value.Rows[i*v.Dim+k] += g
			value.Rows[j*v.Dim+k] -= g
		}
	}
	for anchor := 0; anchor < 3*t.triplets; anchor += 3 {
		toPositive := floats.Distance(v.Row(anchor), v.Row(anchor+1), 2)
		toNegative := floats.Distance(v.Row(anchor), v.Row(anchor+2), 2)
		if excess := toPositive - toNegative + t.margin; excess > 0 {
			value.Loss += weight * excess
			add(anchor, anchor+1, toPositive, weight)
			add(anchor, anchor+2, toNegative, -weight)
		}
	}
	return value, nil
}
