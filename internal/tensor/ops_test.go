//go:build torch

package tensor

import (
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// TestScalarsOutliveTheirOperation computes with scalars while the collector runs all the time: a scalar that is
// finalized before its operation has read it changes the result, or crashes the process.
func TestScalarsOutliveTheirOperation(t *testing.T) {
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
	err := OnThread(false, func() error {
		for range 2000 {
			s := NewScope(CPU)
			x := s.FromFloats(values, 1, int64(len(values)))
			got := s.Floats(s.NormalizeRows(x)) // has length 128
			if s.Err() == nil && (got[0] != 1./128 || got[len(got)-1] != 1./128) {
				t.Errorf("got %g to %g, want %g", got[0], got[len(got)-1], 1./128)
			}
			s.Drop()
			if s.Err() != nil {
				return s.Err()
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestErrorWithoutTrace: an error of libtorch has one line.
func TestErrorWithoutTrace(t *testing.T) {
	err := OnThread(false, func() error {
		s := NewScope(CPU)
		defer s.Drop()
		s.Matmul(s.FromFloats(make([]float32, 6), 2, 3), s.FromFloats(make([]float32, 4), 2, 2))
		return s.Err()
	})
	if err == nil {
		t.Fatal("no error")
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("error has a stack trace: %v", err)
	}
}
