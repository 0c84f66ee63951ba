package knnindex

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/dot"
)

// BenchmarkSearch searches 20,000 clustered vectors of 384 numbers for the 15 nearest of a query, on one core. The
// comparison with other libraries is in bench.
func BenchmarkSearch(b *testing.B) {
	const queries, k = 256, 15
	c := newClusters(800, 384)
	v, sample := c.sample(20_000), c.sample(queries)
	graph, err := BuildHNSW(b.Context(), v, HNSWOptions{})
	if err != nil {
		b.Fatal(err)
	}
	indexes := map[string]Index{"hnsw": graph}
	for _, kernel := range dot.Supported() {
		indexes["flat/"+kernel.String()] = newQuantized(v, kernel)
	}
	for name, index := range indexes {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				index.Search(nil, sample.Row(i%queries), k)
			}
		})
	}
}
