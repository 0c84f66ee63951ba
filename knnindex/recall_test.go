package knnindex

import (
	"math"
	"math/rand/v2"

	"github.com/ctxnorm/ctxnorm/internal/dot"
)

// clusters generates unit vectors distributed like those of an encoder: 25 per cluster, with overlapping clusters.
// Centers and the vectors around them differ in 24 directions only, which a random matrix maps to dim dimensions, with
// a little noise in all dimensions and a common mean. (Random directions in hundreds of dimensions would be so far
// apart that every search finds everything.)
type clusters struct {
	r       *rand.Rand
	dim     int
	spread  []float32 // inner x dim
	mean    []float32
	centers [][]float32
}

const (
	clusterSize   = 25
	clusterInner  = 24  // directions in which centers differ
	clusterSpread = .7  // standard deviation around a center, in units of that of the centers
	clusterNoise  = .1  // in all dimensions
	clusterCommon = .5  // of the mean's numbers
	clusterSeed   = 611 // any
)

func newClusters(count, dim int) *clusters {
	r := rand.New(rand.NewPCG(clusterSeed, uint64(dim)))
	c := &clusters{
		r:      r,
		dim:    dim,
		spread: normal(r, dim*clusterInner, 1/math.Sqrt(clusterInner)),
		mean:   normal(r, dim, clusterCommon),
	}
	for range count {
		c.centers = append(c.centers, normal(r, clusterInner, 1))
	}
	return c
}

// sample returns n vectors, each around a random center.
func (c *clusters) sample(n int) *Vectors {
	v := &Vectors{Dim: c.dim, Data: make([]float32, 0, n*c.dim)}
	kernel := dot.Best()
	for range n {
		latent := normal(c.r, clusterInner, clusterSpread)
		for i, x := range c.centers[c.r.IntN(len(c.centers))] {
			latent[i] += x
		}
		row := normal(c.r, c.dim, clusterNoise)
		for i := range row {
			row[i] += kernel.Dot(latent, c.spread[i*clusterInner:]) + c.mean[i]
		}
		v.Data = append(v.Data, unit(row)...)
	}
	return v
}

func normal(r *rand.Rand, n int, deviation float64) []float32 {
	numbers := make([]float32, n)
	for i := range numbers {
		numbers[i] = float32(deviation * r.NormFloat64())
	}
	return numbers
}

// unit scales row to unit length.
func unit(row []float32) []float32 {
	var squares float64
	for _, x := range row {
		squares += float64(x) * float64(x)
	}
	for i := range row {
		row[i] = float32(float64(row[i]) / math.Sqrt(squares))
	}
	return row
}

// recall returns the share of the rows in want that are in got for the same query.
func recall(got, want [][]Hit) float64 {
	found, all := 0, 0
	for i := range want {
		rows := make(map[int32]bool)
		for _, hit := range got[i] {
			rows[hit.Row] = true
		}
		for _, hit := range want[i] {
			all++
			if rows[hit.Row] {
				found++
			}
		}
	}
	return float64(found) / float64(all)
}
