//go:build torch

package tensor

import (
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// TestScalarsOutliveTheirOperation computes with scalars while the collector runs
// all the time: a scalar that is finalized before its operation has read it changes
// the result, or crashes the process.
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
			got := s.Floats(s.NormalizeRows(s.AddScalar(s.MulScalar(x, 3), 1))) // rows of 4, of length 4 * 128
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

// TestSoftmax compares rows of every width, which libtorch or oneDNN computes, with
// float64.
func TestSoftmax(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for _, dtype := range []DType{Float32, BFloat16} {
		tolerance := map[DType]float64{Float32: 1e-6, BFloat16: 1. / 256}[dtype]
		for width := 1; width <= 70; width++ {
			const rows = 3
			x := make([]float32, rows*width)
			for i := range x {
				x[i] = float32(r.IntN(64)-32) / 8 // exact in bfloat16
				if i%width > 0 && r.IntN(4) == 0 {
					x[i] = -1e9 // as masked
				}
			}
			var got []float32
			err := OnThread(false, func() error {
				s := NewScope(CPU)
				defer s.Drop()
				got = append(got, s.Floats(s.softmax(s.Cast(s.FromFloats(x, 1, rows, int64(width)), dtype), int64(width)))...)
				return s.Err()
			})
			if err != nil {
				t.Fatal(err)
			}
			for start := 0; start < len(x); start += width {
				sum := 0.0
				for _, v := range x[start : start+width] {
					sum += math.Exp(float64(v))
				}
				for j := start; j < start+width; j++ {
					want := math.Exp(float64(x[j])) / sum
					if d := math.Abs(float64(got[j]) - want); !(d <= tolerance) {
						t.Fatalf("%v, width %d: got %g at %d, want %g", dtype, width, got[j], j, want)
					}
				}
			}
		}
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
