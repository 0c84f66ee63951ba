package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSpreadOf(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		want   spread
	}{
		{"one", []float64{7}, spread{7, 7, 7}},
		{"odd: 1 2 5 8 9", []float64{9, 1, 5, 2, 8}, spread{5, 1, 9}},
		{"even: 1 2 4 9, (2+4)/2", []float64{4, 9, 1, 2}, spread{3, 1, 9}},
		{"ties: 2 2 2 6, (2+2)/2", []float64{2, 6, 2, 2}, spread{2, 2, 6}},
	} {
		values := append([]float64(nil), c.values...)
		if diff := cmp.Diff(c.want, spreadOf(values)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if diff := cmp.Diff(c.values, values); diff != "" {
			t.Errorf("%s: the values were changed (-want +got):\n%s", c.name, diff)
		}
	}
}

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

// TestMedianOfRatios shows why rounds are compared one by one: the machine was
// half as fast in the last two, which the ratio of the medians takes for ours'.
func TestMedianOfRatios(t *testing.T) {
	ours := []float64{40, 40, 40, 20, 20} // median 40
	peer := []float64{10, 10, 5, 5, 5}    // median 5; 40/5 = 8
	want := spread{4, 4, 8}               // 4 4 8 4 4
	if diff := cmp.Diff(want, spreadOf(ratios(ours, peer, false))); diff != "" {
		t.Errorf("ratio (-want +got):\n%s", diff)
	}
}
