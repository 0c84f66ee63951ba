package contrastive

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// MultiSimilarity is the Multi-Similarity loss with its miner. Let P_i and N_i be the mined positives and negatives of
// row i, S the cosines and n the number of rows:
//
//	L = 1/n sum_i { 1/alpha log[1 + sum_{k in P_i} exp(-alpha (S_ik - lambda))]
//	              + 1/beta  log[1 + sum_{k in N_i} exp(+beta  (S_ik - lambda))] }
//
// (equation 2; Wang, Han, Huang, Dong & Scott, "Multi-Similarity Loss with General Pair Weighting for Deep Metric
// Learning", CVPR 2019, equation 15). A positive pair is mined if it is less similar than the most similar negative of
// its row, and a negative pair if it is more similar than the least similar positive, each with a margin of epsilon
// (equations 11 and 12 there). Section 3.2 of the BioCoM paper has it the other way round, but its authors' program
// does the same as here:
//
//	k in P_i  if  S_ik < max over negatives of S_ij + epsilon
//	k in N_i  if  S_ik > min over positives of S_ij - epsilon
//
// So a row without positives mines no negatives, and a row without negatives no positives. The values agree with
// MultiSimilarityLoss and MultiSimilarityMiner of pytorch-metric-learning, where lambda is called base.
//
// It takes O(n*n) time and memory.
type MultiSimilarity struct {
	Alpha float64 `json:"alpha"` // scale of positives, above 0; default 1 (the paper's 2)
	Beta  float64 `json:"beta"`  // scale of negatives, above 0; default 60 (the paper's 50)
	// lambda of equation 2: the cosine at which the exponents are 0, -1 to 1; default 0.5 (the paper's 1)
	Lambda  float64 `json:"lambda"`
	Epsilon float64 `json:"epsilon"` // margin of the miner, a difference of cosines, 0 or more; default 0.1

	// TripletMargin, if above 0, mines by triplets instead of Epsilon, as SapBERT does: a pair is mined if it is in a
	// triplet of a row, a positive and a negative whose Euclidean distances at unit length, D, satisfy D(negative) <
	// D(positive) + TripletMargin. These are the conditions above with -D for S and TripletMargin for epsilon.
	TripletMargin float64 `json:"triplet_margin,omitempty"`
}

// validate returns a [*files.OptionError] for the first field with an invalid value. loss is the JSON key of the loss.
func (s MultiSimilarity) validate(loss string) error {
	return cmp.Or(
		check(isPositive(s.Alpha), loss+".alpha", s.Alpha, "above 0"),
		check(isPositive(s.Beta), loss+".beta", s.Beta, "above 0"),
		check(s.Lambda >= -1 && s.Lambda <= 1, loss+".lambda", s.Lambda, "a cosine, -1 to 1"),
		check(isFinite(s.Epsilon) && s.Epsilon >= 0, loss+".epsilon", s.Epsilon, "0 or more"),
		check(isFinite(s.TripletMargin) && s.TripletMargin >= 0, loss+".triplet_margin", s.TripletMargin, "0 or more"),
	)
}

// mine returns the pairs from which the loss is computed. sim holds n*n cosines, row-major.
func (s MultiSimilarity) mine(sim []float64, pairs PairMasks) PairMasks {
	n := pairs.N
	margin := s.Epsilon
	if s.TripletMargin > 0 {
		sim, margin = negativeDistances(sim), s.TripletMargin
	}
	mined := PairMasks{N: n, Positive: make([]bool, n*n), Negative: make([]bool, n*n)}
	for i := range n {
		leastPositive, mostNegative := math.Inf(1), math.Inf(-1)
		for ij := i * n; ij < (i+1)*n; ij++ {
			if pairs.Positive[ij] {
				leastPositive = min(leastPositive, sim[ij])
			}
			if pairs.Negative[ij] {
				mostNegative = max(mostNegative, sim[ij])
			}
		}
		for ij := i * n; ij < (i+1)*n; ij++ {
			mined.Positive[ij] = pairs.Positive[ij] && sim[ij]-margin < mostNegative
			mined.Negative[ij] = pairs.Negative[ij] && sim[ij]+margin > leastPositive
		}
	}
	return mined
}

// negativeDistances returns the negated Euclidean distances of unit vectors with these cosines.
func negativeDistances(sim []float64) []float64 {
	scores := make([]float64, len(sim))
	for i, s := range sim {
		scores[i] = -math.Sqrt(max(0, 2-2*s))
	}
	return scores
}

