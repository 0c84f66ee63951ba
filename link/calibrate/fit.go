package calibrate

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"github.com/ctxnorm/ctxnorm/link"
)

// listwiseExample is a training query with a gold concept among its candidates.
type listwiseExample struct {
	candidates []link.Features
	gold       []bool // by candidate
	cvFold     int
}

// newListwiseExample returns the example of a query, given its gold concepts. It reports
// false if none or all of the candidates are gold.
func newListwiseExample(candidates []link.RawCandidate, gold []int32) (listwiseExample, bool) {
	var e listwiseExample
	nGold := 0
	for i := range candidates {
		e.candidates = append(e.candidates, candidates[i].Features)
		isGold := slices.Contains(gold, candidates[i].Concept)
		e.gold = append(e.gold, isGold)
		if isGold {
			nGold++
		}
	}
	return e, nGold > 0 && nGold < len(candidates)
}

// top1Correct reports whether the weights rank a gold candidate first.
func (e *listwiseExample) top1Correct(w *link.Weights) bool {
	best := 0
	for i := range e.candidates {
		if w.Score(&e.candidates[i]) > w.Score(&e.candidates[best]) {
			best = i
		}
	}
	return e.gold[best]
}

// loss returns the negative log-likelihood of the gold candidates under the softmax of
// the scores, and adds its gradient to gradient.
func (e *listwiseExample) loss(w *link.Weights, gradient *link.Weights) float64 {
	scores := make([]float64, len(e.candidates))
	for i := range scores {
		scores[i] = w.Score(&e.candidates[i])
	}
	p := link.Softmax(scores)
	pGold := 0.0
	for i := range p {
		if e.gold[i] {
			pGold += p[i]
		}
	}
	for i := range p {
		dScore := p[i] // derivative of the loss by the score of candidate i
		if e.gold[i] {
			dScore -= p[i] / max(pGold, math.SmallestNonzeroFloat64)
		}
		for j, x := range e.candidates[i] {
			gradient[j] += dScore * x
		}
	}
	return -math.Log(max(pGold, math.SmallestNonzeroFloat64))
}

// priorPrecision is the precision (inverse variance) of the Gaussian prior of each
// weight. A few queries hardly move the weights from the prior; a thousand determine
// them.
const priorPrecision = 10

// fitWeights returns the weights that maximize
//
//	sum over examples of log softmax(scores)[gold candidates] - priorPrecision/2 * |weights - prior|^2
//
// the mode of the posterior under a Gaussian prior, by L-BFGS. With one gold candidate
// in each example the objective is concave, so the starting point does not matter.
func fitWeights(examples []listwiseExample, prior link.Weights) (link.Weights, error) {
	evaluate := func(x []float64, gradient *link.Weights) float64 {
		w := link.Weights(x)
		loss := 0.0
		for i := range examples {
			loss += examples[i].loss(&w, gradient)
		}
		for j := range gradient {
			off := w[j] - prior[j]
			gradient[j] += priorPrecision * off
			loss += priorPrecision / 2. * off * off
		}
		return loss
	}
	problem := optimize.Problem{
		Func: func(x []float64) float64 { return evaluate(x, new(link.Weights)) },
		Grad: func(grad, x []float64) {
			var g link.Weights
			evaluate(x, &g)
			copy(grad, g[:])
		},
	}
	result, err := optimize.Minimize(problem, prior[:], &optimize.Settings{GradientThreshold: 1e-4}, &optimize.LBFGS{})
	if err != nil {
		return link.Weights{}, fmt.Errorf("learning the ranking weights: %w", err)
	}
	return link.Weights(result.X), nil
}

// fitCVFolds returns, for each cross-validation fold, the weights fitted to the examples
// of all other folds.
func fitCVFolds(examples []listwiseExample, prior link.Weights) ([cvFolds]link.Weights, error) {
	var weights [cvFolds]link.Weights
	for fold := range weights {
		var others []listwiseExample
		for i := range examples {
			if examples[i].cvFold != fold {
				others = append(others, examples[i])
			}
		}
		var err error
		if weights[fold], err = fitWeights(others, prior); err != nil {
			return weights, err
		}
	}
	return weights, nil
}
