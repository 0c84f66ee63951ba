package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// near compares figures to nine digits.
var near = cmp.Options{cmpopts.EquateApprox(1e-9, 1e-9), cmp.AllowUnexported(fit{}, point{})}

func TestFitLine(t *testing.T) {
	for _, c := range []struct {
		name   string
		points []point
		want   fit
	}{
		{
			// 2 + n/10 goes through all of them; over 2 there are 3 at 30 and 10 at 100.
			"a line", []point{{10, 3}, {30, 5}, {100, 12}},
			fit{fixed: 2, perUnit: .1, exponent: 1, last: point{100, 12}},
		},
		{
			// a line through two points is theirs: 1 + 2n
			"two sizes", []point{{1, 3}, {3, 7}},
			fit{fixed: 1, perUnit: 2, exponent: 1, last: point{3, 7}},
		},
		{
			// n². The best line has a fixed part below 0. Through the origin b is
			// Σ(n/y)/Σ(n²/y²) = (1 + 1/2 + 1/4)/(1 + 1/4 + 1/16) = 1.75/1.3125.
			"steep", []point{{1, 1}, {2, 4}, {4, 16}},
			fit{perUnit: 1.75 / 1.3125, exponent: 2, last: point{4, 16}},
		},
		{
			// It falls: the best constant is Σ(1/y)/Σ(1/y²) = (1/2 + 1)/(1/4 + 1), and
			// nothing is over it at the largest size.
			"falling", []point{{1, 2}, {2, 1}},
			fit{fixed: 1.5 / 1.25, last: point{2, 1}},
		},
		{
			// 100 + n/10: over 100 there is .1 of 100.1, less than a tenth.
			"flat", []point{{1, 100.1}, {10, 101}},
			fit{fixed: 100, perUnit: .1, last: point{10, 101}},
		},
	} {
		got, err := fitLine(c.points)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, got, near); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestNoiseHasNoExponent fits megabytes of which some 257 are fixed: the 10 over them at
// 30,000 are noise beside the 63 at 100,000, and would make an exponent of 1.5.
func TestNoiseHasNoExponent(t *testing.T) {
	f, err := fitLine([]point{{10_000, 269}, {30_000, 267}, {100_000, 320}})
	if err != nil {
		t.Fatal(err)
	}
	if f.exponent != 0 || f.power(1e6) != f.line(1e6) {
		t.Errorf("the exponent is %g, %g at 1,000,000, want 0 and the line's %g", f.exponent, f.power(1e6), f.line(1e6))
	}
}

func TestFitLineRefuses(t *testing.T) {
	for name, points := range map[string][]point{
		"no size": nil, "one size": {{1, 1}}, "the same size": {{1, 1}, {1, 2}},
		"sizes that fall": {{2, 1}, {1, 1}}, "nothing taken": {{1, 0}, {2, 1}},
	} {
		if f, err := fitLine(points); err == nil {
			t.Errorf("%s: fitted as %+v", name, f)
		}
	}
}

func TestProject(t *testing.T) {
	line := fit{fixed: 2, perUnit: .1, exponent: .5, last: point{100, 12}}
	// 2 + 10·(10000/100)^½ = 2 + 10·10
	if got, want := []float64{line.line(1e4), line.power(1e4)}, []float64{1002, 102}; !cmp.Equal(got, want, near) {
		t.Errorf("at 10,000: %v, want %v", got, want)
	}
	curve := fit{perUnit: 1, exponent: 2, last: point{10, 20}}
	// 20·(1000/10)² = 200,000, where the line says 1000.
	if got, want := []float64{curve.line(1000), curve.power(1000)}, []float64{1000, 200_000}; !cmp.Equal(got, want, near) {
		t.Errorf("of a curve: %v, want %v", got, want)
	}
}
