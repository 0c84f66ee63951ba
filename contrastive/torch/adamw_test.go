//go:build torch

package torch

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestAdamW holds the optimizer against algorithm 2 of the paper, written out
// for one value after the other in float64, over any split among threads.
func TestAdamW(t *testing.T) {
	const size, decayed, steps = 37, 20, 12
	r := rand.New(rand.NewPCG(4, 0))
	got := make([]float32, size)
	for i := range got {
		got[i] = float32(r.NormFloat64())
	}
	want := make([]float64, size)
	for i, v := range got {
		want[i] = float64(v)
	}
	m, v := make([]float64, size), make([]float64, size)
	adam := newAdamW(size)
	for step := 1; step <= steps; step++ {
		grad := make([]float32, size)
		for i := range grad {
			grad[i] = float32(r.NormFloat64())
		}
		rate, scale, decay := 0.01*float64(step), 0.5, 0.1
		adam.step(got, grad, scale, rate, decay, decayed, 1+step%4)
		for i := range want {
			g := scale * float64(grad[i])
			m[i] = 0.9*m[i] + 0.1*g
			v[i] = 0.999*v[i] + 0.001*g*g
			mHat := m[i] / (1 - math.Pow(0.9, float64(step)))
			vHat := v[i] / (1 - math.Pow(0.999, float64(step)))
			shrink := 0.0
			if i < decayed {
				shrink = decay * want[i]
			}
			want[i] -= rate * (mHat/(math.Sqrt(vHat)+1e-8) + shrink)
		}
	}
	for i := range got {
		if math.Abs(float64(got[i])-want[i]) > 1e-5 {
			t.Errorf("value %d is %v, want %v", i, got[i], want[i])
		}
	}
}
