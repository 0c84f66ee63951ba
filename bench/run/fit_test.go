package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// near compares figures to nine digits.
var near = cmp.Options{cmpopts.EquateApprox(1e-9, 1e-9), cmp.AllowUnexported(fit{}, point{})}

// TestFitLine fits lines, and projects them: at a size n, by the line and by the power law.
func TestFitLine(t *testing.T) {
	for _, c := range []struct {
		name           string
		points         []point
		want           fit
		n, line, power float64
	}{
		{ // 2 + n/10 goes through all of them; over 2 there are 3 at 30 and 10 at 100.
			"a line", []point{{10, 3}, {30, 5}, {100, 12}},
			fit{fixed: 2, perUnit: .1, exponent: 1, last: point{100, 12}}, 1e4, 1002, 1002,
		},
		{ // a line through two points is theirs: 1 + 2n
			"two sizes", []point{{1, 3}, {3, 7}}, fit{fixed: 1, perUnit: 2, exponent: 1, last: point{3, 7}}, 10, 21, 21,
		},
		{ // n². The best line has a fixed part below 0. Through the origin b is Σ(n/y)/Σ(n²/y²) = (1 + 1/2 + 1/4)/(1 + 1/4 + 1/16).
			"steep", []point{{1, 1}, {2, 4}, {4, 16}}, fit{perUnit: 1.75 / 1.3125, exponent: 2, last: point{4, 16}}, 40, 40 * 1.75 / 1.3125, 1600,
		},
		{ // It falls: the best constant is Σ(1/y)/Σ(1/y²) = (1/2 + 1)/(1/4 + 1), and nothing is over it at the largest size.
			"falling", []point{{1, 2}, {2, 1}}, fit{fixed: 1.5 / 1.25, last: point{2, 1}}, 10, 1.2, 1.2,
		},
		{ // 100 + n/10: over 100 there is .1 of 100.1, less than a tenth.
			"flat", []point{{1, 100.1}, {10, 101}}, fit{fixed: 100, perUnit: .1, last: point{10, 101}}, 100, 110, 110,
		},
	} {
		got, err := fitLine(c.points)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, got, near); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if projected := []float64{got.line(c.n), got.power(c.n)}; !cmp.Equal(projected, []float64{c.line, c.power}, near) {
			t.Errorf("%s: at %g %v, want %g and %g", c.name, c.n, projected, c.line, c.power)
		}
	}
	// Of megabytes some 257 are fixed: the 10 over them at 30,000 are noise beside the 63 at 100,000, and would make an
	// exponent of 1.5.
	if f, err := fitLine([]point{{10_000, 269}, {30_000, 267}, {100_000, 320}}); err != nil || f.exponent != 0 || f.power(1e6) != f.line(1e6) {
		t.Errorf("noise: %+v, %v, want no exponent", f, err)
	}
	for name, points := range map[string][]point{
		"no size": nil, "one size": {{1, 1}}, "the same size": {{1, 1}, {1, 2}},
		"sizes that fall": {{2, 1}, {1, 1}}, "nothing taken": {{1, 0}, {2, 1}},
	} {
		if f, err := fitLine(points); err == nil {
			t.Errorf("%s: fitted as %+v", name, f)
		}
	}
}
