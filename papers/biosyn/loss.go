package biosyn

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/dot"
)

// Objective is the training objective of a ranking of candidates, section 5.4 of the BioSyn paper. With P the softmax
// of the scores over the candidates of a mention, and R its right candidates, the loss of the mention is
//
//	marginal   -log sum_{n in R} P(n)     MML, equations 6 to 8
//	hard-em    -log max_{n in R} P(n)     hard EM, equations 9 and 10
//	pairwise   the mean binary cross-entropy of the candidates, whose probability of being right is the logistic
//	           function of the score
//
// The first two are undefined for a mention without a right candidate. As in the authors' code, such mentions are left
// out of the mean over mentions, and the loss is 0 if there are no others. The code bounds the marginal probability
// from below by 1e-9, where its gradient is 0; here the logarithms are exact, and the gradient never vanishes.
type Objective string

const (
	objectiveMarginal Objective = "marginal"
	ObjectiveHardEM   Objective = "hard-em"
	objectivePairwise Objective = "pairwise"
)

// rankingLoss is the loss of a batch, whose rows are each mention followed by its k candidates, by the scores
//
//	S(m, n) = S_dense(m, n) + lambda S_sparse(m, n)
//
// (equation 5). lambda is the parameter if there is one, and 0 otherwise.
type rankingLoss struct {
	objective Objective
	scale     float64 // of the cosines: S_dense
	k         int
	sparse    []float64 // S_sparse of the candidates of all mentions
	right     []bool    // whether the candidate has the mention's concept: EQUAL of equation 7
}

// Evaluate implements [contrastive.Loss].
func (l *rankingLoss) Evaluate(v contrastive.Vectors) (value contrastive.LossValue, err error) {
	mentions := len(l.right) / l.k
	if want := mentions * (l.k + 1) * v.Dim; len(v.Rows) != want {
		return value, fmt.Errorf("loss: vectors have %d numbers, want %d", len(v.Rows), want)
	}
	lambda := 0.
	if len(v.Parameters) > 0 {
		lambda, value.Parameters = v.Parameters[0], make([]float64, 1)
	}
	value.Rows = make([]float64, len(v.Rows))
	gradient, counted := make([]float64, len(l.right)), 0
	for start := 0; start < len(l.right); start += l.k {
		scores, end := make([]float64, l.k), start+l.k
		for i := range scores {
			mention, candidate := l.rows(start + i)
			scores[i] = l.scale*floats.Dot(v.Row(mention), v.Row(candidate)) + lambda*l.sparse[start+i]
		}
		if term, ok := l.objective.term(scores, l.right[start:end], gradient[start:end]); ok {
			counted++
			value.Loss += term
		}
	}
	if counted == 0 {
		return value, nil
	}
	value.Loss /= float64(counted)
	for pair, g := range gradient {
		g /= float64(counted)
		if len(value.Parameters) > 0 {
			value.Parameters[0] += g * l.sparse[pair]
		}
		mention, candidate := l.rows(pair)
		floats.AddScaled(value.Rows[mention*v.Dim:(mention+1)*v.Dim], l.scale*g, v.Row(candidate))
		floats.AddScaled(value.Rows[candidate*v.Dim:(candidate+1)*v.Dim], l.scale*g, v.Row(mention))
	}
	return value, nil
}

// rows returns the rows of the mention and the candidate of a pair.
func (l *rankingLoss) rows(pair int) (mention, candidate int) {
	mention = pair / l.k * (l.k + 1)
	return mention, mention + 1 + pair%l.k
}

// term returns the loss of one mention and writes its gradient with respect to the scores. For a mention that has no
// loss it writes zeros and returns false.
func (o Objective) term(scores []float64, right []bool, grad []float64) (loss float64, ok bool) {
	if o == objectivePairwise {
		return pairwise(scores, right, grad), true
	}
	if o == ObjectiveHardEM {
		right = mostProbable(scores, right)
	}
	all, target := logSumExp(scores, nil), logSumExp(scores, right)
	if math.IsInf(target, -1) {
		return 0, false
	}
	for i, score := range scores {
		grad[i] = math.Exp(score - all) // P(n)
		if right[i] {
			grad[i] -= math.Exp(score - target) // P(n) / sum of P over the right ones
		}
	}
	return all - target, true
}

// mostProbable returns a mask of the right candidate with the highest score, or the first of these. The mask is empty
// if there is no right candidate.
func mostProbable(scores []float64, right []bool) []bool {
	best := slices.Index(right, true)
	mask := make([]bool, len(scores))
	for i := range scores {
		if right[i] && scores[i] > scores[best] {
			best = i
		}
	}
	if best >= 0 {
		mask[best] = true
	}
	return mask
}

// pairwise returns the mean binary cross-entropy of the candidates and writes its gradient.
func pairwise(scores []float64, right []bool, grad []float64) (loss float64) {
	k := float64(len(scores))
	for i, score := range scores {
		// -log sigma(x) = log(1 + exp(-x)), and its derivative is sigma(x) - 1.
		margin := -score
		grad[i] = dot.Sigmoid(score) / k
		if right[i] {
			margin = score
			grad[i] -= 1 / k
		}
		loss += dot.LogLoss(margin) / k
	}
	return loss
}

// logSumExp returns log sum exp(x_i) over the elements of the mask, or all if it is nil. It returns -Inf for no
// elements.
func logSumExp(x []float64, mask []bool) float64 {
	var masked []float64
	for i, v := range x {
		if mask == nil || mask[i] {
			masked = append(masked, v)
		}
	}
	if len(masked) == 0 {
		return math.Inf(-1)
	}
	return floats.LogSumExp(masked)
}
