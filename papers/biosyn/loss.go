package biosyn

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/logistic"
)

// Objective is what a ranking of candidates is trained for, section 5.4 of the BioSyn paper.
type Objective string

const (
	// objectiveMarginal is the negative log of the summed probability of all right
	// candidates (MML, equations 6 to 8).
	objectiveMarginal Objective = "marginal"
	// ObjectiveHardEM is the negative log of the probability of the most probable right
	// candidate (hard EM, equations 9 and 10).
	ObjectiveHardEM Objective = "hard-em"
	// objectivePairwise is the binary cross-entropy of each pair of a mention and a
	// candidate, whose probability of being right is the logistic function of its score.
	objectivePairwise Objective = "pairwise"
)

// candidateScores holds the scores of the candidates of a batch of mentions. Row i has the
// candidates of mention i: elements i*K to (i+1)*K of each slice.
type candidateScores struct {
	K      int       // candidates of a mention
	Dense  []float64 // S_dense
	Sparse []float64 // S_sparse
	Right  []bool    // whether the candidate has the mention's concept: EQUAL of equation 7
}

// candidateGradient is the gradient of a loss of [candidateScores].
type candidateGradient struct {
	Dense        []float64 // with respect to each dense score
	SparseWeight float64   // with respect to the weight of the sparse scores
}

// candidateLoss returns the loss of the candidates with the scores
//
//	S(m, n) = S_dense(m, n) + lambda S_sparse(m, n)
//
// and its gradient, where lambda is sparseWeight. With P the softmax of S over the K
// candidates of a mention and R its right candidates, the loss is the mean over mentions of
//
//	marginal   -log sum_{n in R} P(n)
//	hard-em    -log max_{n in R} P(n)
//
// (Sung, Jeon, Lee & Kang, "Biomedical Entity Representations with Synonym
// Marginalization", ACL 2020, equations 5 to 10). Its first two forms have no value for a
// mention without a right candidate; as in the authors' code, such mentions are left out of
// the mean, and the loss of none is 0. The pairwise loss is the mean over all M*K pairs,
// those of mentions without a right candidate too.
//
// The authors' code bounds the marginal probability from below by 1e-9, where its gradient
// is 0. Here the logarithms are exact, and the gradient never vanishes.
func candidateLoss(objective Objective, s candidateScores, sparseWeight float64) (
	loss float64, grad candidateGradient, err error,
) {
	n := len(s.Dense)
	if s.K < 1 || n%s.K != 0 || len(s.Sparse) != n || len(s.Right) != n {
		return 0, grad,
			fmt.Errorf("loss: %d dense scores, %d sparse scores and %d labels, want the same multiple of k = %d",
				n, len(s.Sparse), len(s.Right), s.K)
	}
	grad.Dense = make([]float64, n)
	counted := 0
	for start := 0; start < n; start += s.K {
		row := candidateScores{s.K, s.Dense[start : start+s.K], s.Sparse[start : start+s.K], s.Right[start : start+s.K]}
		term, ok := row.term(objective, sparseWeight, grad.Dense[start:start+s.K])
		if ok {
			counted++
			loss += term
		}
	}
	if counted == 0 {
		return 0, grad, nil
	}
	loss /= float64(counted)
	for i := range grad.Dense {
		grad.Dense[i] /= float64(counted)
		grad.SparseWeight += grad.Dense[i] * s.Sparse[i]
	}
	return loss, grad, nil
}

// term returns the loss of one mention and writes its gradient with respect to the scores.
// It returns false, and writes zeros, for a mention that the loss leaves out.
func (s candidateScores) term(objective Objective, sparseWeight float64, grad []float64) (loss float64, ok bool) {
	scores := make([]float64, s.K)
	for i := range scores {
		scores[i] = s.Dense[i] + sparseWeight*s.Sparse[i]
	}
	if objective == objectivePairwise {
		return s.pairwise(scores, grad), true
	}
	target := s.Right
	if objective == ObjectiveHardEM {
		target = mostProbable(scores, s.Right)
	}
	all, right := logSumExp(scores, nil), logSumExp(scores, target)
	if math.IsInf(right, -1) {
		return 0, false
	}
	for i, score := range scores {
		grad[i] = math.Exp(score - all) // P(n)
		if target[i] {
			grad[i] -= math.Exp(score - right) // P(n) / sum of P over the target
		}
	}
	return all - right, true
}

