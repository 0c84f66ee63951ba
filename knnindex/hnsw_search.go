package knnindex

import (
	"context"
	"slices"

	"ctxnorm/internal/cores"
)

// Search appends the k most similar rows to dst, as far as the walk finds them:
// see [Index].
func (h *HNSW) Search(dst []Hit, query []float32, k int) []Hit {
	return h.SearchEf(dst, query, k, h.options.EfSearch)
}

// SearchEf is [HNSW.Search] with efSearch given (algorithm 5). A row equal to
// another is found with it.
func (h *HNSW) SearchEf(dst []Hit, query []float32, k, ef int) []Hit {
	mustHaveDim(query, h.Dim())
	k = min(k, h.Len())
	if h.entry < 0 || k <= 0 {
		return dst
	}
	w := h.walkers.Get().(*walker)
	defer h.walkers.Put(w)
	start := w.hit(query, uint32(h.entry))
	if start.Similarity != start.Similarity { // NaN
		return dst
	}
	for layer := int(h.levels[h.entry]); layer > 0; layer-- {
		start = w.walk(query, start, 1, layer)
	}
	w.walk(query, start, max(ef, k), 0)

	first := len(dst)
	for _, e := range w.best.entries[:min(k, len(w.best.entries))] {
		dst = append(dst, e.Hit)
		dst = h.copies.appendHits(dst, e.Hit, k)
	}
	found := dst[first:]
	slices.SortFunc(found, compareHits)
	return dst[:first+min(k, len(found))]
}

// SearchBatch searches all queries, each worker some of them: see [Index].
func (h *HNSW) SearchBatch(ctx context.Context, queries []float32, k, workers int) ([][]Hit, error) {
	n, err := countQueries(queries, h.Dim())
	if err != nil {
		return nil, err
	}
	results := make([][]Hit, n)
	err = cores.Share(ctx, n, workers, func(i int) {
		results[i] = h.Search(nil, queries[i*h.Dim():(i+1)*h.Dim()], k)
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}
