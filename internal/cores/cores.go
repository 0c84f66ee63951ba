// Package cores shares work among processors.
package cores

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Share calls do for 0 up to n, in no order, from several workers (0: one for each
// processor), until all is done or the context is. It fails only where the context
// is done.
func Share(ctx context.Context, n, workers int, do func(i int)) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range min(n, workers) {
		g.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				do(i)
			}
		})
	}
	return g.Wait()
}
