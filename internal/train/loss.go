//go:build torch

package train

import (
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
)

// evaluate returns the loss of a batch's vectors and its gradient, with respect to the vectors
// and to the parameters. The Multi-Similarity loss, which takes n*n*d operations, is computed on
// tensors; the others cost little compared with the encoder and are computed in Go.
func evaluate(b *trainBatch, vectors,
	parameters []float32) (loss float64, gradient, ofParameters []float32, err error) {
	if settings, ok := b.loss.(contrastive.MultiSimilarity); ok {
		loss, gradient, err = lossAndGradient(vectors, contrastive.NewPairMasks(b.labels), settings)
		return loss, gradient, nil, err
	}
	value, err := b.loss.Evaluate(contrastive.Vectors{
		Rows: contrastive.Convert[float64](vectors), Dim: len(vectors) / len(b.labels), Labels: b.labels,
		Parameters: contrastive.Convert[float64](parameters),
	})
	return value.Loss, contrastive.Convert[float32](value.Rows), contrastive.Convert[float32](value.Parameters), err
}

// lossAndGradient returns the Multi-Similarity loss of unit vectors and its gradient with
// respect to them, row-major as they are.
func lossAndGradient(vectors []float32, pairs contrastive.PairMasks,
	settings contrastive.MultiSimilarity) (loss float64, gradient []float32, err error) {
	err = tensor.Compute(true, func(s *tensor.Scope) {
		leaf := s.Leaf(s.FromFloats(vectors, int64(pairs.N), int64(len(vectors)/pairs.N)))
		total := multiSimilarity(s, leaf, pairs, settings)
		s.Backward(total)
		gradient = slices.Clone(s.Floats(s.Gradient(leaf)))
		if value := s.Floats(total); s.Err() == nil {
			loss = float64(value[0])
		}
	})
	return loss, gradient, err
}

// multiSimilarity returns the Multi-Similarity loss with its miner, equation 2 of the
// paper, of float32 unit vectors [n, d]. It is [contrastive.MultiSimilarity] on
// tensors: the formulas, and what happens to rows without positives or negatives, are
// described there. Gradients flow to the vectors.
func multiSimilarity(s *tensor.Scope, vectors *tensor.Tensor, pairs contrastive.PairMasks,
	settings contrastive.MultiSimilarity) *tensor.Tensor {
	n := int64(pairs.N)
	sim := s.Matmul(vectors, s.Transpose(vectors, 0, 1))
	positive := s.FromFloats(indicators(pairs.Positive), n, n)
	negative := s.FromFloats(indicators(pairs.Negative), n, n)

	// The extremes of each row over its pairs: the scores of the others are moved out of reach
	// by more than any score.
	const outOfReach = 1e4
	score, margin := sim, settings.Epsilon
	if settings.TripletMargin > 0 { // minus the distance, the root of 2 - 2 S
		score, margin = s.MulScalar(s.Sqrt(s.Relu(s.AddScalar(s.MulScalar(sim, -2), 2))), -1), settings.TripletMargin
	}
	leastSimilarPositive := s.RowMin(s.Add(score, s.MulScalar(complement(s, positive), outOfReach)))
	mostSimilarNegative := s.RowMax(s.Sub(score, s.MulScalar(complement(s, negative), outOfReach)))
	minedPositive := s.Mul(positive, s.Less(s.AddScalar(score, -margin), mostSimilarNegative))
	minedNegative := s.Mul(negative, s.Less(leastSimilarPositive, s.AddScalar(score, margin)))

	return s.Mean(s.Add(
		lossTerm(s, sim, minedPositive, settings.Lambda, -settings.Alpha),
		lossTerm(s, sim, minedNegative, settings.Lambda, settings.Beta)))
}

// lossTerm returns 1/|t| log[1 + sum over the mined pairs of exp(t (S - lambda))] of
// each row.
func lossTerm(s *tensor.Scope, sim, mined *tensor.Tensor, lambda, t float64) *tensor.Tensor {
	const excluded = -1e9 // exp of it is 0 in float32
	exponents := s.Add(s.MulScalar(s.AddScalar(sim, -lambda), t), s.MulScalar(complement(s, mined), excluded))
	zero := s.MulScalar(s.Narrow(mined, 1, 0, 1), 0) // exp(0) is the 1 in the brackets
	return s.MulScalar(s.LogSumExp(s.Cat([]*tensor.Tensor{exponents, zero}, 1)), 1/math.Abs(t))
}

// complement returns 1 - mask.
func complement(s *tensor.Scope, mask *tensor.Tensor) *tensor.Tensor {
	return s.AddScalar(s.MulScalar(mask, -1), 1)
}

// indicators returns 1 for true and 0 for false.
func indicators(mask []bool) []float32 {
	values := make([]float32, len(mask))
	for i, set := range mask {
		if set {
			values[i] = 1
		}
	}
	return values
}
