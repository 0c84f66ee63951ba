package bne

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/dot"
)

// none stands for the position of a row that does not exist.
const none = -1

// nameTargets holds the positives of a name, a row of a batch, and the rows of its negatives.
type nameTargets struct {
	synonym   int       // row of another name of its concept, or none
	negatives []int     // rows of names that cannot mean its concept, starting at a random one
	context   []float64 // q(s); nil for none
	concept   []float64 // g(c); nil for none
}

// nameLoss is the loss of three objectives, summed (equation 6), as the mean over the names of a batch, which are its
// first rows. The loss of an objective is (section 3.2, "Distance Function and Optimization")
//
//	sum over the names of l(p · f) + l(-n · f),   l(x) = log(1 + e^-x)
//
// with the vector f of a name, a positive p and a negative n. For synonyms these are the vectors of another name of its
// concept and of another concept's name, for the concept g(c) and g of another concept, for the context q(s) and q of
// another name. The vectors of concepts and contexts are not trained. A name that lacks a negative, a synonym or a
// vector of its context or concept is skipped in the objectives that need it.
type nameLoss struct{ targets []nameTargets }

// negative returns the row of a name's negative for an objective, or none. vectorOf(row) is the vector of a row in the
// objective. The negative is the row with the greatest dot product: the paper samples negatives "similar to" Wieting,
// Bansal, Gimpel & Livescu, TACL 2015, who take the most similar one.
func (l *nameLoss) negative(name int, vector []float64, vectorOf func(row int) []float64) int {
	chosen, greatest := none, math.Inf(-1)
	for _, row := range l.targets[name].negatives {
		other := vectorOf(row)
		if other == nil {
			continue
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
	synonym := func(row int) []float64 {
		if l.targets[row].synonym == none {
			return nil
		}
		return v.Row(l.targets[row].synonym)
	}
	context := func(row int) []float64 { return l.targets[row].context }
	concept := func(row int) []float64 { return l.targets[row].concept }
	l.addObjective(v, &value, context, context, false)
	l.addObjective(v, &value, concept, concept, false)
	l.addObjective(v, &value, synonym, v.Row, true)
	return value, nil
}

// addObjective adds the loss of the names that have a positive and a negative, and the gradient with respect to their
// vectors and, if trained is set, with respect to those of the positives and negatives.
func (l *nameLoss) addObjective(v contrastive.Vectors, value *contrastive.LossValue,
	positive, vectorOf func(row int) []float64, trained bool) {
	weight, loss := 1/float64(max(1, len(l.targets))), 0.
	add := func(row, k int, g float64) { value.Rows[row*v.Dim+k] += weight * g }
	var ofTargets []func()
	for i := range l.targets {
		f, p := v.Row(i), positive(i)
		negative := l.negative(i, f, vectorOf)
		if p == nil || negative == none {
			continue
		}
		n := vectorOf(negative)
		byP, byN := floats.Dot(p, f), floats.Dot(n, f)
		loss += dot.LogLoss(byP) + dot.LogLoss(-byN)
		byP, byN = -dot.Sigmoid(-byP), dot.Sigmoid(byN) // l'(x) = -1/(1+e^x)
		for k := range f {
			add(i, k, byP*p[k]+byN*n[k])
		}
		if trained {
			ofTargets = append(ofTargets, func() {
				for k, x := range f {
					add(l.targets[i].synonym, k, byP*x)
				}
				for k, x := range f {
					add(negative, k, byN*x)
				}
			})
		}
	}
	for _, add := range ofTargets { // after the names, so the order of the sums is fixed
		add()
	}
	value.Loss += weight * loss
}