// mostProbable returns the mask of the right candidate with the highest score, the first of
// several; of none if there is no right candidate.
func mostProbable(scores []float64, right []bool) []bool {
	best := -1
	for i := range scores {
		if right[i] && (best < 0 || scores[i] > scores[best]) {
			best = i
		}
	}
	mask := make([]bool, len(scores))
	if best >= 0 {
		mask[best] = true
	}
	return mask
}

// pairwise returns the mean binary cross-entropy of the candidates and writes its gradient.
func (s candidateScores) pairwise(scores, grad []float64) (loss float64) {
	k := float64(s.K)
	for i, score := range scores {
		// -log sigma(x) = log(1 + exp(-x)), and its derivative is sigma(x) - 1.
		margin := score
		if !s.Right[i] {
			margin = -score
		}
		loss += logistic.Loss(margin) / k
		grad[i] = logistic.Sigmoid(score) / k
		if s.Right[i] {
			grad[i] -= 1 / k
		}
	}
	return loss
}

// logSumExp returns log sum exp(x_i) over the elements of the mask, all if it is nil, and
// -Inf for none. The largest exponent is taken out of the sum first, so that nothing
// overflows.
func logSumExp(x []float64, mask []bool) float64 {
	largest := math.Inf(-1)
	for i, v := range x {
		if mask == nil || mask[i] {
			largest = max(largest, v)
		}
	}
	if math.IsInf(largest, -1) {
		return largest
	}
	sum := 0.0
	for i, v := range x {
		if mask == nil || mask[i] {
			sum += math.Exp(v - largest)
		}
	}
	return largest + math.Log(sum)
}

// rankingLoss is [candidateLoss] on the vectors of a batch: of each mention and, after it,
// of its k candidates. The parameter is lambda, if there is one.
type rankingLoss struct {
	objective Objective
	scale     float64 // of the cosines
	k         int
	sparse    []float64 // of the candidates of all mentions
	right     []bool
}

// Evaluate implements [contrastive.Loss].
func (l *rankingLoss) Evaluate(v contrastive.Vectors) (value contrastive.LossValue, err error) {
	mentions := len(l.right) / l.k
	if want := mentions * (l.k + 1) * v.Dim; len(v.Rows) != want {
		return value, fmt.Errorf("loss: vectors have %d numbers, want %d", len(v.Rows), want)
	}
	scores := candidateScores{K: l.k, Dense: make([]float64, len(l.right)), Sparse: l.sparse, Right: l.right}
	l.eachPair(func(pair, mention, candidate int) {
		scores.Dense[pair] = l.scale * floats.Dot(v.Row(mention), v.Row(candidate))
	})
	weight := 0.
	if len(v.Parameters) > 0 {
		weight = v.Parameters[0]
	}
	loss, grad, err := candidateLoss(l.objective, scores, weight)
	if err != nil {
		return value, err
	}
	value = contrastive.LossValue{Loss: loss, Rows: make([]float64, len(v.Rows))}
	if len(v.Parameters) > 0 {
		value.Parameters = []float64{grad.SparseWeight}
	}
	l.eachPair(func(pair, mention, candidate int) {
		slope := l.scale * grad.Dense[pair]
		floats.AddScaled(value.Rows[mention*v.Dim:(mention+1)*v.Dim], slope, v.Row(candidate))
		floats.AddScaled(value.Rows[candidate*v.Dim:(candidate+1)*v.Dim], slope, v.Row(mention))
	})
	return value, nil
}

// eachPair calls yield with the number of each pair and the rows of its mention and
// candidate.
func (l *rankingLoss) eachPair(yield func(pair, mention, candidate int)) {
	for pair := range l.right {
		mention := pair / l.k * (l.k + 1)
		yield(pair, mention, mention+1+pair%l.k)
	}
}
