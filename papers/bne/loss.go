package bne

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/ctxnorm/ctxnorm/contrastive"
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

// none is the position of a row that there is not.
const none = -1

// nameTargets are the positives of a name, a row of a batch, and the rows that its negatives are of.
type nameTargets struct {
	synonym   int       // row of another name of its concept, or none
	negatives []int     // rows of names that may not mean its concept, from a random one on
	context   []float64 // q(s); nil for none
	concept   []float64 // g(c); nil for none
}

// nameLoss is the loss of [logisticLoss] for the three objectives, summed (equation 6), as the mean over
// the names of a batch, which are its first rows. A name without a negative, a synonym or a vector of
// its context or concept has no part in the objectives that need it.
type nameLoss struct {
	targets []nameTargets
	hardest bool // the negative is the one with the greatest dot product, else the first
}

// negative returns the row of the negative of a name for an objective, in which a row has the vector
// vectorOf(row), or none.
func (l *nameLoss) negative(name int, vector []float64, vectorOf func(row int) []float64) int {
	chosen, greatest := none, math.Inf(-1)
	for _, row := range l.targets[name].negatives {
		other := vectorOf(row)
		if other == nil {
			continue
		}
		if !l.hardest {
			return row
		}
		if product := floats.Dot(vector, other); chosen == none || product > greatest {
			chosen, greatest = row, product
		}
	}
	return chosen
}

// Evaluate implements [contrastive.Loss].
func (l *nameLoss) Evaluate(v contrastive.Vectors) (contrastive.LossValue, error) {
	value := contrastive.LossValue{Rows: make([]float64, len(v.Rows))}
	if len(l.targets) == 0 {
		return value, nil
	}
	weight := 1 / float64(len(l.targets))
	add := func(row int, gradient []float64) {
		for k, g := range gradient {
			value.Rows[row*v.Dim+k] += weight * g
		}
	}
	// objective adds the loss of the names that have a positive and a negative, and the gradients by their
	// vectors. It returns those names, their negatives and all gradients.
	objective := func(positive, vectorOf func(row int) []float64) (
		names, negatives []int, gradients []gradient, err error,
	) {
		var examples []example
		for i := range l.targets {
			p, n := positive(i), l.negative(i, v.Row(i), vectorOf)
			if p == nil || n == none {
				continue
			}
			names, negatives = append(names, i), append(negatives, n)
			examples = append(examples, example{Vector: v.Row(i), Positive: p, Negative: vectorOf(n)})
		}
		loss, gradients, err := logisticLoss(examples)
		if err != nil {
			return nil, nil, nil, err
		}
		value.Loss += weight * loss
		for i, row := range names {
			add(row, gradients[i].Vector)
		}
		return names, negatives, gradients, nil
	}
	for _, vectorOf := range []func(int) []float64{
		func(row int) []float64 { return l.targets[row].context },
		func(row int) []float64 { return l.targets[row].concept },
	} {
		if _, _, _, err := objective(vectorOf, vectorOf); err != nil {
			return contrastive.LossValue{}, err
		}
	}
	synonym := func(row int) []float64 {
		if l.targets[row].synonym == none {
			return nil
		}
		return v.Row(l.targets[row].synonym)
	}
	names, negatives, gradients, err := objective(synonym, v.Row)
	if err != nil {
		return contrastive.LossValue{}, err
	}
	for i, row := range names {
		add(l.targets[row].synonym, gradients[i].Positive)
		add(negatives[i], gradients[i].Negative)
	}
	return value, nil
}
