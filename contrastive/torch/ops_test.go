//go:build torch

package torch

import (
	"math"
	"math/rand/v2"
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

// TestSoftmax holds rows of every width, which are computed by libtorch or by oneDNN,
// against float64.
func TestSoftmax(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for _, dtype := range []gotch.DType{gotch.Float, gotch.BFloat16} {
		tolerance := map[gotch.DType]float64{gotch.Float: 1e-6, gotch.BFloat16: 1. / 256}[dtype]
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
			err := onThread(false, func() error {
				s := newScope(gotch.CPU)
				defer s.drop()
				got = append(got, s.view(s.softmax(s.cast(s.fromFloats(x, 1, rows, int64(width)), dtype), int64(width)))...)
				return s.err
			})
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range rowsOf(x, width) {
				sum := 0.0
				for _, v := range row {
					sum += math.Exp(float64(v))
				}
				for j, v := range row {
					want := math.Exp(float64(v)) / sum
					if d := math.Abs(float64(got[i*width+j]) - want); !(d <= tolerance) {
						t.Fatalf("%v, width %d: %g at %d, want %g", dtype, width, got[i*width+j], j, want)
					}
				}
			}
		}
	}
}
