package main

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/knnindex"
)

// The clusters of makeVectors.
const (
	clusterSize   = 25  // vectors per center
	clusterInner  = 24  // directions in which centers differ
	clusterSpread = .7  // standard deviation around a center, in units of that of the centers
	clusterNoise  = .1  // standard deviation in all dimensions
	clusterCommon = .5  // standard deviation of the shared mean's components
	clusterSeed   = 611 // arbitrary
)

// makeVectors writes a folder for the job knn and for peer_knn.py: unit vectors and queries of the same kind. The
// clusters overlap like the vectors of an encoder. Centers and the vectors around them differ in a few directions,
// which a random matrix spreads over all dimensions; a little noise and a shared mean are added. With random directions
// in hundreds of dimensions every search would find everything.
func makeVectors(o *options) {
	harness.Check(os.MkdirAll(o.Out, 0o755))
	r := rand.New(rand.NewPCG(clusterSeed, 0))
	mean, spread := gaussian(r, o.Dim, clusterCommon), make([][]float32, clusterInner)
	for i := range spread {
		spread[i] = gaussian(r, o.Dim, 1/math.Sqrt(clusterInner))
	}
	centers := make([][]float32, (o.Vectors+clusterSize-1)/clusterSize)
	for i := range centers {
		centers[i] = gaussian(r, clusterInner, 1)
	}
	sample := func(r *rand.Rand, cluster int) []float32 {
		row := gaussian(r, o.Dim, clusterNoise)
		for i, m := range mean {
			row[i] += m
		}
		for i, x := range gaussian(r, clusterInner, clusterSpread) {
			for j, s := range spread[i] {
				row[j] += (x + centers[cluster][i]) * s
			}
		}
		squares := 0.0
		for _, x := range row {
			squares += float64(x) * float64(x)
		}
		for i := range row {
			row[i] /= float32(math.Sqrt(squares))
		}
		return row
	}
	for i, file := range []struct {
		name string
		n    int
	}{{"vectors.npy", o.Vectors}, {"queries.npy", o.Queries}} {
		r := rand.New(rand.NewPCG(clusterSeed, uint64(i+1)))
		rows := &knnindex.Vectors{Dim: o.Dim}
		for range file.n {
			rows.Data = append(rows.Data, sample(r, r.IntN(len(centers)))...)
		}
		harness.Check(rows.WriteNPY(filepath.Join(o.Out, file.name)))
	}
}

// gaussian returns n numbers of a normal distribution around 0.
func gaussian(r *rand.Rand, n int, deviation float64) []float32 {
	numbers := make([]float32, n)
	for i := range numbers {
		numbers[i] = float32(deviation * r.NormFloat64())
	}
	return numbers
}
