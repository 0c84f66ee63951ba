package link

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"ctxnorm/knnindex"
)

// memoizedIndex is an index that remembers what it found, as [Memoized] does vectors.
// It holds 8 bytes a hit and 4 bytes x dimensions for each distinct query.
type memoizedIndex struct {
	knnindex.Index

	mu   sync.Mutex
	hits map[string][]knnindex.Hit // by what [searchKey] gives
}

func memoizeIndex(index knnindex.Index) knnindex.Index {
	if _, remembers := index.(*memoizedIndex); remembers {
		return index
	}
	return &memoizedIndex{Index: index, hits: make(map[string][]knnindex.Hit)}
}

// SearchBatch implements [knnindex.Index]: it searches what is new.
func (x *memoizedIndex) SearchBatch(ctx context.Context, queries []float32, k, workers int) ([][]knnindex.Hit, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	dim := x.Dim()
	var keys, unknown []string // of all queries, and of those that are searched
	var searched []float32
	for start := 0; start+dim <= len(queries); start += dim {
		vector := queries[start : start+dim]
		key := searchKey(vector, k)
		keys = append(keys, key)
		if _, known := x.hits[key]; !known {
			x.hits[key] = nil
			unknown = append(unknown, key)
			searched = append(searched, vector...)
		}
	}
	found, err := x.Index.SearchBatch(ctx, searched, k, workers)
	if err != nil {
		for _, key := range unknown {
			delete(x.hits, key)
		}
		return nil, err
	}
	for i, key := range unknown {
		x.hits[key] = found[i]
	}
	hits := make([][]knnindex.Hit, len(keys))
	for i, key := range keys {
		hits[i] = slices.Clone(x.hits[key]) // the caller's to change
	}
	return hits, nil
}

// searchKey is all that an index sees of a search.
func searchKey(vector []float32, k int) string {
	key := binary.AppendUvarint(make([]byte, 0, binary.MaxVarintLen64+4*len(vector)), uint64(k))
	for _, x := range vector {
		key = binary.LittleEndian.AppendUint32(key, math.Float32bits(x))
	}
	return string(key)
}
