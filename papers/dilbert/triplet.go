package dilbert

import (
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/ctxnorm/ctxnorm/contrastive"
)

// Distance is a distance of two vectors: "euclidean" or "cosine".
type Distance string

const (
	euclidean      Distance = "euclidean"
	cosineDistance Distance = "cosine" // 1 - cosine
)

// Triplet is the triplet loss of an anchor a, a positive p and a negative n,
//
//	L = max(0, D(a, p) - D(a, n) + margin)
//
// (DILBERT, equation 3), as the mean over the triplets of a batch.
type Triplet struct {
	Distance Distance `json:"distance"`
	// Margin is the distance by which the negative has to be farther from the anchor than
	// the positive, above 0.
	Margin float64 `json:"margin"`
}

// tripletBatch is the loss of a batch whose rows 3i, 3i+1 and 3i+2 are an anchor, a positive and a
// negative. Rows after those of Triplets have no part in it.
type tripletBatch struct {
	Triplet
	Triplets int
}

// Evaluate implements [contrastive.Loss].
func (t tripletBatch) Evaluate(v contrastive.Vectors) (contrastive.LossValue, error) {
	if 3*t.Triplets > len(v.Labels) {
		return contrastive.LossValue{}, fmt.Errorf("loss: %d rows, want %d for %d triplets", len(v.Labels),
			3*t.Triplets, t.Triplets)
	}
	value := contrastive.LossValue{Rows: make([]float64, len(v.Rows))}
	weight := 1 / float64(max(1, t.Triplets))
	gradient := func(i int) []float64 { return value.Rows[i*v.Dim : (i+1)*v.Dim] }
	for anchor := 0; anchor < 3*t.Triplets; anchor += 3 {
		positive, negative := anchor+1, anchor+2
		excess := t.Distance.of(v.Row(anchor), v.Row(positive)) - t.Distance.of(v.Row(anchor),
			v.Row(negative)) + t.Margin
		if excess <= 0 {
			continue
		}
		value.Loss += weight * excess
		t.Distance.addGradient(v.Row(anchor), v.Row(positive), weight, gradient(anchor), gradient(positive))
		t.Distance.addGradient(v.Row(anchor), v.Row(negative), -weight, gradient(anchor), gradient(negative))
	}
	return value, nil
}

// of returns the distance of x and y. That of a vector of length 0 by its cosine is 1.
func (d Distance) of(x, y []float64) float64 {
	if d == euclidean {
		return floats.Distance(x, y, 2)
	}
	norms := floats.Norm(x, 2) * floats.Norm(y, 2)
	if norms == 0 {
		return 1
	}
	return 1 - floats.Dot(x, y)/norms
}

// addGradient adds weight times the gradient of the distance to those of x and y. Where the distance
// has none, at equal vectors or at length 0, it adds nothing.
func (d Distance) addGradient(x, y []float64, weight float64, ofX, ofY []float64) {
	if d == euclidean {
		distance := d.of(x, y)
		if distance == 0 {
			return
		}
		for k := range x {
			g := weight * (x[k] - y[k]) / distance
			ofX[k] += g
			ofY[k] -= g
		}
		return
	}
	normX, normY := floats.Norm(x, 2), floats.Norm(y, 2)
	if normX == 0 || normY == 0 {
		return
	}
	// d(1 - cos)/dx = -(y/|y| - cos x/|x|) / |x|
	cos := 1 - d.of(x, y)
	for k := range x {
		unitX, unitY := x[k]/normX, y[k]/normY
		ofX[k] -= weight * (unitY - cos*unitX) / normX
		ofY[k] -= weight * (unitX - cos*unitY) / normY
	}
}
