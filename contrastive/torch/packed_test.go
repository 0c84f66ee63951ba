//go:build torch

package torch

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"
)

// TestPacked compares packed products with libtorch's own, and what is in them of
// the activation.
func TestPacked(t *testing.T) {
	if !hasBFloat16(gotch.CPU) {
		t.Skip("the processor has no products of bfloat16")
	}
	const in, out, most = 48, 80, 50
	for activation := range activations {
		err := onThread(false, func() error {
			p, err := newPacker(activation)
			if err != nil {
				return err
			}
			defer p.drop()
			s := newScope(gotch.CPU)
			defer s.drop()
			numbers := func(shape ...int64) *ts.Tensor {
				values := make([]float32, product(shape))
				for i := range values {
					values[i] = float32(i*i%37)/37 - 0.5
				}
				return s.cast(s.fromFloats(values, shape...), gotch.BFloat16)
			}
			weight, bias := numbers(out, in), numbers(out)
			for rows := int64(1); rows <= most; rows *= 7 {
				x := numbers(rows, in)
				plain := dense{weight: weight, bias: bias}
				linear, activated := plain, plain
				activated.activation = activation
				p.dense(s, &linear)
				p.dense(s, &activated)
				want := plain.apply(s, x)
				for name, pair := range map[string][2][]float32{
					"linear":   {s.view(linear.apply(s, x)), s.view(want)},
					activation: {s.view(activated.apply(s, x)), s.view(activations[activation](s, want))},
				} {
					if s.err != nil {
						return s.err
					}
					largest := float64(slices.Max(pair[1]))
					if d := furthest(pair[0], pair[1]); largest == 0 || d > largest/128 { // two roundings to 8 bits
						t.Errorf("%d rows, %s: differs by %v of %v, want 1/128 of it at most", rows, name, d, largest)
					}
				}
			}
			return s.err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// furthest is the greatest difference of two lists of equal length.
func furthest(a, b []float32) float64 {
	worst := 0.0
	for i := range a {
		worst = max(worst, math.Abs(float64(a[i])-float64(b[i])))
	}
	return worst
}

func TestPackedActivationsAreAll(t *testing.T) {
	for name := range activations {
		if _, ok := packedActivations[name]; !ok {
			t.Errorf("activation %q cannot be packed", name)
		}
	}
}

func TestScriptThatDoesNotCompile(t *testing.T) {
	err := onThread(false, func() error {
		_, err := script("  def forward(self: __torch__.Script) -> Tensor:\n    return nothing\n")
		return err
	})
	if err == nil {
		t.Fatal("no error")
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("error has a stack trace: %v", err)
	}
}
