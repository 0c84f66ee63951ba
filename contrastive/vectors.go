package contrastive

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// LossOfVectors is [MultiSimilarity.Loss] over the cosines of the rows of x
// (n*d, row-major, of any length but 0), with the gradient with respect to x.
// The cosine of a row with itself is in no pair and gives no gradient.
func (s MultiSimilarity) LossOfVectors(x []float64, d int, pairs Pairs) (loss float64, grad []float64, err error) {
	n := pairs.N
	if len(x) != n*d {
		return 0, nil, fmt.Errorf("vectors: %d numbers, want %d rows of %d", len(x), n, d)
	}
	unit, norms, err := normalize(x, n, d)
	if err != nil {
		return 0, nil, err
	}
	loss, gradSim := s.Loss(cosines(unit, n, d), pairs)
	grad = make([]float64, n*d)
	for i := range n {
		// S_ij = u_i.u_j stands in row i and in row j, so
		// dL/du_i = sum_j (G_ij + G_ji) u_j.
		g := grad[i*d : (i+1)*d]
		for j := range n {
			floats.AddScaled(g, gradSim[i*n+j]+gradSim[j*n+i], unit[j*d:(j+1)*d])
		}
		// u = x/|x|, so dL/dx = (g - (g.u) u) / |x|.
		u := unit[i*d : (i+1)*d]
		floats.AddScaled(g, -floats.Dot(g, u), u)
		floats.Scale(1/norms[i], g)
	}
	return loss, grad, nil
}

func normalize(x []float64, n, d int) (unit, norms []float64, err error) {
	unit = make([]float64, n*d)
	norms = make([]float64, n)
	for i := range n {
		row := x[i*d : (i+1)*d]
		norms[i] = floats.Norm(row, 2)
		if norms[i] == 0 || math.IsNaN(norms[i]) || math.IsInf(norms[i], 0) {
			return nil, nil, fmt.Errorf("vectors: row %d has length %v and no direction", i, norms[i])
		}
		floats.ScaleTo(unit[i*d:(i+1)*d], 1/norms[i], row)
	}
	return unit, norms, nil
}

func cosines(unit []float64, n, d int) []float64 {
	sim := make([]float64, n*n)
	for i := range n {
		for j := range n {
			sim[i*n+j] = floats.Dot(unit[i*d:(i+1)*d], unit[j*d:(j+1)*d])
		}
	}
	return sim
}