// ofCosines mines the pairs and returns the loss and its gradient with respect to sim. sim and the gradient are n*n,
// row-major. The gradient treats the entries of sim as independent, S_ik apart from S_ki, and the mined pairs as
// constant, which they are except where a cosine crosses the miner's bound. The loss of no rows is 0.
func (s MultiSimilarity) ofCosines(sim []float64, pairs PairMasks) (loss float64, grad []float64) {
	n := pairs.N
	grad = make([]float64, n*n)
	mined := s.mine(sim, pairs)
	for i := range n {
		start, end := i*n, (i+1)*n
		loss += s.rowTerm(sim[start:end], mined.Positive[start:end], -s.Alpha, grad[start:end])
		loss += s.rowTerm(sim[start:end], mined.Negative[start:end], s.Beta, grad[start:end])
	}
	for ij := range grad {
		grad[ij] /= float64(n)
	}
	return loss / float64(max(n, 1)), grad
}

// rowTerm returns the term of one row in the loss for one kind of pair,
//
//	1/|t| log[1 + sum_k exp(t (S_ik - lambda))]
//
// over its mined pairs, and adds the derivative, sign(t) exp(t (S_ik - lambda)) / [1 + sum], to grad. t is -alpha for
// positives and beta for negatives. The largest exponent, or 0 for the 1, is factored out of the sum first to avoid
// overflow.
func (s MultiSimilarity) rowTerm(sim []float64, mined []bool, t float64, grad []float64) float64 {
	largest := 0.0
	for ij := range sim {
		if mined[ij] {
			largest = max(largest, t*(sim[ij]-s.Lambda))
		}
	}
	scaled := 0.0 // the sum without the 1, times exp(-largest)
	for ij := range sim {
		if mined[ij] {
			scaled += math.Exp(t*(sim[ij]-s.Lambda) - largest)
		}
	}
	sum := math.Exp(-largest) + scaled
	for ij := range sim {
		if mined[ij] {
			grad[ij] += math.Copysign(math.Exp(t*(sim[ij]-s.Lambda)-largest)/sum, t)
		}
	}
	if largest == 0 {
		return math.Log1p(scaled) / math.Abs(t) // exact for a sum far below 1
	}
	return (largest + math.Log(sum)) / math.Abs(t)
}

// ofVectors returns the loss over the cosines of the rows of x, and its gradient with respect to x. Both are n*d,
// row-major. The cosine of a row with itself is in no pair and adds nothing to the gradient. It returns an error if x
// has another size, or if a row has length 0 or is not finite.
func (s MultiSimilarity) ofVectors(x []float64, d int, pairs PairMasks) (loss float64, grad []float64, err error) {
	n := pairs.N
	if len(x) != n*d {
		return 0, nil, fmt.Errorf("loss: x has %d numbers, want %d rows of %d", len(x), n, d)
	}
	unit, norms, err := unitRows(x, n, d)
	if err != nil {
		return 0, nil, err
	}
	loss, gradSim := s.ofCosines(cosines(unit, n, d), pairs)
	grad = make([]float64, n*d)
	for i := range n {
		// S_ij = u_i.u_j is in row i and in row j, so dL/du_i = sum_j (G_ij + G_ji) u_j.
		g := grad[i*d : (i+1)*d]
		for j := range n {
			if weight := gradSim[i*n+j] + gradSim[j*n+i]; weight != 0 { // few pairs are mined
				floats.AddScaled(g, weight, unit[j*d:(j+1)*d])
			}
		}
		// u = x/|x|, so dL/dx = (g - (g.u) u) / |x|.
		u := unit[i*d : (i+1)*d]
		floats.AddScaled(g, -floats.Dot(g, u), u)
		floats.Scale(1/norms[i], g)
	}
	return loss, grad, nil
}

// Evaluate implements [Loss] for vectors of any length.
func (s MultiSimilarity) Evaluate(v Vectors) (value LossValue, err error) {
	value.Loss, value.Rows, err = s.ofVectors(v.Rows, v.Dim, NewPairMasks(v.Labels))
	return value, err
}

// unitRows returns the n rows of x at unit length, and their original lengths.
func unitRows(x []float64, n, d int) (unit, norms []float64, err error) {
	unit = make([]float64, n*d)
	norms = make([]float64, n)
	for i := range n {
		row := x[i*d : (i+1)*d]
		norms[i] = floats.Norm(row, 2)
		if !isPositive(norms[i]) {
			return nil, nil, fmt.Errorf("loss: row %d has length %v, want a finite length above 0", i, norms[i])
		}
		floats.ScaleTo(unit[i*d:(i+1)*d], 1/norms[i], row)
	}
	return unit, norms, nil
}

// cosines returns the n*n dot products of the rows of unit.
func cosines(unit []float64, n, d int) []float64 {
	sim := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			sim[i*n+j] = floats.Dot(unit[i*d:(i+1)*d], unit[j*d:(j+1)*d])
			sim[j*n+i] = sim[i*n+j]
		}
	}
	return sim
}
