package dot

import (
	"math"
	"testing"
)

func TestSigmoidAndLoss(t *testing.T) {
	for _, x := range []float64{-30, -2, -.5, 0, .5, 2, 30} {
		if got, want := Sigmoid(x), (1+math.Tanh(x/2))/2; math.Abs(got-want) > 1e-15 {
			t.Errorf("Sigmoid(%g) = %g, want %g", x, got, want)
		}
		if got, want := LogLoss(x), -math.Log(Sigmoid(x)); math.Abs(got-want) > 1e-12 {
			t.Errorf("LogLoss(%g) = %g, want %g", x, got, want)
		}
	}
	// e^-x is infinite, or so small that 1+e^-x is 1.
	for x, want := range map[float64]float64{-1000: 1000, 40: math.Exp(-40), 1000: 0} {
		if got := LogLoss(x); math.Abs(got-want) > 1e-15*want {
			t.Errorf("LogLoss(%g) = %g, want %g", x, got, want)
		}
	}
}
