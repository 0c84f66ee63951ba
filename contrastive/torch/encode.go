//go:build torch

package torch

import (
	"context"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"ctxnorm"
	"ctxnorm/tokenizer"
)

// encodeRound tokenizes the queries on all cores, packs them into batches and
// computes those on all cores. A sentence of several queries is computed once, if
// the same mentions are marked in it for all of them.
func (e *Encoder) encodeRound(ctx context.Context, dst []float32, queries []ctxnorm.Query) error {
	inputs, err := tokenize(ctx, e.tokenizer, e.workers, len(queries), e.settings,
		func(i int) *ctxnorm.Query { return &queries[i] })
	if err != nil {
		return err
	}
	sentences, asking := distinct(inputs)
	batches := e.pack(sentences)
	var next atomic.Int64
	return onThreads(min(e.workers, len(batches)), false, func(int) error {
		if err := e.cores.Acquire(ctx, 1); err != nil {
			return err
		}
		defer e.cores.Release(1)
		for {
			i := int(next.Add(1)) - 1
			if i >= len(batches) {
				return nil
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := e.encodeBatch(dst, inputs, sentences, asking, batches[i]); err != nil {
				return err
			}
		}
	})
}

// encodeBatch computes the vectors of all inputs that ask for the batch's
// sentences.
func (e *Encoder) encodeBatch(dst []float32, inputs, sentences []tokenizer.Input, asking [][]int, batch []int) error {
	rows := make([]*tokenizer.Input, len(batch))
	var slots []slot
	var places []int // in dst
	for row, sentence := range batch {
		rows[row] = &sentences[sentence]
		for _, i := range asking[sentence] {
			slots = append(slots, slot{row, pooledSpan(inputs[i].Query, e.settings.Pooling)})
			places = append(places, i)
		}
	}
	s := newScope(e.weights.device)
	defer s.drop()
	dim := e.Dim()
	vectors := e.vectors(s, rows, slots)
	if s.err != nil {
		return s.err
	}
	if err := checkUnit(vectors, dim); err != nil {
		return err
	}
	for i, row := range rowsOf(vectors, dim) {
		copy(dst[places[i]*dim:], row)
	}
	return nil
}

// pack cuts the inputs into batches: lists of positions.
func (e *Encoder) pack(inputs []tokenizer.Input) [][]int {
	if e.fused != nil {
		return packSequences(inputs, e.workers)
	}
	return packFor(inputs, e.workers, e.weights.device)
}

// vectors computes the slots of a batch, valid until the scope drops.
func (e *Encoder) vectors(s *scope, inputs []*tokenizer.Input, slots []slot) []float32 {
	c := e.model.config
	if e.fused != nil {
		return e.fused.vectors(s, newSequences(inputs, c.PadID, e.model.markers), slots)
	}
	return s.view(e.bert.vectors(s, newBatch(inputs, c.PadID, e.model.markers, c.Positions), slots))
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
