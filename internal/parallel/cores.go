package parallel

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// Cores limits the number of goroutines of all calls together.
type Cores struct {
	N    int // number of goroutines
	free *semaphore.Weighted
}

// NewCores returns n cores, or as many as Go uses if n is not positive: see [Workers].
func NewCores(n int) *Cores {
	n = Workers(n)
	return &Cores{n, semaphore.NewWeighted(int64(n))}
}

// Each runs f(0) to f(n-1) on as many goroutines as there are free cores. After an error or the end of ctx it starts no
// more calls, and returns the error.
func (c *Cores) Each(ctx context.Context, n int, f func(i int) error) error {
	return ForErr(ctx, n, c.N, func(i int) error {
		if err := c.free.Acquire(ctx, 1); err != nil {
			return err
		}
		defer c.free.Release(1)
		return f(i)
	})
}
