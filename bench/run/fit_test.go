package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// near compares figures to nine digits.
var near = cmp.Options{cmpopts.EquateApprox(1e-9, 1e-9), cmp.AllowUnexported(fit{})}

func TestFitLine(t *testing.T) {
	for _, c := range []struct {
		name   string
		points []point
		want   fit
	}{
		{ // 2 + n/10 goes through all of them; over 2 there are 3 at 30 and 10 at 100.
			"a line", []point{{10, 3}, {30, 5}, {100, 12}},
			fit{fixed: 2, perUnit: .1, exponent: 1},
		},
		{ // a line through two points is theirs: 1 + 2n
			"two sizes", []point{{1, 3}, {3, 7}}, fit{fixed: 1, perUnit: 2, exponent: 1},
		},
		{ // n². The best line has a fixed part below 0. Through the origin b is Σ(n/y)/Σ(n²/y²) = (1 + 1/2 + 1/4)/(1 + 1/4 + 1/16).
			"steep", []point{{1, 1}, {2, 4}, {4, 16}}, fit{perUnit: 1.75 / 1.3125, exponent: 2},
		},
		{ // It falls: the best constant is Σ(1/y)/Σ(1/y²) = (1/2 + 1)/(1/4 + 1), and nothing is over it at the largest size.
			"falling", []point{{1, 2}, {2, 1}}, fit{fixed: 1.5 / 1.25},
		},
		{ // 100 + n/10: over 100 there is .1 of 100.1, less than a tenth.
			"flat", []point{{1, 100.1}, {10, 101}}, fit{fixed: 100, perUnit: .1},
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
	// Of megabytes some 257 are fixed: the 10 over them at 30,000 are noise beside the 63 at 100,000, and would make an
	// exponent of 1.5.
	if f, err := fitLine([]point{{10_000, 269}, {30_000, 267}, {100_000, 320}}); err != nil || f.exponent != 0 {
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
