//go:build torch

package torch

import (
	"github.com/sugarme/gotch/ts"

	"ctxnorm/contrastive"
)

// multiSimilarity is the Multi-Similarity loss with its miner, equation 2 of the
// paper, of unit vectors [n, d] of float32: [contrastive.MultiSimilarity] on
// tensors, where formulas and the treatment of rows without positives or
// negatives are described. Gradients flow to the vectors.
func multiSimilarity(s *scope, vectors *ts.Tensor, pairs contrastive.Pairs, settings contrastive.MultiSimilarity) *ts.Tensor {
	n := int64(pairs.N)
	sim := s.matmul(vectors, s.transpose(vectors, 0, 1))
	positive := s.fromFloats(ones(pairs.Positive), n, n)
	negative := s.fromFloats(ones(pairs.Negative), n, n)

	// The extremes of each row over its pairs: the others are moved out of reach
	// by more than any cosine.
	const beyond = 1e4
	farthest := s.lowest(s.add(sim, s.mulNumber(s.without(positive), beyond)))
	nearest := s.highest(s.sub(sim, s.mulNumber(s.without(negative), beyond)))
	keptPositive := s.mul(positive, s.less(s.addNumber(sim, -settings.Epsilon), nearest))
	keptNegative := s.mul(negative, s.less(farthest, s.addNumber(sim, settings.Epsilon)))

	return s.mean(s.add(
		s.side(sim, keptPositive, settings.Base, -settings.Alpha),
		s.side(sim, keptNegative, settings.Base, settings.Beta)))
}

// side is 1/|t| log[1 + sum over the kept of exp(t (S - base))] of each row.
func (s *scope) side(sim, kept *ts.Tensor, base, t float64) *ts.Tensor {
	const dropped = -1e9 // exp of it is 0 in float32
	exponents := s.add(s.mulNumber(s.addNumber(sim, -base), t), s.mulNumber(s.without(kept), dropped))
	one := s.mulNumber(s.narrow(kept, 1, 0, 1), 0) // exp(0), the 1 in the brackets
	size := t
	if size < 0 {
		size = -size
	}
	return s.mulNumber(s.logSumExp(s.cat([]*ts.Tensor{exponents, one}, 1)), 1/size)
}

// without is 1 - mask.
func (s *scope) without(mask *ts.Tensor) *ts.Tensor { return s.addNumber(s.mulNumber(mask, -1), 1) }

func ones(mask []bool) []float32 {
	values := make([]float32, len(mask))
	for i, set := range mask {
		if set {
			values[i] = 1
		}
	}
	return values
}
