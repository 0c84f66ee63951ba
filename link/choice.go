package link

import (
	"math"
	"slices"
)

// listwiseExample is a query whose right concept is among its candidates.
type listwiseExample struct {
	candidates []features
	right      []bool
	cvFold     int // of its query
}

// newListwiseExample reports false where no candidate is right, or all are.
func newListwiseExample(proposals []rawCandidate, right []int32) (listwiseExample, bool) {
	var c listwiseExample
	n := 0
	for i := range proposals {
		c.candidates = append(c.candidates, proposals[i].features)
		is := slices.Contains(right, proposals[i].concept)
		c.right = append(c.right, is)
		if is {
			n++
		}
	}
	return c, n > 0 && n < len(proposals)
}

// top1Correct reports whether the weights rank a right candidate first.
func (c *listwiseExample) top1Correct(w *Weights) bool {
	best := 0
	for i := range c.candidates {
		if w.score(&c.candidates[i]) > w.score(&c.candidates[best]) {
			best = i
		}
	}
	return c.right[best]
}

// loss adds to gradient the gradient of the negative log likelihood of the right
// candidates, and gives that likelihood.
func (c *listwiseExample) loss(w *Weights, gradient *Weights) float64 {
	scores := make([]float64, len(c.candidates))
	for i := range scores {
		scores[i] = w.score(&c.candidates[i])
	}
	p := softmax(scores)
	mass := 0.0
	for i := range p {
		if c.right[i] {
			mass += p[i]
		}
	}
	for i := range p {
		pull := p[i]
		if c.right[i] {
			pull -= p[i] / max(mass, math.SmallestNonzeroFloat64)
		}
		for j, x := range c.candidates[i] {
			gradient[j] += pull * x
		}
	}
	return -math.Log(max(mass, math.SmallestNonzeroFloat64))
}
