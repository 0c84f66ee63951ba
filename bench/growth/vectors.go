package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// makeVectors writes a folder for ours knn as peer_knn.py does, without NumPy:
// clusters of unit vectors that overlap as those of an encoder do. Centres and the
// vectors around them differ in some directions only, which a random matrix takes to
// all, with a little noise in all of them and a shared mean: in random directions of
// hundreds of dimensions every search finds everything.
func makeVectors(args []string) error {
	flags := flag.NewFlagSet("vectors", flag.ContinueOnError)
	out := flags.String("out", "", "`folder` to write")
	vectors := flags.Int("vectors", 0, "rows")
	queries := flags.Int("queries", 0, "rows to search for, of the same clusters and not among them")
	dim := flags.Int("dim", 384, "numbers in a row")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *out == "" || *vectors < 1 || *queries < 1 || *dim < 1 {
		return errors.New("want --out, and --vectors, --queries and --dim of 1 or more")
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	c := newClusters((*vectors+clusterSize-1)/clusterSize, *dim)
	if err := c.write(filepath.Join(*out, "vectors.f32"), *vectors, 1); err != nil {
		return err
	}
	if err := c.write(filepath.Join(*out, "queries.f32"), *queries, 2); err != nil {
		return err
	}
	meta := fmt.Sprintf("{\"vectors\": %d, \"dim\": %d, \"queries\": %d}\n", *vectors, *dim, *queries)
	return os.WriteFile(filepath.Join(*out, "meta.json"), []byte(meta), 0o644)
}

// What peer_knn.py has for its defaults.
const (
	clusterSize   = 25  // vectors around a centre
	clusterInner  = 24  // directions that centres differ in
	clusterSpread = .7  // standard deviation around a centre, where that of the centres is 1
	clusterNoise  = .1  // in all dimensions
	clusterCommon = .5  // of the mean's numbers
	clusterSeed   = 611 // any
)

type clusters struct {
	dim     int
	outward [][]float32 // clusterInner rows of dim: the random matrix
	mean    []float32
	centres [][]float32
}

func newClusters(count, dim int) *clusters {
	r := rand.New(rand.NewPCG(clusterSeed, 0))
	c := &clusters{dim: dim, mean: normal(r, dim, clusterCommon)}
	for range clusterInner {
		c.outward = append(c.outward, normal(r, dim, 1/math.Sqrt(clusterInner)))
	}
	for range count {
		c.centres = append(c.centres, normal(r, clusterInner, 1))
	}
	return c
}

// write draws rows of raw little-endian float32 into a file.
func (c *clusters) write(path string, rows int, seed uint64) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close() // a second time, where all went well
	r := rand.New(rand.NewPCG(clusterSeed, seed))
	w := bufio.NewWriterSize(file, 1<<20)
	for range rows {
		if err := binary.Write(w, binary.LittleEndian, c.draw(r)); err != nil {
			return err
		}
	}
	return errors.Join(w.Flush(), file.Close())
}

// draw makes a unit vector around a centre that is drawn too.
func (c *clusters) draw(r *rand.Rand) []float32 {
	row := normal(r, c.dim, clusterNoise)
	for i, m := range c.mean {
		row[i] += m
	}
	centre := c.centres[r.IntN(len(c.centres))]
	for i, near := range normal(r, clusterInner, clusterSpread) {
		near += centre[i]
		for j, x := range c.outward[i] {
			row[j] += near * x
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

func normal(r *rand.Rand, n int, deviation float64) []float32 {
	numbers := make([]float32, n)
	for i := range numbers {
		numbers[i] = float32(deviation * r.NormFloat64())
	}
	return numbers
}
