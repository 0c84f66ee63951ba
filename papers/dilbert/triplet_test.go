package dilbert

import (
	"math"
	"testing"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestTripletByHand has two triplets in the plane with the distances
//
//	anchor (0,0), positive (3,4), negative (0,2): 5 - 2 + 1 = 4
//	anchor (1,0), positive (1,1), negative (9,0): 1 - 8 + 1 < 0, which counts 0
//
// and the mean 2.
func TestTripletByHand(t *testing.T) {
	for _, tc := range []struct {
		loss tripletBatch
		x    []float64
		want float64
	}{
		{tripletBatch{1, 2}, []float64{0, 0, 3, 4, 0, 2, 1, 0, 1, 1, 9, 0}, 2},
		{tripletBatch{1, 1}, []float64{0, 0, 3, 4, 0, 2, 7, 7}, 4}, // a row that is in no triplet
		{tripletBatch{1, 1}, []float64{1, 1, 1, 1, 1, 1}, 1},
	} {
		value := must.Get(tc.loss.Evaluate(contrastive.Vectors{Rows: tc.x, Dim: 2, Labels: make([]contrastive.Label, len(tc.x)/2)}))
		if math.Abs(value.Loss-tc.want) > 1e-12 {
			t.Errorf("%+v of %v: loss %v, want %v", tc.loss, tc.x, value.Loss, tc.want)
		}
		for i, g := range value.Rows {
			if math.IsNaN(g) || math.IsInf(g, 0) {
				t.Errorf("%+v of %v: gradient %v at %d", tc.loss, tc.x, g, i)
			}
		}
	}
	_, err := (tripletBatch{1, 1}).Evaluate(contrastive.Vectors{Rows: []float64{1, 2}, Dim: 1, Labels: make([]contrastive.Label, 2)})
	must.Fail(t, err, "", "no error for a triplet of two rows")
}
