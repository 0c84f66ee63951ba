//go:build torch

package bert

import (
	"math"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/tensor"
)

// TestPacked compares packed products, with and without the activation, with those of
// libtorch.
func TestPacked(t *testing.T) {
	if !tensor.HasBFloat16(tensor.CPU) {
		t.Skip("the processor does not multiply bfloat16")
	}
	const in, out, maxRows = 48, 80, 50
	for activation := range activations {
		err := tensor.OnThread(false, func() error {
			p, err := newPacker(activation)
			if err != nil {
				return err
			}
			defer p.drop()
			s := tensor.NewScope(tensor.CPU)
			defer s.Drop()
			numbers := func(shape ...int64) *tensor.Tensor {
				values := make([]float32, tensor.Elements(shape))
				for i := range values {
					values[i] = float32(i*i%37)/37 - 0.5
				}
				return s.Cast(s.FromFloats(values, shape...), tensor.BFloat16)
			}
			weight, bias := numbers(out, in), numbers(out)
			for rows := int64(1); rows <= maxRows; rows *= 7 {
				x := numbers(rows, in)
				plain := dense{weight: weight, bias: bias}
				linear, activated := plain, plain
				activated.activation = activation
				p.packDense(s, &linear)
				p.packDense(s, &activated)
				want := plain.apply(s, x)
				for name, pair := range map[string][2][]float32{
					"linear":   {s.Floats(linear.apply(s, x)), s.Floats(want)},
					activation: {s.Floats(activated.apply(s, x)), s.Floats(activate(s, activation, want))},
				} {
					if s.Err() != nil {
						return s.Err()
					}
					largest := float64(slices.Max(pair[1]))
					if d := furthest(pair[0], pair[1]); largest == 0 || d > largest/128 { // two roundings to 8 bits
						t.Errorf("%d rows, %s: differs by %v, want at most 1/128 of %v", rows, name, d, largest)
					}
				}
			}
			return s.Err()
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// furthest returns the greatest difference of two lists of equal length.
func furthest(a, b []float32) float64 {
	worst := 0.0
	for i := range a {
		worst = max(worst, math.Abs(float64(a[i])-float64(b[i])))
	}
	return worst
}

func TestEveryActivationIsPacked(t *testing.T) {
	for name := range activations {
		if _, ok := packedActivations[name]; !ok {
			t.Errorf("activation %q cannot be packed", name)
		}
	}
}
