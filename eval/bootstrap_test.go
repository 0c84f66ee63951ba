package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestResampleAgainstDullCode draws every mention of every document one by one.
func TestResampleAgainstDullCode(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		documents := make([][]bool, 1+random.IntN(12)) // the mentions of each, right or not
		tallied := make([]tally, len(documents))
		for i := range documents {
			for range random.IntN(6) {
				right := random.IntN(2) == 1
				documents[i] = append(documents[i], right)
				tallied[i].n++
				tallied[i].sum += oneIf(right)
			}
		}
		draws := rand.New(rand.NewPCG(seed, 0)) // the same draws
		var want []float64
		for range resamples {
			var drawn []bool
			for range documents {
				drawn = append(drawn, documents[draws.IntN(len(documents))]...)
			}
			right := 0
			for _, yes := range drawn {
				if yes {
					right++
				}
			}
			if len(drawn) > 0 {
				want = append(want, float64(right)/float64(len(drawn)))
			}
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, resample(tallied, seed), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("seed %d, %v (-want +got):\n%s", seed, documents, diff)
		}
	}
}

// TestIntervalAgainstAllDraws has three documents, of which 27 draws are equally
// likely: the distribution is known, and 2,000 draws must come near it.
func TestIntervalAgainstAllDraws(t *testing.T) {
	documents := []tally{{0, 2}, {3, 4}, {2, 2}}
	var all []float64
	for _, a := range documents {
		for _, b := range documents {
			for _, c := range documents {
				all = append(all, (a.sum+b.sum+c.sum)/float64(a.n+b.n+c.n))
			}
		}
	}
	slices.Sort(all)
	// 2.5 % of 27 draws is .675, so the first of them and the last.
	low, high := interval(resample(documents, 7))
	if low != all[0] || high != all[26] {
		t.Errorf("interval %g to %g, want %g to %g", low, high, all[0], all[26])
	}
	// The share of draws with a mean of at most 5/8, by count and by drawing.
	exact := float64(len(slices.DeleteFunc(slices.Clone(all), func(v float64) bool { return v > .625 }))) / 27
	drawn := float64(len(slices.DeleteFunc(resample(documents, 7), func(v float64) bool { return v > .625 }))) / resamples
	// The standard error of 2,000 draws is at most sqrt(.25/2000) = .011.
	if math.Abs(exact-drawn) > 4*.011 {
		t.Errorf("%.3f of draws at most .625, want about %.3f", drawn, exact)
	}
}

func TestInterval(t *testing.T) {
	var documents []tally
	for i := range 100 { // half of the documents all right, half all wrong
		documents = append(documents, tally{float64(8 * (i % 2)), 8})
	}
	f := newFigure("Acc@1", documents, 1)
	if f.Numerator != 400 || f.Denominator != 800 || f.Value != .5 {
		t.Errorf("figure %+v, want 400/800", f)
	}
	// Documents are what varies: sqrt(.25/100) = .05, so .5 -+ 1.96*.05. Over
	// mentions it would be .5 -+ .035.
	if f.Low < .37 || f.Low > .43 || f.High < .57 || f.High > .63 {
		t.Errorf("interval %.3f to %.3f, want about .402 to .598", f.Low, f.High)
	}
	if again := newFigure("Acc@1", documents, 1); again != f {
		t.Errorf("a second time %v, want %v", again, f)
	}
	if slices.Equal(resample(documents, 1), resample(documents, 2)) {
		t.Error("the seed does not matter")
	}
	if none := newFigure("Acc@1", nil, 1); none != (Figure{Name: "Acc@1"}) {
		t.Errorf("of no documents %+v", none)
	}
	if none := newFigure("risk", []tally{{0, 0}}, 1); none != (Figure{Name: "risk"}) {
		t.Errorf("of no mentions %+v", none)
	}
}

func TestTwoSided(t *testing.T) {
	many := make([]tally, 60) // that differ
	for i := range many {
		many[i] = tally{1, 2}
	}
	for _, tc := range []struct {
		documents []tally
		draws     []float64
		want      float64
	}{
		{nil, nil, 1},                               // 2*1/1, at most 1
		{many, []float64{0, 0, 0}, 1},               // 2*4/4
		{many, []float64{-1, 1, 2, 3, 4, 5, 6}, .5}, // one of 7 below: 2*(1+1)/8
		{many, []float64{-9, -8, -7}, .5},           // none above: 2*(0+1)/4
		{many, slices.Repeat([]float64{1}, 1999), 2. / 2000},
		{append(many[:3:3], tally{0, 9}), slices.Repeat([]float64{1}, 1999), .25}, // 3 differ: 2/2^3
		{many[:1], slices.Repeat([]float64{1}, 1999), 1},
	} {
		if got := twoSided(tc.documents, tc.draws); got != tc.want {
			t.Errorf("%d documents, %d draws: p = %g, want %g", len(tc.documents), len(tc.draws), got, tc.want)
		}
	}
}

func TestFigureWords(t *testing.T) {
	for _, tc := range []struct {
		figure Figure
		want   string
	}{
		{Figure{"Acc@1", 631, 787, 631. / 787, .751, .849}, "Acc@1 .802 (631/787, 95 % interval .751 to .849)"},
		{Figure{"MRR", 5.25, 6, .875, .5, 1}, "MRR .875 (5.2/6, 95 % interval .500 to 1.000)"},
		{Figure{"difference", -3, 100, -.03, -.0601, -.0001}, "difference -.030 (-3/100, 95 % interval -.060 to .000)"},
	} {
		if got := tc.figure.String(); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}
