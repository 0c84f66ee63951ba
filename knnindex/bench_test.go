package knnindex

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/dot"
)

// The benchmarks search 20,000 clustered vectors of 384 numbers, or the number in the
// environment variable CTXNORM_BENCH_VECTORS, for the 15 nearest, on one core, and report
// recall@15 relative to exact search. The comparison with other libraries is in bench.
const (
	benchDim     = 384
	benchQueries = 256
	benchK       = 15
)

type benchSet struct {
	vectors, queries *Vectors
	exact            [][]Hit
}

func newBenchSet(b *testing.B) benchSet {
	n := 20_000
	if s := os.Getenv("CTXNORM_BENCH_VECTORS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			b.Fatalf("CTXNORM_BENCH_VECTORS: %v", err)
		}
	}
	const clusterSize = 25
	c := newClusters(n/clusterSize+1, benchDim)
	set := benchSet{vectors: c.sample(n), queries: c.sample(benchQueries)}
	var err error
	if set.exact, err = NewFlat(set.vectors).SearchBatch(b.Context(), set.queries.Data, benchK, 0); err != nil {
		b.Fatal(err)
	}
	return set
}

// searchEach times search, over the queries in turn, and reports its recall.
func (s benchSet) searchEach(b *testing.B, search func(query []float32) []Hit) {
	found := make([][]Hit, benchQueries)
	for i := range found {
		found[i] = search(s.queries.Row(i))
	}
	i := 0
	for b.Loop() {
		search(s.queries.Row(i % benchQueries))
		i++
	}
	b.ReportMetric(recall(found, s.exact), "recall")
}

// BenchmarkSearch searches for one query per operation.
func BenchmarkSearch(b *testing.B) {
	set := newBenchSet(b)
	for _, kernel := range dot.Supported() {
		flat := newQuantized(set.vectors, kernel)
		b.Run("flat/"+kernel.String(), func(b *testing.B) {
			set.searchEach(b, func(query []float32) []Hit { return flat.Search(nil, query, benchK) })
		})
	}
	graph, err := BuildHNSW(b.Context(), set.vectors, HNSWOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for _, ef := range []int{50, 100, 200} {
		b.Run(fmt.Sprintf("hnsw/ef%d", ef), func(b *testing.B) {
			set.searchEach(b, func(query []float32) []Hit { return graph.SearchEf(nil, query, benchK, ef) })
		})
	}
}

// BenchmarkSearchBatch searches for 256 queries per operation: divide by 256.
func BenchmarkSearchBatch(b *testing.B) {
	set := newBenchSet(b)
	for _, kernel := range dot.Supported() {
		flat := newQuantized(set.vectors, kernel)
		b.Run("flat/"+kernel.String(), func(b *testing.B) {
			for b.Loop() {
				if _, err := flat.SearchBatch(b.Context(), set.queries.Data, benchK, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkBuild builds the graph of all vectors per operation, on one core.
func BenchmarkBuild(b *testing.B) {
	set := newBenchSet(b)
	b.Run("hnsw", func(b *testing.B) {
		for b.Loop() {
			if _, err := BuildHNSW(b.Context(), set.vectors, HNSWOptions{Workers: 1}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkOpen measures a start: mapping vectors and reading their graph.
func BenchmarkOpen(b *testing.B) {
	v := newClusters(200, benchDim).sample(5000)
	h, err := BuildHNSW(context.Background(), v, HNSWOptions{EfConstruction: 20})
	if err != nil {
		b.Fatal(err)
	}
	path := b.TempDir()
	if err := v.WriteNPY(path + "/vectors.npy"); err != nil {
		b.Fatal(err)
	}
	if err := h.WriteFile(path + "/graph"); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(4 * len(v.Data)))
	for b.Loop() {
		mapped, err := OpenNPY(path + "/vectors.npy")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := OpenHNSW(path+"/graph", mapped); err != nil {
			b.Fatal(err)
		}
		if err := mapped.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
