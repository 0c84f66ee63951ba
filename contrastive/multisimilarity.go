package contrastive

import (
	"fmt"
	"math"
)

// MultiSimilarity is the Multi-Similarity loss with its miner. With P_i and N_i
// the mined positives and negatives of row i, S the cosines and n the rows,
//
//	L = 1/n sum_i { 1/alpha log[1 + sum_{k in P_i} exp(-alpha (S_ik - base))]
//	              + 1/beta  log[1 + sum_{k in N_i} exp(+beta  (S_ik - base))] }
//
// (equation 2; Wang, Han, Huang, Dong & Scott, "Multi-Similarity Loss with General
// Pair Weighting for Deep Metric Learning", CVPR 2019, equation 15). A positive
// pair is mined where it is no nearer than the nearest negative of its row, a
// negative where it is no farther than the farthest positive, each with a margin
// of epsilon (equations 11 and 12 there):
//
//	k in P_i  if  S_ik < max over negatives of S_ij + epsilon
//	k in N_i  if  S_ik > min over positives of S_ij - epsilon
//
// So a row without positives mines no negatives, and one without negatives no
// positives. The values agree with MultiSimilarityLoss and MultiSimilarityMiner
// of pytorch-metric-learning.
//
// This is the reference by which the loss on tensors is tested; it takes time
// and memory in n*n.
type MultiSimilarity struct {
	Alpha   float64 `json:"alpha"`   // temperature of positives, above 0; default 2
	Beta    float64 `json:"beta"`    // temperature of negatives, above 0; default 50
	Base    float64 `json:"base"`    // the cosine at which a pair weighs 1 (lambda of equation 2); default 1
	Epsilon float64 `json:"epsilon"` // margin of the miner, a cosine, 0 or more; default 0.1
}

// Validate reports the first setting that holds a value it cannot have.
func (s MultiSimilarity) Validate() error {
	switch {
	case !isPositive(s.Alpha):
		return fmt.Errorf("alpha is %v, want above 0", s.Alpha)
	case !isPositive(s.Beta):
		return fmt.Errorf("beta is %v, want above 0", s.Beta)
	case !(s.Base >= -1 && s.Base <= 1):
		return fmt.Errorf("base is %v, want a cosine, -1 to 1", s.Base)
	case !isFinite(s.Epsilon) || s.Epsilon < 0:
		return fmt.Errorf("epsilon is %v, want 0 or more", s.Epsilon)
	}
	return nil
}

// Mine keeps of the pairs those that the loss is taken over. sim holds n*n
// cosines, row-major.
func (s MultiSimilarity) Mine(sim []float64, pairs Pairs) Pairs {
	n := pairs.N
	mined := Pairs{N: n, Positive: make([]bool, n*n), Negative: make([]bool, n*n)}
	for i := range n {
		farthest, nearest := math.Inf(1), math.Inf(-1)
		for ij := i * n; ij < (i+1)*n; ij++ {
			if pairs.Positive[ij] {
				farthest = min(farthest, sim[ij])
			}
			if pairs.Negative[ij] {
				nearest = max(nearest, sim[ij])
			}
		}
		for ij := i * n; ij < (i+1)*n; ij++ {
			mined.Positive[ij] = pairs.Positive[ij] && sim[ij]-s.Epsilon < nearest
			mined.Negative[ij] = pairs.Negative[ij] && sim[ij]+s.Epsilon > farthest
		}
	}
	return mined
}

// Loss mines the pairs and gives the loss and its gradient with respect to sim,
// both n*n, row-major. The entries of sim are taken as independent, S_ik apart
// from S_ki, and the choice of pairs as constant, as it is between the points
// where a pair enters or leaves. 0 for no rows.
func (s MultiSimilarity) Loss(sim []float64, pairs Pairs) (loss float64, grad []float64) {
	n := pairs.N
	grad = make([]float64, n*n)
	mined := s.Mine(sim, pairs)
	for i := range n {
		row := span{i * n, (i + 1) * n}
		loss += s.side(sim, mined.Positive, row, -s.Alpha, grad)
		loss += s.side(sim, mined.Negative, row, s.Beta, grad)
	}
	for ij := range grad {
		grad[ij] /= float64(n)
	}
	return loss / float64(max(n, 1)), grad
}

type span struct{ start, end int }

// side is 1/|t| log[1 + sum_k exp(t (S_ik - base))] over the kept pairs of a
// row, and adds its derivative, sign(t) exp(t (S_ik - base)) / [1 + sum], to
// grad. The largest exponent, or 0 for the 1, is taken out of the sum first, so
// that nothing overflows.
func (s MultiSimilarity) side(sim []float64, kept []bool, row span, t float64, grad []float64) float64 {
	largest := 0.0
	for ij := row.start; ij < row.end; ij++ {
		if kept[ij] {
			largest = max(largest, t*(sim[ij]-s.Base))
		}
	}
	rest := 0.0
	for ij := row.start; ij < row.end; ij++ {
		if kept[ij] {
			rest += math.Exp(t*(sim[ij]-s.Base) - largest)
		}
	}
	sum := math.Exp(-largest) + rest
	for ij := row.start; ij < row.end; ij++ {
		if kept[ij] {
			grad[ij] += math.Copysign(math.Exp(t*(sim[ij]-s.Base)-largest)/sum, t)
		}
	}
	if largest == 0 {
		return math.Log1p(rest) / math.Abs(t) // keeps the digits of a sum far below 1
	}
	return (largest + math.Log(sum)) / math.Abs(t)
}
