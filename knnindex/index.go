package knnindex

import (
	"cmp"
	"context"
	"fmt"
)

// Hit is a row found for a query.
type Hit struct {
	Row        int32
	Similarity float32 // dot product; for unit vectors, the cosine
}

// Index finds the rows most similar to a query. Its methods are safe for concurrent use.
type Index interface {
	Len() int // number of rows
	Dim() int // dimension of a row
	// Search appends the k rows most similar to query to dst, or all rows if there are fewer, in descending order of
	// similarity, ties by row. It panics unless query has Dim numbers. It finds nothing for a query that contains NaN.
	Search(dst []Hit, query []float32, k int) []Hit
	// SearchBatch returns the hits of Search for each of the concatenated queries. They do not depend on the number of
	// workers; 0 stands for GOMAXPROCS.
	SearchBatch(ctx context.Context, queries []float32, k, workers int) ([][]Hit, error)
}

// compareHits orders hits by descending similarity, then by row.
func compareHits(a, b Hit) int {
	if a.Similarity != b.Similarity {
		return cmp.Compare(b.Similarity, a.Similarity)
	}
	return cmp.Compare(a.Row, b.Row)
}

// mustHaveDim panics unless query has dim numbers.
func mustHaveDim(query []float32, dim int) {
	if len(query) != dim {
		panic(fmt.Sprintf("knnindex: query has %d numbers, want %d as in the index", len(query), dim))
	}
}

// countQueries returns the number of queries in a batch.
func countQueries(queries []float32, dim int) (int, error) {
	if dim <= 0 || len(queries)%dim != 0 {
		return 0, fmt.Errorf("queries: batch has %d numbers, want a multiple of %d", len(queries), dim)
	}
	return len(queries) / dim, nil
}

// Kind is the name of a kind of index.
type Kind string

// The kinds of index. KindAuto chooses one of the others by size.
const (
	KindAuto Kind = "auto"
	KindFlat Kind = "flat"
	KindHNSW Kind = "hnsw"
)

// ParseKind returns the kind with the name s, or an error that lists the names.
func ParseKind(s string) (Kind, error) {
	switch kind := Kind(s); kind {
	case KindAuto, KindFlat, KindHNSW:
		return kind, nil
	}
	return "", fmt.Errorf("kind of index is %q, want %s, %s or %s", s, KindAuto, KindFlat, KindHNSW)
}

// maxFlatBytes is the size of vectors up to which [Choose] chooses exact search: 174,762 rows of 384 numbers. Measured
// on one core, for the nearest 15 of clustered vectors and a graph with default options:
//
//	rows       exact, per query in a batch   exact, single query   quantizing   graph, query   graph, build
//	 50,000                         .2 ms                 .8 ms        .08 s          .9 ms           40 s
//	326,575                        1.1 ms                  8 ms         .6 s         1.9 ms          590 s
//
// For batches, as in linking texts, exact search is faster at both sizes; for single queries it is faster up to about
// 60,000 rows. At the limit a single query takes 4 ms, less than encoding its sentence (10 ms), and the quantization,
// computed at every start, takes .3 s.
const maxFlatBytes = 256 << 20

// Choose returns the kind of index to make for rows of dim numbers, and the reason in words for the user: "flat: 1000 x
// 384 vectors are 1.5 MB, …". It returns a kind other than KindAuto unchanged.
func Choose(kind Kind, rows, dim int) (chosen Kind, reason string) {
	if kind != KindAuto {
		return kind, fmt.Sprintf("%s: as requested", kind)
	}
	bytes := 4 * rows * dim
	size := fmt.Sprintf("%d x %d vectors are %.1f MB", rows, dim, float64(bytes)/1e6)
	if bytes <= maxFlatBytes {
		return KindFlat, fmt.Sprintf("%s: %s; exact search is for up to %.1f MB", KindFlat, size,
			float64(maxFlatBytes)/1e6)
	}
	return KindHNSW, fmt.Sprintf("%s: %s; a graph is for more than %.1f MB", KindHNSW, size, float64(maxFlatBytes)/1e6)
}
