package cores

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

func TestShare(t *testing.T) {
	for _, workers := range []int{0, 1, 3} {
		for _, n := range []int{0, 1, 2, 100} {
			calls := make([]atomic.Int32, n)
			if err := Share(t.Context(), n, workers, func(i int) { calls[i].Add(1) }); err != nil {
				t.Fatal(err)
			}
			for i := range calls {
				if got := calls[i].Load(); got != 1 {
					t.Errorf("%d workers: %d of %d is done %d times", workers, i, n, got)
				}
			}
		}
	}
}

func TestShareUntilDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var calls atomic.Int32
	err := Share(ctx, 1000, 2, func(int) {
		calls.Add(1)
		cancel()
	})
	if !errors.Is(err, context.Canceled) || calls.Load() > 2 {
		t.Errorf("%v after %d calls, want the context's error after one of each worker at most", err, calls.Load())
	}
}
