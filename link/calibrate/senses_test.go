package calibrate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/sense"
)

// Without the record that defines a form, a sense of that record alone is unknown, unless
// the dictionary makes it possible.
func TestWithoutRecord(t *testing.T) {
	for _, test := range []struct {
		own    sense.Sense
		gold   int
		senses int
	}{
		{sense.Sense{LongForm: "axial diffusivity", Records: 2}, 1, 3},
		{sense.Sense{LongForm: "axial diffusivity", Records: 1}, 2, 2},
		{sense.Sense{LongForm: "atopic dermatitis", Concepts: []kb.ConceptID{"D"}, Records: 1, HasInitials: true}, 1, 3},
		{sense.Sense{LongForm: "AD", Concepts: []kb.ConceptID{"A"}, OwnName: true}, 1, 3},
	} {
		senses := []sense.Sense{{LongForm: "first", Records: 9}, test.own, {LongForm: "third", Records: 1}}
		got, gold := withoutRecord(senses, 1)
		if gold != test.gold || len(got) != test.senses {
			t.Errorf("%+v: sense %d of %d, want %d of %d", test.own, gold, len(got), test.gold, test.senses)
		}
		if gold == 1 && got[1].Records != max(0, test.own.Records-1) {
			t.Errorf("%+v: %d records remain", test.own, got[1].Records)
		}
	}
}

func TestHasWords(t *testing.T) {
	for phrase, want := range map[string]bool{"atopic dermatitis": true, "dermatitis, atopic": true, "atopic eczema": false} {
		if got := hasWords("Children with atopic dermatitis itch.", phrase); got != want {
			t.Errorf("hasWords(%q) = %v, want %v", phrase, got, want)
		}
	}
}

// TestFitLogistic plants weights and finds them; at the optimum the derivatives by
// differences are 0.
func TestFitLogistic(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	planted := []float64{1, -2, .5}
	var x [][]float64
	var y, importance []float64
	for range 20_000 {
		row := []float64{1, r.NormFloat64(), r.NormFloat64()}
		x, importance = append(x, row), append(importance, 1)
		y = append(y, 0)
		if r.Float64() < 1/(1+math.Exp(-dot(planted, row))) {
			y[len(y)-1] = 1
		}
	}
	got, err := fitLogistic(x, y, importance, []float64{0, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	for i := range planted {
		// The standard error is about 1/sqrt(20000 * .15) = .02.
		if math.Abs(got[i]-planted[i]) > .08 {
			t.Errorf("weight %d is %.3f, want %.3f", i, got[i], planted[i])
		}
	}
	// A row of weight 2 counts as two rows.
	twice, err := fitLogistic(append(x[:100:100], x[0]), append(y[:100:100], y[0]), append(importance[:100:100], 1), []float64{1, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	heavy := append([]float64{2}, importance[1:100]...)
	weighed, err := fitLogistic(x[:100], y[:100], heavy, []float64{1, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	for i := range twice {
		if math.Abs(twice[i]-weighed[i]) > 1e-4 {
			t.Errorf("weight %d: %g with a row twice, %g with its weight doubled", i, twice[i], weighed[i])
		}
	}
	// Without rows the prior stays.
	prior := []float64{3, 1, 4}
	if none, err := fitLogistic(nil, nil, nil, prior); err != nil || !cmp.Equal(none, prior) {
		t.Errorf("without rows %v, %v, want the prior", none, err)
	}
}
