package link

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// together does several things at a time, and gives the error of the first of them
// that has one.
func together(tasks ...func() error) error {
	errs := make([]error, len(tasks))
	var running sync.WaitGroup
	for i, task := range tasks {
		running.Go(func() { errs[i] = task() })
	}
	running.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// onAllCores calls do for 0 to n-1, in an order that is not known, until all is done
// or ctx is.
func onAllCores(ctx context.Context, n int, do func(i int)) error {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	workers.Wait()
	return ctx.Err()
}
