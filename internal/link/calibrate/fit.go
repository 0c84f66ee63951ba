package calibrate

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/link"
)

// listwiseExample is a training query whose right answer is among its candidates: for the
// ranking a gold concept or NIL, for senses the sense that the document defines.
type listwiseExample struct {
	candidates [][]float64 // features: of the concepts or senses and, last, of NIL or an unknown sense
	gold       []bool      // by candidate
	weight     float64     // of its log-likelihood in the objective
	cvFold     int
}

// newListwiseExample returns the example of a query, given its gold concepts, with the
// weight 1. It reports false if none or all of the candidate concepts are gold.
func newListwiseExample(candidates *link.RawCandidates, gold []int32) (listwiseExample, bool) {
	e := listwiseExample{weight: 1}
	nGold := 0
	for i := range candidates.Concepts {
		e.candidates = append(e.candidates, candidates.Concepts[i].Features[:])
		isGold := slices.Contains(gold, candidates.Concepts[i].Concept)
		e.gold = append(e.gold, isGold)
		if isGold {
			nGold++
		}
	}
	e.candidates, e.gold = append(e.candidates, candidates.NIL[:]), append(e.gold, false)
	return e, nGold > 0 && nGold < len(candidates.Concepts)
}

// newNILExample returns the example of a query that names none of its candidates, with the
// weight 1. It reports false if there are no candidates.
func newNILExample(candidates *link.RawCandidates) (listwiseExample, bool) {
	e, _ := newListwiseExample(candidates, nil)
	e.gold[len(e.gold)-1] = true
	return e, len(candidates.Concepts) > 0
}

// top1Correct reports whether the weights rank a gold candidate before the others, the last
// one aside.
func (e *listwiseExample) top1Correct(w []float64) bool {
	return e.gold[best(e.candidates[:len(e.candidates)-1], w)]
}

// best returns the position of the candidate with the highest score, the first of equals.
func best(candidates [][]float64, w []float64) int {
	best := 0
	for i := range candidates {
		if dot.InOrder(w, candidates[i]) > dot.InOrder(w, candidates[best]) {
			best = i
		}
	}
	return best
}

// loss returns the negative log-likelihood of the gold candidates under the softmax of
// the scores, times the weight of the example, and adds its gradient to gradient.
func (e *listwiseExample) loss(w, gradient []float64) float64 {
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
	for i := range p {
		dScore := p[i] // derivative of the loss by the score of candidate i
		if e.gold[i] {
			dScore -= p[i] / max(pGold, math.SmallestNonzeroFloat64)
		}
		for j, x := range e.candidates[i] {
			gradient[j] += e.weight * dScore * x
		}
	}
	return -e.weight * math.Log(max(pGold, math.SmallestNonzeroFloat64))
}

// priorPrecision is the precision (inverse variance) of the Gaussian prior of each
// weight. A few queries hardly move the weights from the prior; a thousand determine
// them.
const priorPrecision = 10

// gradientThreshold is the largest element of the gradient, for each example, at which the
// fit has converged. Rounding grows with the number of examples: a smaller gradient is
// lost in it from about 10,000 examples on.
const gradientThreshold = 1e-7

// fitWeights learns the weights in two steps. The first learns those of the concepts' features: they rank the gold
// concepts of answered before the others, without NIL. The second learns those of NIL beside them, from all examples,
// also of mentions with typing errors. So what NIL is learned from does not change the order of the concepts. Learning
// all weights at once was tried: the likelihood is the same, and the order no better.
func fitWeights(set *exampleSet, prior link.Weights) (link.Weights, error) {
	concepts := make([]listwiseExample, len(set.answered))
	for i, e := range set.answered {
		last := len(e.candidates) - 1
		concepts[i] = listwiseExample{e.candidates[:last], e.gold[:last], e.weight, e.cvFold}
	}
	w, err := maximizePosterior(concepts, prior[:], 0, link.ConceptFeatures)
	if err == nil {
		w, err = maximizePosterior(slices.Concat(set.answered, set.misspelled, set.nils), w, link.ConceptFeatures,
			len(w))
	}
	if err != nil {
		return link.Weights{}, fmt.Errorf("learning the ranking weights: %w", err)
	}
	return link.Weights(w), nil
}

