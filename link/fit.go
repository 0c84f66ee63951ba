package link

import (
	"fmt"

	"gonum.org/v1/gonum/optimize"
)

// priorStrength is the weight of half the squared distance from the prior weights,
// against the sum of the log likelihoods of the queries: a few queries hardly move
// the weights, a thousand settle them.
const priorStrength = 10

// fitWeights finds the weights that make the right candidates likeliest, near the prior:
// they maximise
//
//	sum over choices of log softmax(score)[right candidates] - priorStrength/2 * |weights - prior|^2
//
// by L-BFGS. That is concave, so the start does not matter: the posterior mode
// under a Gaussian prior.
func fitWeights(choices []listwiseExample, prior Weights) (Weights, error) {
	evaluate := func(x []float64, gradient *Weights) float64 {
		w := Weights(x)
		loss := 0.0
		for i := range choices {
			loss += choices[i].loss(&w, gradient)
		}
		for j := range gradient {
			off := w[j] - prior[j]
			gradient[j] += priorStrength * off
			loss += priorStrength / 2. * off * off
		}
		return loss
	}
	problem := optimize.Problem{
		Func: func(x []float64) float64 { return evaluate(x, new(Weights)) },
		Grad: func(grad, x []float64) {
			var g Weights
			evaluate(x, &g)
			copy(grad, g[:])
		},
	}
	result, err := optimize.Minimize(problem, prior[:], &optimize.Settings{GradientThreshold: 1e-4}, &optimize.LBFGS{})
	if err != nil {
		return Weights{}, fmt.Errorf("learning the weights of ranking: %w", err)
	}
	return Weights(result.X), nil
}

// fitCVFolds fits the weights of every fold to the choices of the others.
func fitCVFolds(choices []listwiseExample, prior Weights) ([cvFolds]Weights, error) {
	var weights [cvFolds]Weights
	for fold := range weights {
		var others []listwiseExample
		for i := range choices {
			if choices[i].cvFold != fold {
				others = append(others, choices[i])
			}
		}
		var err error
		if weights[fold], err = fitWeights(others, prior); err != nil {
			return weights, err
		}
	}
	return weights, nil
}
