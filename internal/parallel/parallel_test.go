package parallel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/blevesearch/mmap-go"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

func TestForErrRunsEveryIndexOnce(t *testing.T) {
	for _, workers := range []int{0, 1, 3} {
		for _, n := range []int{0, 1, 2, 100} {
			calls := make([]atomic.Int32, n)
			must.Succeed(t, ForErr(t.Context(), n, workers, func(i int) error {
				calls[i].Add(1)
				return nil
			}))
			for i := range calls {
				must.Equal(t, calls[i].Load(), 1, workers, "workers: index", i, n, "times that it ran")
			}
		}
	}
}

// TestForErrReturnsTheLowestError fails at 40 and 41 of 100, and at every index over 60. Whatever the timing, the error
// must be that of 40 and the indexes below it must have run.
func TestForErrReturnsTheLowestError(t *testing.T) {
	for _, workers := range []int{1, 2, 8, 100} {
		for range 50 {
			ran := make([]atomic.Bool, 100)
			err := ForErr(t.Context(), 100, workers, func(i int) error {
				ran[i].Store(true)
				if i == 40 || i == 41 || i > 60 {
					return fmt.Errorf("index %d", i)
				}
				return nil
			})
			if err == nil || err.Error() != "index 40" {
				t.Fatalf("%d workers: error is %v, want that of index 40", workers, err)
			}
			for i := range 41 {
				if !ran[i].Load() {
					t.Fatalf("%d workers: index %d did not run, though it lies below the error", workers, i)
				}
			}
		}
	}
}

func TestForErrStopsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var calls atomic.Int32
	err := For(ctx, 1000, 2, func(int) {
		calls.Add(1)
		cancel()
	})
	if !errors.Is(err, context.Canceled) || calls.Load() > 2 {
		t.Errorf("%v after %d calls, want the context's error after at most one call per worker", err, calls.Load())
	}
}

// TestForErrCompletesInTheLastCall checks that it is not an error if the context ends when all work is done.
func TestForErrCompletesInTheLastCall(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	must.Succeed(t, ForErr(ctx, 5, 1, func(i int) error {
		if i == 4 {
			cancel()
		}
		return nil
	}), "all calls were made, but the error")
}

func TestRangesCoverAll(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 7} {
		for _, n := range []int{0, 1, 6, 7, 100} {
			var mu sync.Mutex
			var covered []int
			Ranges(n, workers, func(start, end int) {
				mu.Lock()
				defer mu.Unlock()
				for i := start; i < end; i++ {
					covered = append(covered, i)
				}
			})
			slices.Sort(covered)
			var want []int
			for i := range n {
				want = append(want, i)
			}
			must.Equal(t, covered, want, workers, "workers of", n)
		}
	}
}

func TestDoReturnsTheFirstError(t *testing.T) {
	var ran atomic.Int32
	failed := make(chan struct{})
	err := Do(
		func() error { ran.Add(1); return nil },
		func() error { <-failed; ran.Add(1); return errors.New("second") }, // fails last
		func() error { defer close(failed); ran.Add(1); return errors.New("third") },
	)
	if err == nil || err.Error() != "second" || ran.Load() != 3 {
		t.Errorf("error is %v after %d tasks, want that of the second after all 3", err, ran.Load())
	}
	must.Succeed(t, Do(), "no tasks")
}

// TestSort checks that a sort stops if its context ends, and otherwise completes.
func TestSort(t *testing.T) {
	items := make([]int, 1<<18)
	for i := range items {
		items[i] = i * 7919 % len(items)
	}
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	err := Sort(ctx, slices.Clone(items), func(a, b int) int {
		if calls++; calls == 1<<17 {
			cancel()
		}
		return cmp.Compare(a, b)
	})
	if !errors.Is(err, context.Canceled) || calls > 1<<17+1<<14 {
		t.Errorf("%v after %d comparisons, want the context's error soon after %d", err, calls, 1<<17)
	}
	if err := Sort(t.Context(), items, cmp.Compare); err != nil || !slices.IsSorted(items) {
		t.Errorf("error is %v, want sorted items", err)
	}
}

// TestPanicsOfWorkers checks that a panic of a call comes out of the called function, where it can be recovered, and so
// does the fault of reading from a truncated mapped file.
func TestPanicsOfWorkers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mapped")
	must.Succeed(t, os.WriteFile(path, make([]byte, 100), 0o666))
	file := must.Get(os.OpenFile(path, os.O_RDWR, 0))
	defer file.Close()
	mapped := must.Get(mmap.Map(file, mmap.RDONLY, 0))
	defer mapped.Unmap()    //nolint:errcheck // the test is over
	cut := file.Truncate(0) // fails on systems where a mapped file cannot be truncated

	fail := func() { panic(io.ErrUnexpectedEOF) }
	for name, call := range map[string]func(){
		"ForErr": func() { _ = ForErr(t.Context(), 9, 3, func(int) error { fail(); return nil }) },
		"For":    func() { _ = For(context.Background(), 9, 3, func(int) { fail() }) },
		"Ranges": func() { Ranges(9, 3, func(int, int) { fail() }) },
		"Do":     func() { _ = Do(func() error { return nil }, func() error { fail(); return nil }) },
		"a fault": func() {
			if cut != nil {
				fail()
			}
			Ranges(1, 1, func(int, int) { _ = string(mapped[:1]) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				p, ok := recover().(*Panic)
				var fault interface{ Addr() uintptr }
				if !ok || !errors.Is(p, io.ErrUnexpectedEOF) && !errors.As(p, &fault) {
					t.Errorf("panic with %v, want the cause", p)
				}
			}()
			call()
			t.Error("no panic")
		})
	}
}
