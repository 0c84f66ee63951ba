package knnindex

import (
	"context"
	"slices"
)

// Join is an index of the rows of several indexes, one after the other: shards of vectors that are too many for one
// index, or a large index and a few rows that were added to it.
//
// A search merges the nearest rows of all indexes, by similarity and then by row. So a join of exact indexes is exact,
// and its hits are those of one index of all rows to the last bit. A join of a graph and a [Flat] misses no row of the
// Flat.
type Join struct {
	indexes []Index
	starts  []int32 // number of the first row of each index
	rows    int
}

// NewJoin returns the join of indexes with the same dimension and at most [math.MaxInt32] rows in all. The number of a
// row is its number in its own index plus the lengths of the indexes before.
func NewJoin(first Index, others ...Index) *Join {
	j := &Join{indexes: append([]Index{first}, others...)}
	for _, index := range j.indexes {
		j.starts = append(j.starts, int32(j.rows))
		j.rows += index.Len()
	}
	return j
}

// Len returns the number of rows.
func (j *Join) Len() int { return j.rows }

// Dim returns the dimension of a row.
func (j *Join) Dim() int { return j.indexes[0].Dim() }

// Search implements [Index].
func (j *Join) Search(dst []Hit, query []float32, k int) []Hit {
	first := len(dst)
	for i, index := range j.indexes {
		before := len(dst)
		dst = index.Search(dst, query, k)
		shift(dst[before:], j.starts[i])
	}
	return dst[:first+len(nearest(dst[first:], k))]
}

// SearchBatch implements [Index]. It searches one index after the other, so indexes that do not fit into memory
// together are read once for all queries.
func (j *Join) SearchBatch(ctx context.Context, queries []float32, k, workers int) ([][]Hit, error) {
	var merged [][]Hit
	for i, index := range j.indexes {
		hits, err := index.SearchBatch(ctx, queries, k, workers)
		if err != nil {
			return nil, err
		}
		for q := range hits {
			shift(hits[q], j.starts[i])
			if i > 0 {
				hits[q] = nearest(append(merged[q], hits[q]...), k)
			}
		}
		merged = hits
	}
	return merged, nil
}

// shift adds start to the rows of hits.
func shift(hits []Hit, start int32) {
	for i := range hits {
		hits[i].Row += start
	}
}

// nearest sorts hits and returns the first k, or all if there are fewer.
func nearest(hits []Hit, k int) []Hit {
	slices.SortFunc(hits, compareHits)
	return hits[:max(0, min(k, len(hits)))]
}
