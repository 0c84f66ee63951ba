package knnindex

import (
	"context"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
)

// groupQueries is how many queries are compared with rows while these are in
// cache: 256 sketches of 384 bytes are 98 kB.
const groupQueries = 256

// SearchBatch searches all queries: see [Index]. The workers share out the rows,
// so that a single query gains from them too.
func (f *Flat) SearchBatch(ctx context.Context, queries []float32, k, workers int) ([][]Hit, error) {
	n, err := countQueries(queries, f.Dim())
	if err != nil {
		return nil, err
	}
	k = max(0, min(k, f.Len()))
	results := make([][]Hit, 0, n)
	for start := 0; start < n; start += groupQueries {
		end := min(n, start+groupQueries)
		group, err := f.searchGroup(ctx, queries[start*f.Dim():end*f.Dim()], k, workers)
		if err != nil {
			return nil, err
		}
		results = append(results, group...)
	}
	return results, nil
}

// searchGroup gives each worker a range of the rows, and joins what they found.
func (f *Flat) searchGroup(ctx context.Context, queries []float32, k, workers int) ([][]Hit, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	n, group := len(queries)/f.Dim(), f.group(queries)
	tiles := (f.Len() + scanRows - 1) / scanRows
	share := (tiles + workers - 1) / workers * scanRows
	found := make([][]beam, workers)
	g, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		found[w] = make([]beam, n)
		g.Go(func() error {
			for i := range found[w] {
				found[w][i].reset(k)
			}
			return newFlatScan(f, group, found[w]).run(ctx, min(w*share, f.Len()), min((w+1)*share, f.Len()))
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	results := make([][]Hit, n)
	for i := range results {
		for w := range workers {
			results[i] = found[w][i].appendHits(results[i])
		}
		slices.SortFunc(results[i], compareHits)
		results[i] = slices.Clip(results[i][:min(k, len(results[i]))])
	}
	return results, nil
}