// maximizePosterior changes the weights first to last - 1 of the prior so that they
// maximize
//
//	sum over examples of weight * log softmax(scores)[gold candidates] - priorPrecision/2 * |weights - prior|^2
//
// the mode of the posterior under a Gaussian prior, by L-BFGS. With one gold candidate
// in each example the objective is concave, so the starting point does not matter.
func maximizePosterior(examples []listwiseExample, prior []float64, first, last int) ([]float64, error) {
	w, gradient := slices.Clone(prior), make([]float64, len(prior))
	evaluate := func(x []float64) float64 {
		copy(w[first:last], x)
		clear(gradient)
		loss := 0.0
		for i := range examples {
			loss += examples[i].loss(w, gradient)
		}
		for j := first; j < last; j++ {
			off := w[j] - prior[j]
			gradient[j] += priorPrecision * off
			loss += priorPrecision / 2. * off * off
		}
		return loss
	}
	problem := optimize.Problem{
		Func: evaluate,
		Grad: func(grad, x []float64) {
			evaluate(x)
			copy(grad, gradient[first:last])
		},
	}
	settings := &optimize.Settings{GradientThreshold: gradientThreshold * max(1, float64(len(examples)))}
	result, err := optimize.Minimize(problem, prior[first:last], settings, &optimize.LBFGS{})
	if err != nil {
		return nil, err
	}
	copy(w[first:last], result.X)
	return w, nil
}

// fitCVFolds returns, for each cross-validation fold, the weights fitted to the examples
// of all other folds.
func fitCVFolds(set *exampleSet, prior link.Weights) ([cvFolds]link.Weights, error) {
	var weights [cvFolds]link.Weights
	for fold := range weights {
		var err error
		if weights[fold], err = fitWeights(set.withoutFold(fold), prior); err != nil {
			return weights, err
		}
	}
	return weights, nil
}

// withoutFold returns the examples of all other folds.
func (s *exampleSet) withoutFold(fold int) *exampleSet {
	return &exampleSet{withoutFold(s.answered, fold), withoutFold(s.misspelled, fold), withoutFold(s.nils, fold)}
}

// withoutFold returns the examples of all other folds.
func withoutFold(examples []listwiseExample, fold int) []listwiseExample {
	var others []listwiseExample
	for i := range examples {
		if examples[i].cvFold != fold {
			others = append(others, examples[i])
		}
	}
	return others
}

// logisticPrecision is the precision of the Gaussian prior of logistic weights.
const logisticPrecision = 1

// fitLogistic returns the weights of a logistic regression of y, 0 or 1, on x: those that
// maximize the log-likelihood, weighted by importance, under a Gaussian prior. Those that
// keep marks, if any, stay as in the prior.
func fitLogistic(x [][]float64, y, importance, prior []float64, keep []bool) ([]float64, error) {
	evaluate := func(w, gradient []float64) float64 {
		loss := 0.
		for j := range w {
			off := w[j] - prior[j]
			loss += logisticPrecision / 2. * off * off
			gradient[j] = logisticPrecision * off
		}
		for i := range x {
			const least = 1e-12
			p := min(max(1/(1+math.Exp(-dot.InOrder(w, x[i]))), least), 1-least)
			loss -= importance[i] * (y[i]*math.Log(p) + (1-y[i])*math.Log(1-p))
			for j := range w {
				gradient[j] += importance[i] * (p - y[i]) * x[i][j]
			}
		}
		for j := range keep {
			if keep[j] {
				gradient[j] = 0
			}
		}
		return loss
	}
	problem := optimize.Problem{
		Func: func(w []float64) float64 { return evaluate(w, make([]float64, len(w))) },
		Grad: func(gradient, w []float64) { evaluate(w, gradient) },
	}
	settings := &optimize.Settings{GradientThreshold: gradientThreshold * max(1, float64(len(x)))}
	result, err := optimize.Minimize(problem, prior, settings, &optimize.LBFGS{})
	if err != nil {
		return nil, err
	}
	return result.X, nil
}
