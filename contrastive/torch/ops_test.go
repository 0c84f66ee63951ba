//go:build torch

package torch

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/sugarme/gotch"
)

// TestNumbersOutliveTheirOperation computes with numbers while the collector runs
// all the time: a number that is finalized before its operation has read it gives
// another result, or ends the process.
func TestNumbersOutliveTheirOperation(t *testing.T) {
	var done atomic.Bool
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for !done.Load() {
			runtime.GC()
		}
	}()
	defer func() { done.Store(true); <-stopped }()
	values := make([]float32, 1<<14)
	for i := range values {
		values[i] = 1
	}
	err := onThread(false, func() error {
		for range 2000 {
			s := newScope(gotch.CPU)
			x := s.fromFloats(values, 1, int64(len(values)))
			got := s.view(s.unit(s.addNumber(s.mulNumber(x, 3), 1))) // rows of 4, of length 4 * 128
			if s.err == nil && (got[0] != 1./128 || got[len(got)-1] != 1./128) {
				t.Errorf("%g to %g, want %g", got[0], got[len(got)-1], 1./128)
			}
			s.drop()
			if s.err != nil {
				return s.err
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
