package knnindex

import (
	"context"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
)

const (
	// groupQueries is how many queries are compared with a row while it is in
	// cache: 256 x 384 x 4 bytes = 393 kB, which a level 2 cache holds. More
	// would save no time: at 256 the rows are read at 1 GB/s.
	groupQueries = 256
	// tileBytes is how much of the rows four queries meet before the next four:
	// half of a level 1 cache of 32 kB.
	tileBytes = 16 << 10
	// checkRows is how many rows are compared between two looks at the context:
	// a few milliseconds' work.
	checkRows = 2048
)

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
	n := len(queries) / f.Dim()
	share := (f.Len() + workers - 1) / workers
	found := make([][]beam, workers)
	g, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		found[w] = make([]beam, n)
		g.Go(func() error {
			for i := range found[w] {
				found[w][i].reset(k)
			}
			return f.scanGroup(ctx, found[w], queries, min(w*share, f.Len()), min((w+1)*share, f.Len()))
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

// scanGroup shows the rows from start to end to the beam of each query.
func (f *Flat) scanGroup(ctx context.Context, best []beam, queries []float32, start, end int) error {
	dim := f.Dim()
	tile := max(4, tileBytes/(4*dim)&^3) // rows, a multiple of 4
	grouped := len(best) &^ 3            // queries that go four at a time
	for checked := start; checked < end; checked += checkRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		stop := min(end, checked+checkRows)
		whole := checked + (stop-checked)&^3 // rows that go four at a time
		for row := checked; row < whole; row += tile {
			for q := 0; q < grouped; q += 4 {
				f.scanTile(best[q:q+4], queries[q*dim:(q+4)*dim], row, min(row+tile, whole))
			}
		}
		for q := range best {
			from := whole
			if q >= grouped {
				from = checked
			}
			f.scan(&best[q], queries[q*dim:(q+1)*dim], from, stop)
		}
	}
	return nil
}

// scanTile shows the rows from start to end, a multiple of four, to four beams.
func (f *Flat) scanTile(best []beam, queries []float32, start, end int) {
	dim := f.Dim()
	floors := [4]float32{best[0].floor(), best[1].floor(), best[2].floor(), best[3].floor()}
	var similarities [16]float32
	for row := start; row < end; row += 4 {
		f.kernel.Block(&similarities, queries, f.vectors.Data[row*dim:(row+4)*dim], dim)
		for q := range best {
			s := similarities[4*q : 4*q+4]
			if floor := floors[q]; s[0] > floor || s[1] > floor || s[2] > floor || s[3] > floor {
				best[q].insertRows(row, s)
				floors[q] = best[q].floor()
			}
		}
	}
}
