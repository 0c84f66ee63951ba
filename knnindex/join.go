package knnindex

import "context"

// Join is an index of the rows of one index and then those of another, such as a few that were added to
// a large one. A search merges the nearest rows of both, so a join of exact indexes is
// exact, and one of a graph and a [Flat] misses no row of the second.
type Join struct {
	first, second Index
}

// NewJoin returns the join of two indexes of one dimension. A row of the second has its number there
// plus the length of the first.
func NewJoin(first, second Index) *Join { return &Join{first, second} }

// Kind returns that of the first index.
func (j *Join) Kind() Kind { return j.first.Kind() }

// Len returns the number of rows.
func (j *Join) Len() int { return j.first.Len() + j.second.Len() }

// Dim returns the dimension of a row.
func (j *Join) Dim() int { return j.first.Dim() }

// Search implements [Index].
func (j *Join) Search(dst []Hit, query []float32, k int) []Hit {
	return j.merge(dst, j.first.Search(nil, query, k), j.second.Search(nil, query, k), k)
}

// SearchBatch implements [Index].
func (j *Join) SearchBatch(ctx context.Context, queries []float32, k, workers int) ([][]Hit, error) {
	hits, err := j.first.SearchBatch(ctx, queries, k, workers)
	if err != nil {
		return nil, err
	}
	second, err := j.second.SearchBatch(ctx, queries, k, workers)
	if err != nil {
		return nil, err
	}
	for i := range hits {
		hits[i] = j.merge(nil, hits[i], second[i], k)
	}
	return hits, nil
}

// merge appends the k best of two sorted lists to dst.
func (j *Join) merge(dst, first, second []Hit, k int) []Hit {
	offset := int32(j.first.Len())
	for n := 0; n < k && len(first)+len(second) > 0; n++ {
		// At the same similarity rows of the first come first, as their numbers are lower.
		if len(second) == 0 || len(first) > 0 && first[0].Similarity >= second[0].Similarity {
			dst, first = append(dst, first[0]), first[1:]
			continue
		}
		dst, second = append(dst, Hit{second[0].Row + offset, second[0].Similarity}), second[1:]
	}
	return dst
}
