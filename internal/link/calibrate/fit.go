package calibrate

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/link"
)

// listwiseExample is a training query whose right answer is among its candidates. For ranking the answer is a gold
// concept or NIL, for senses it is the sense that the document defines.
type listwiseExample struct {
	candidates [][]float64 // features of the concepts or senses and, last, of NIL or an unknown sense
	gold       []bool      // by candidate
	weight     float64     // factor of its log-likelihood in the objective
}

// best returns the index of the candidate with the highest score, or the first of several.
func best(candidates [][]float64, w []float64) int {
	best := 0
	for i := range candidates {
		if dot.InOrder(w, candidates[i]) > dot.InOrder(w, candidates[best]) {
			best = i
		}
	}
	return best
}

// loss returns the negative log-likelihood of the gold candidates under the softmax of the scores, multiplied by the
// weight of the example. It adds the gradient of this loss to gradient.
func (e listwiseExample) loss(w, gradient []float64) float64 {
	scores := make([]float64, len(e.candidates))
	for i := range scores {
		scores[i] = dot.InOrder(w, e.candidates[i])
	}
	p := link.Softmax(scores)
	pGold := 0.0
	for i := range p {
		if e.gold[i] {
			pGold += p[i]
		}
	}
	pGold = max(pGold, math.SmallestNonzeroFloat64)
	for i := range p {
		dScore := p[i] // derivative of the loss by the score of candidate i
		if e.gold[i] {
			dScore -= p[i] / pGold
		}
		for j, x := range e.candidates[i] {
			gradient[j] += e.weight * dScore * x
		}
	}
	return -e.weight * math.Log(pGold)
}

// logisticExample is a training example of a logistic regression.
type logisticExample struct {
	x         []float64
	y, weight float64 // y is 0 or 1; weight multiplies its log-likelihood
}

func (e logisticExample) loss(w, gradient []float64) float64 {
	const least = 1e-12
	p := min(max(dot.Sigmoid(dot.InOrder(w, e.x)), least), 1-least)
	for j := range w {
		gradient[j] += e.weight * (p - e.y) * e.x[j]
	}
	return -e.weight * (e.y*math.Log(p) + (1-e.y)*math.Log(1-p))
}

// Precisions (inverse variances) of the Gaussian prior on each weight. A few queries hardly move the weights of a
// softmax away from the prior; a thousand determine them.
const (
	priorPrecision    = 10
	logisticPrecision = 1
)

// gradientThreshold is the largest element of the gradient, per example, at which the fit counts as converged. Rounding
// errors grow with the number of examples: from about 10,000 examples on, they exceed smaller gradients.
const gradientThreshold = 1e-7

// maximizePosterior returns the weights that maximize the log-likelihood of the examples minus precision/2 * |weights -
// prior|^2. This is the mode of the posterior under a Gaussian prior, found by L-BFGS. The method loss of an example
// returns its negative log-likelihood and adds the gradient. Weights marked in keep, which may be nil, stay as in the
// prior. With one gold candidate in each example the objective is concave, so the starting point does not matter.
func maximizePosterior[E interface {
	loss(w, gradient []float64) float64
}](examples []E, prior []float64, precision float64, keep []bool) ([]float64, error) {
	evaluate := func(w, gradient []float64) float64 {
		clear(gradient)
		sum := 0.0
		for i := range examples {
			sum += examples[i].loss(w, gradient)
		}
		for j := range w {
			off := w[j] - prior[j]
			gradient[j] += precision * off
			sum += precision / 2. * off * off
			if keep != nil && keep[j] {
				gradient[j] = 0
			}
		}
		return sum
	}
	problem := optimize.Problem{
		Func: func(w []float64) float64 { return evaluate(w, make([]float64, len(w))) },
		Grad: func(gradient, w []float64) { evaluate(w, gradient) },
	}
	settings := &optimize.Settings{GradientThreshold: gradientThreshold * max(1, float64(len(examples)))}
	result, err := optimize.Minimize(problem, prior, settings, &optimize.LBFGS{})
	if err != nil {
		return nil, err
	}
	return result.X, nil
}

// fitWeights learns the weights in two steps. First it learns the weights of the concepts' features, which rank the
// gold concepts of answered above the others, without NIL. Then it learns the weights of NIL, with the others fixed,
// from all examples. So the NIL examples do not change the order of the concepts. Learning all weights at once gave the
// same likelihood and no better order, and so did mentions with typing errors among the examples.
func fitWeights(set *exampleSet, prior []float64) ([]float64, error) {
	concepts := slices.Clone(set.answered)
	for i := range concepts {
		e := &concepts[i]
		last := len(e.candidates) - 1
		e.candidates, e.gold = e.candidates[:last], e.gold[:last]
	}
	ofConcepts, ofNIL := make([]bool, len(prior)), make([]bool, len(prior))
	for i := range prior {
		ofConcepts[i], ofNIL[i] = i < link.ConceptFeatures, i >= link.ConceptFeatures
	}
	w, err := maximizePosterior(concepts, prior, priorPrecision, ofNIL)
	if err == nil {
		all := slices.Concat(set.answered, set.nils)
		w, err = maximizePosterior(all, w, priorPrecision, ofConcepts)
	}
	if err != nil {
		return nil, fmt.Errorf("learning the ranking weights: %w", err)
	}
	return w, nil
}
