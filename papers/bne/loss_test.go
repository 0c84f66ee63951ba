package bne

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestLossByHand has dot products of 0, log 3 and -log 3: l(log 3) = log(4/3), l(-log 3) = log 4.
func TestLossByHand(t *testing.T) {
	log3 := math.Log(3)
	loss, gradients, err := logisticLoss([]example{
		{Vector: []float64{1, 0}, Positive: []float64{0, 5}, Negative: []float64{0, -5}},
		{Vector: []float64{1, 0}, Positive: []float64{log3, 1}, Negative: []float64{log3, 2}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := 2*math.Log(2) + math.Log(4./3) + math.Log(4); math.Abs(loss-want) > 1e-12 {
		t.Errorf("loss is %v, want %v", loss, want)
	}
	// Second example: by p·f -1/4, by n·f 3/4.
	if got, want := gradients[1].Vector[1], -.25*1+.75*2; math.Abs(got-want) > 1e-12 {
		t.Errorf("gradient is %v, want %v", got, want)
	}
}

// TestLossGradient compares with finite differences.
func TestLossGradient(t *testing.T) {
	const h = 1e-6
	r := rand.New(rand.NewPCG(1, 2))
	vector := func() []float64 {
		x := make([]float64, 5)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		return x
	}
	for range 50 {
		examples := []example{{vector(), vector(), vector()}, {vector(), vector(), vector()}}
		_, gradients, err := logisticLoss(examples)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range examples {
			for _, side := range []struct{ x, gradient []float64 }{
				{e.Vector, gradients[i].Vector}, {e.Positive, gradients[i].Positive}, {e.Negative, gradients[i].Negative},
			} {
				for j, x := range side.x {
					side.x[j] = x + h
					above, _, _ := logisticLoss(examples)
					side.x[j] = x - h
					below, _, _ := logisticLoss(examples)
					side.x[j] = x
					if want := (above - below) / (2 * h); math.Abs(side.gradient[j]-want) > 1e-7 {
						t.Fatalf("gradient is %v, want %v", side.gradient[j], want)
					}
				}
			}
		}
	}
}

func TestLossOfLargeProducts(t *testing.T) {
	loss, gradients, err := logisticLoss([]example{{[]float64{1000}, []float64{-1000}, []float64{-1000}}})
	if err != nil || loss != 1e6 || gradients[0].Vector[0] != 1000 {
		t.Errorf("loss is %v, gradient %v, %v; want 1e+06 and 1000", loss, gradients, err)
	}
}

func TestLossRefuses(t *testing.T) {
	_, _, err := logisticLoss([]example{{[]float64{1}, []float64{1, 2}, []float64{1}}})
	if want := "example 0: vectors have 1, 2 and 1 numbers, want equal lengths"; err == nil || err.Error() != want {
		t.Errorf("error is %v, want %q", err, want)
	}
}
