package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm/bench/measure"
)

func TestRatios(t *testing.T) {
	for _, c := range []struct {
		name          string
		ours, peer    []float64
		lowerIsBetter bool
		want          []float64
	}{
		// 12/3, 10/4
		{"rates", []float64{12, 10}, []float64{3, 4}, false, []float64{4, 2.5}},
		// 3/12, 4/10
		{"times", []float64{12, 10}, []float64{3, 4}, true, []float64{0.25, 0.4}},
	} {
		if diff := cmp.Diff(c.want, ratios(c.ours, c.peer, c.lowerIsBetter)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// spread of a median and the extremes.
func spread(median, least, most float64) measure.Spread {
	return measure.Spread{Median: median, Min: least, Max: most}
}

// TestMedianOfRatios shows why rounds are compared one by one: the machine was
// half as fast in the last two, which the ratio of the medians takes for ours'.
func TestMedianOfRatios(t *testing.T) {
	ours := []float64{40, 40, 40, 20, 20} // median 40
	peer := []float64{10, 10, 5, 5, 5}    // median 5; 40/5 = 8
	want := spread(4, 4, 8)               // 4 4 8 4 4
	if diff := cmp.Diff(want, measure.SpreadOf(ratios(ours, peer, false))); diff != "" {
		t.Errorf("ratio (-want +got):\n%s", diff)
	}
}
