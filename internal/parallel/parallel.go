// Package parallel runs work on several cores.
//
// Use [ForErr] for many independent items, [Ranges] for one pass over a slice whose elements are too small to schedule
// one by one, and [Do] for a few different tasks. For pipelines of channels, use golang.org/x/sync/errgroup. If a call
// panics, the panic continues as a [*Panic] in the caller's goroutine once all goroutines have ended.
package parallel

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Workers returns the number of goroutines to use for a setting of n: n itself, or
// GOMAXPROCS if n is 0 or less.
func Workers(n int) int {
	if n <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

// ForErr calls do(0) to do(n-1) in several goroutines and returns when all calls have returned. The number of
// goroutines is workers, as in [Workers]. Indexes are handed out in ascending order.
//
// After an error or the end of ctx, no further index is handed out. ForErr returns the error of the lowest failing
// index, which does not depend on timing: every index below a failing one was handed out before it and is completed. If
// ctx is done, its error counts as that of the first index that was not run.
func ForErr(ctx context.Context, n, workers int, do func(i int) error) error {
	var (
		next    atomic.Int64
		stopped atomic.Bool
		running group

		mu     sync.Mutex
		lowest = n // lowest failing index
		failed error
	)
	for range min(n, Workers(workers)) {
		running.start(func() {
			// NB: stopped is read before an index is taken, never between taking one and running it, or the lowest
			// failing index could be skipped.
			for !stopped.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				err := ctx.Err()
				if err == nil {
					err = do(i)
				}
				if err == nil {
					continue
				}
				stopped.Store(true)
				mu.Lock()
				if i < lowest {
					lowest, failed = i, err
				}
				mu.Unlock()
			}
		})
	}
	running.wait()
	return failed
}

// For is like [ForErr] for work that cannot fail. It returns the error of ctx if that kept an index from running.
func For(ctx context.Context, n, workers int, do func(i int)) error {
	return ForErr(ctx, n, workers, func(i int) error {
		do(i)
		return nil
	})
}

// Ranges splits the indexes 0 to n-1 into one range per worker, as in [Workers], of equal length except the last. It
// calls do for each half-open range from start to end concurrently and returns when all calls have returned.
func Ranges(n, workers int, do func(start, end int)) {
	workers = Workers(workers)
	length := max(1, (n+workers-1)/workers)
	_ = For(context.Background(), (n+length-1)/length, workers, func(i int) { // fails only if the context is done
		do(i*length, min((i+1)*length, n))
	})
}

// Do runs all tasks concurrently and waits for all of them. It returns the error of the first task, in the order of the
// arguments, that failed. After an error, tasks that have not started are skipped.
func Do(tasks ...func() error) error {
	return ForErr(context.Background(), len(tasks), len(tasks), func(i int) error { return tasks[i]() })
}

// Sort is [slices.SortFunc] that stops early when ctx is done, and then returns its error.
func Sort[E any](ctx context.Context, items []E, compare func(a, b E) int) error {
	calls := 0
	slices.SortFunc(items, func(a, b E) int {
		if calls++; calls%(1<<14) == 0 && ctx.Err() != nil {
			compare = func(a, b E) int { return 0 }
		}
		return compare(a, b)
	})
	return ctx.Err()
}

type counterKey struct{}

// WithCounter returns a context in which [Step] calls count with the fraction of the pass that is about to begin.
func WithCounter(ctx context.Context, count func(part float64)) context.Context {
	return context.WithValue(ctx, counterKey{}, count)
}

// Step is called for each of n items in a long pass, by their index, in any order. It returns the error of ctx, which
// it checks for one item in 4,096.
func Step(ctx context.Context, i, n int) error {
	const every = 1 << 12
	if i%every > 0 {
		return nil
	}
	if count, ok := ctx.Value(counterKey{}).(func(float64)); ok {
		count(float64(min(every, n-i)) / float64(n))
	}
	return ctx.Err()
}
