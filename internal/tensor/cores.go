//go:build torch

package tensor

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
)

// Cores bounds the goroutines of all calls together that compute without gradients.
type Cores struct {
	N    int // goroutines
	free *semaphore.Weighted
}

// NewCores returns the cores of a device for n workers, see [Workers].
func NewCores(device Device, n int) *Cores {
	workers := Workers(device, n)
	return &Cores{workers, semaphore.NewWeighted(int64(workers))}
}

// Each runs f(0) to f(n-1) on threads without gradients, as many at once as there are free
// cores. After an error or the end of ctx it begins no other, and returns the error.
func (c *Cores) Each(ctx context.Context, n int, f func(i int) error) error {
	var next atomic.Int64
	return OnThreads(min(c.N, n), false, func(int) error {
		if err := c.free.Acquire(ctx, 1); err != nil {
			return err
		}
		defer c.free.Release(1)
		for {
			i := int(next.Add(1)) - 1
			if i >= n {
				return nil
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := f(i); err != nil {
				return err
			}
		}
	})
}
