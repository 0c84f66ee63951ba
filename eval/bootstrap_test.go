package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// meansOf returns the mean of each resample, sorted.
func meansOf(documents []Sum, seed uint64) []float64 {
	_, means := newMetric("", len(documents), seed, meanOf(documents))
	return means
}

// TestResampledMeansAgainstReference samples the mentions of every document one by one.
func TestResampledMeansAgainstReference(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		documents := make([][]bool, 1+random.IntN(12)) // for each document, whether its mentions are correct
		sums := make([]Sum, len(documents))
		for i := range documents {
			for range random.IntN(6) {
				correct := random.IntN(2) == 1
				documents[i] = append(documents[i], correct)
				sums[i].N++
				sums[i].Value += oneIf(correct)
			}
		}
		resampling := rand.New(rand.NewPCG(seed, 0)) // the same sequence
		var want []float64
		for range resampleCount {
			var sampled []bool
			for range documents {
				sampled = append(sampled, documents[resampling.IntN(len(documents))]...)
			}
			correct := 0
			for _, yes := range sampled {
				if yes {
					correct++
				}
			}
			if len(sampled) > 0 {
				want = append(want, float64(correct)/float64(len(sampled)))
			}
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, meansOf(sums, seed), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("seed %d, %v (-want +got):\n%s", seed, documents, diff)
		}
	}
}

// TestIntervalAgainstAllResamples has three documents with 27 equally likely resamples, so the distribution is known.
// 2,000 random resamples must be near it.
func TestIntervalAgainstAllResamples(t *testing.T) {
	documents := []Sum{{0, 2}, {3, 4}, {2, 2}}
	var all []float64
	for _, a := range documents {
		for _, b := range documents {
			for _, c := range documents {
				all = append(all, (a.Value+b.Value+c.Value)/float64(a.N+b.N+c.N))
			}
		}
	}
	slices.Sort(all)
	// 2.5 % of 27 is .675, so the ends are the first and the last.
	low, high := percentileInterval(meansOf(documents, 7))
	if low != all[0] || high != all[26] {
		t.Errorf("interval %g to %g, want %g to %g", low, high, all[0], all[26])
	}
	// The share of resamples with a mean of at most 5/8, exact and estimated.
	exact := float64(len(slices.DeleteFunc(slices.Clone(all), func(v float64) bool { return v > .625 }))) / 27
	estimated := float64(len(slices.DeleteFunc(meansOf(documents, 7), func(v float64) bool { return v > .625 }))) / resampleCount
	// The standard error of 2,000 resamples is at most sqrt(.25/2000) = .011.
	if math.Abs(exact-estimated) > 4*.011 {
		t.Errorf("%.3f of resamples are at most .625, want about %.3f", estimated, exact)
	}
}

func TestInterval(t *testing.T) {
	var documents []Sum
	for i := range 100 { // half of the documents are completely correct, half completely wrong
		documents = append(documents, Sum{float64(8 * (i % 2)), 8})
	}
	m := NewMetric("Acc@1", documents, 1)
	if m.Numerator != 400 || m.Denominator != 800 || m.Value != .5 {
		t.Errorf("metric %+v, want 400/800", m)
	}
	// The standard error over documents is sqrt(.25/100) = .05, so the interval is .5 -+ 1.96*.05. Over mentions it
	// would be .5 -+ .035.
	if m.Low < .37 || m.Low > .43 || m.High < .57 || m.High > .63 {
		t.Errorf("interval %.3f to %.3f, want about .402 to .598", m.Low, m.High)
	}
	must.Equal(t, NewMetric("Acc@1", documents, 1), m, "the same seed again")
	if slices.Equal(meansOf(documents, 1), meansOf(documents, 2)) {
		t.Error("two seeds give the same resamples")
	}
	must.Equal(t, NewMetric("Acc@1", nil, 1), Metric{Name: "Acc@1"}, "metric of no documents")
	must.Equal(t, NewMetric("risk", []Sum{{0, 0}}, 1), Metric{Name: "risk"}, "metric of no mentions")
}

func TestBootstrapPValue(t *testing.T) {
	many := make([]Sum, 60) // documents that differ from 0
	for i := range many {
		many[i] = Sum{1, 2}
	}
	for _, tc := range []struct {
		documents []Sum
		means     []float64
		want      float64
	}{
		{nil, nil, 1},                               // 2*1/1, at most 1
		{many, []float64{0, 0, 0}, 1},               // 2*4/4
		{many, []float64{-1, 1, 2, 3, 4, 5, 6}, .5}, // one of 7 below: 2*(1+1)/8
		{many, []float64{-9, -8, -7}, .5},           // none above: 2*(0+1)/4
		{many, slices.Repeat([]float64{1}, 1999), 2. / 2000},
		{append(many[:3:3], Sum{0, 9}), slices.Repeat([]float64{1}, 1999), .25}, // 3 differ: 2/2^3
		{many[:1], slices.Repeat([]float64{1}, 1999), 1},
	} {
		must.Equal(t, bootstrapPValue(tc.documents, tc.means), tc.want, len(tc.documents), "documents", len(tc.means),
			"resamples: p")
	}
}

func TestMetricString(t *testing.T) {
	for _, tc := range []struct {
		metric Metric
		want   string
	}{
		{Metric{"Acc@1", Ratio{631, 787, 631. / 787}, .751, .849}, "Acc@1 .802 (631/787, 95 % interval .751 to .849)"},
		{Metric{"MRR", Ratio{5.25, 6, .875}, .5, 1}, "MRR .875 (5.2/6, 95 % interval .500 to 1.000)"},
		{Metric{"difference", Ratio{-3, 100, -.03}, -.0601, -.0001}, "difference -.030 (-3/100, 95 % interval -.060 to .000)"},
	} {
		must.Equal(t, tc.metric.String(), tc.want)
	}
}

// Neither an interval nor the confidence depends on the order of documents and mentions.
func TestOrderOfDocuments(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 2))
		a, b := predictionsOf(randomOutcomes(random)...), []Prediction(nil)
		for i := range a {
			m := a[i].Mention
			m.Query.ID = fmt.Sprintf("%p", m.Query.Document)
			m.Query.Group = m.Query.ID
			if len(a[i].Candidates) > 0 {
				a[i].Candidates[0].Probability = float64(1+random.IntN(3)) / 10 // sums of tenths depend on their order
			}
			other := a[i]
			if random.IntN(3) == 0 {
				other.Candidates, other.Ranked = nil, nil
			}
			b = append(b, other)
		}
		measured := func() (all []any) {
			r := NewResult("a", a, mustPolicy(t, "all"), nil, 1)
			c := must.Get(Compare(a, b, mustPolicy(t, "all"), AllMentions(), 1))
			return []any{r.Metrics, r.Confidence, c}
		}
		want := measured()
		slices.Reverse(a)
		slices.Reverse(b)
		if diff := cmp.Diff(want, measured()); diff != "" {
			t.Fatalf("seed %d (-forward +backward):\n%s", seed, diff)
		}
	}
}
