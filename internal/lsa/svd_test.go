package lsa

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

type dense struct{ *mat.Dense }

func (d dense) Times(b *mat.Dense) *mat.Dense {
	var product mat.Dense
	product.Mul(d.Dense, b)
	return &product
}

func (d dense) TransposedTimes(b *mat.Dense) *mat.Dense {
	var product mat.Dense
	product.Mul(d.Dense.T(), b)
	return &product
}

// TestRight compares with the exact decomposition of a matrix whose values fall off quickly. The signs of singular
// vectors are free.
func TestRight(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const rows, columns, dim = 80, 60, 5
	m := mat.NewDense(rows, columns, nil)
	for k := range 20 {
		for i := range rows {
			u := r.NormFloat64() * math.Pow(.5, float64(k))
			for j := range columns {
				m.Set(i, j, m.At(i, j)+u*math.Sin(float64((k+1)*(j+1))))
			}
		}
	}
	if !Enough(dense{m}, dim) || Enough(dense{m}, columns) {
		t.Fatal("Enough is wrong")
	}
	vectors, values, err := Right(context.Background(), dense{m}, dim, 7)
	if err != nil {
		t.Fatal(err)
	}
	var exact mat.SVD
	if !exact.Factorize(m, mat.SVDThin) {
		t.Fatal("no decomposition")
	}
	var v mat.Dense
	exact.VTo(&v)
	for k := range dim {
		if want := exact.Values(nil)[k]; math.Abs(values[k]-want) > 1e-6*want {
			t.Errorf("value %d is %g, want %g", k, values[k], want)
		}
		cosine := mat.Dot(vectors.ColView(k), v.ColView(k))
		if math.Abs(cosine) < 1-1e-6 {
			t.Errorf("vector %d has the cosine %g with the exact one", k, cosine)
		}
	}
}
