package knnindex

import (
	"cmp"
	"context"
	"fmt"
)

// Hit is a row found for a query.
type Hit struct {
	Row        int32
	Similarity float32 // dot product, which for unit vectors is the cosine
}

// Index finds the rows most similar to a query. Its methods may be called at
// the same time.
type Index interface {
	Kind() Kind
	Len() int // rows
	Dim() int // numbers in a row
	// Search appends to dst the k rows most similar to query, the most similar
	// first, ties by row; all rows where there are fewer. It panics unless query
	// has Dim numbers. A query with a NaN is similar to nothing.
	Search(dst []Hit, query []float32, k int) []Hit
	// SearchBatch gives for each query, one after another in queries, what Search
	// would, whatever the number of workers (0: one for each processor).
	SearchBatch(ctx context.Context, queries []float32, k, workers int) ([][]Hit, error)
}

// compareHits orders hits: the more similar first, then the lower row.
func compareHits(a, b Hit) int {
	if a.Similarity != b.Similarity {
		return cmp.Compare(b.Similarity, a.Similarity)
	}
	return cmp.Compare(a.Row, b.Row)
}

// mustHaveDim panics where query is of another length than the index's rows.
func mustHaveDim(query []float32, dim int) {
	if len(query) != dim {
		panic(fmt.Sprintf("knnindex: query of %d numbers, index of %d", len(query), dim))
	}
}

// countQueries is the number of queries in a batch.
func countQueries(queries []float32, dim int) (int, error) {
	if dim <= 0 || len(queries)%dim != 0 {
		return 0, fmt.Errorf("queries: want whole rows of %d numbers, got %d numbers", dim, len(queries))
	}
	return len(queries) / dim, nil
}
