package bne

import (
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/ctxnorm/ctxnorm/internal/logistic"
)

// example is one name of a batch with one positive and one negative for an objective, as in
// section 4: for synonyms f(s') and the vector of another concept's name, for the concept
// g(c) and that of another concept, for the context q(s) and that of another name.
type example struct {
	Vector, Positive, Negative []float64
}

// gradient is the gradient of a loss by the vectors of an [example].
type gradient struct {
	Vector, Positive, Negative []float64
}

// logisticLoss returns the loss of an objective, section 3.2, "Distance Function and Optimization":
//
//	sum over the examples of l(p · f) + l(-n · f),   l(x) = log(1 + e^-x)
//
// and its gradients, one for each example. Targets that are not trained, the vectors of
// concepts and contexts, leave theirs unused. It returns an error for vectors of different
// lengths. Equation 6 is the sum of the losses of the three objectives.
func logisticLoss(examples []example) (loss float64, gradients []gradient, err error) {
	gradients = make([]gradient, len(examples))
	for i, e := range examples {
		if len(e.Positive) != len(e.Vector) || len(e.Negative) != len(e.Vector) {
			return 0, nil, fmt.Errorf("example %d: vectors have %d, %d and %d numbers, want equal lengths",
				i, len(e.Vector), len(e.Positive), len(e.Negative))
		}
		positive, negative := floats.Dot(e.Positive, e.Vector), floats.Dot(e.Negative, e.Vector)
		loss += logistic.Loss(positive) + logistic.Loss(-negative)
		// l'(x) = -1/(1+e^x)
		p, n := -logistic.Sigmoid(-positive), logistic.Sigmoid(negative)
		g := gradient{make([]float64, len(e.Vector)), make([]float64, len(e.Vector)), make([]float64, len(e.Vector))}
		for j, f := range e.Vector {
			g.Vector[j] = p*e.Positive[j] + n*e.Negative[j]
			g.Positive[j], g.Negative[j] = p*f, n*f
		}
		gradients[i] = g
	}
	return loss, gradients, nil
}
