//go:build torch

package torch

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"ctxnorm"
	"ctxnorm/tokenizer"
)

// encodeRound tokenizes the queries on all cores, packs them into batches and
// computes those on all cores.
func (e *Encoder) encodeRound(ctx context.Context, dst []float32, queries []ctxnorm.Query) error {
	inputs, err := tokenize(ctx, e.tokenizer, e.workers, len(queries), e.settings,
		func(i int) *ctxnorm.Query { return &queries[i] })
	if err != nil {
		return err
	}
	batches := pack(inputs, e.batchTokens)
	workers := min(e.workers, len(batches))
	if workers == 0 {
		return nil
	}
	// One thread for each of many batches is faster than many threads for each:
	// nothing waits for the slowest part of a product. A single batch, as when
	// one mention is linked, gets all.
	threads := e.workers / workers
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range workers {
		group.Go(func() error {
			if err := e.cores.Acquire(ctx, int64(threads)); err != nil {
				return err
			}
			defer e.cores.Release(int64(threads))
			return onThread(threads, false, func() error {
				for {
					i := int(next.Add(1)) - 1
					if i >= len(batches) {
						return nil
					}
					if err := ctx.Err(); err != nil {
						return err
					}
					if err := e.encodeBatch(dst, inputs, batches[i]); err != nil {
						return err
					}
				}
			})
		})
	}
	return group.Wait()
}

// encodeBatch computes the vectors of the inputs at these positions.
func (e *Encoder) encodeBatch(dst []float32, inputs []tokenizer.Input, positions []int) error {
	rows := make([]*tokenizer.Input, len(positions))
	slots := make([]slot, len(positions))
	for i, p := range positions {
		rows[i] = &inputs[p]
		slots[i] = slot{row: i, span: inputs[p].Query}
	}
	in := newBatch(rows, e.model.config.PadID, e.model.markers)
	s := newScope(e.weights.device)
	defer s.drop()
	dim := e.Dim()
	vectors := make([]float32, len(positions)*dim)
	s.floats(vectors, pool(s, e.bert.forward(s, in), in, slots, e.settings.Pooling, int64(dim)))
	if s.err != nil {
		return s.err
	}
	if err := checkUnit(vectors, dim); err != nil {
		return err
	}
	for i, p := range positions {
		copy(dst[p*dim:(p+1)*dim], vectors[i*dim:(i+1)*dim])
	}
	return nil
}

// tokenize gives the inputs of n queries, on so many goroutines.
func tokenize(ctx context.Context, t *tokenizer.Tokenizer, workers, n int, settings Settings, query func(i int) *ctxnorm.Query) ([]tokenizer.Input, error) {
	options := tokenizer.Options{MaxTokens: settings.MaxTokens, MarkAll: settings.MarkAll}
	inputs := make([]tokenizer.Input, n)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	const stride = 256 // queries between two looks at ctx
	for start := 0; start < n; start += stride {
		group.Go(func() error {
			for i := start; i < min(start+stride, n); i++ {
				in, err := t.Encode(query(i), options)
				if err != nil {
					return fmt.Errorf("query %d: %w", i, err)
				}
				inputs[i] = in
			}
			return ctx.Err()
		})
	}
	return inputs, group.Wait()
}

// pack cuts the positions of the inputs, the longest first, into batches of at
// most so many tokens with their padding, or of one input that has more.
func pack(inputs []tokenizer.Input, budget int) [][]int {
	order := make([]int, len(inputs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(inputs[b].IDs), len(inputs[a].IDs)) })
	var batches [][]int
	for len(order) > 0 {
		n := max(1, budget/max(1, len(inputs[order[0]].IDs)))
		n = min(n, len(order))
		batches = append(batches, order[:n])
		order = order[n:]
	}
	return batches
}
