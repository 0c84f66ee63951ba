package bne

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/ctxnorm/ctxnorm/contrastive"
)

// lossOf returns the loss of one of three names, and its gradient.
func lossOf(t *testing.T, vector, positive, negative []float64) contrastive.LossValue {
	t.Helper()
	l := &nameLoss{targets: []nameTargets{{synonym: 1, negatives: []int{2}}, {synonym: none}, {synonym: none}}}
	rows := append(append(append([]float64(nil), vector...), positive...), negative...)
	value, err := l.Evaluate(contrastive.Vectors{Rows: rows, Dim: len(vector)})
	if err != nil {
		t.Fatal(err)
	}
	value.Loss *= 3 // it is the mean
	floats.Scale(3, value.Rows)
	return value
}

// TestLossByHand has dot products of 0, log 3 and -log 3: l(log 3) = log(4/3), l(-log 3) = log 4.
func TestLossByHand(t *testing.T) {
	log3 := math.Log(3)
	if got, want := lossOf(t, []float64{1, 0}, []float64{0, 5}, []float64{0, -5}).Loss, 2*math.Log(2); math.Abs(got-want) > 1e-12 {
		t.Errorf("loss is %v, want %v", got, want)
	}
	value := lossOf(t, []float64{1, 0}, []float64{log3, 1}, []float64{log3, 2})
	if want := math.Log(4./3) + math.Log(4); math.Abs(value.Loss-want) > 1e-12 {
		t.Errorf("loss is %v, want %v", value.Loss, want)
	}
	// By p·f -1/4, by n·f 3/4.
	if got, want := value.Rows[1], -.25*1+.75*2; math.Abs(got-want) > 1e-12 {
		t.Errorf("gradient is %v, want %v", got, want)
	}
}

func TestLossOfLargeProducts(t *testing.T) {
	value := lossOf(t, []float64{1000}, []float64{-1000}, []float64{-1000})
	if math.Abs(value.Loss-1e6) > 1e-6 || math.Abs(value.Rows[0]-1000) > 1e-9 {
		t.Errorf("loss is %v, gradient %v; want 1e+06 and 1000", value.Loss, value.Rows)
	}
}
