package eval

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// resamples is the number of bootstrap samples. The ends of an interval are the
// 50th value from either side; the smallest p is 2/2001, .001.
const resamples = 2000

// eachDraw draws documents with replacement, as many as there are, and shows how
// many times each was drawn. Documents are drawn and not mentions because the
// mentions of one document are alike (Efron & Tibshirani, An Introduction to the
// Bootstrap, 1993, chapter 6).
func eachDraw(documents int, seed uint64, see func(times []int)) {
	random := rand.New(rand.NewPCG(seed, 0))
	times := make([]int, documents)
	for range resamples {
		clear(times)
		for range documents {
			times[random.IntN(documents)]++
		}
		see(times)
	}
}

// resample gives the mean over the mentions of each of the draws, sorted. A draw
// without a single mention is left out.
func resample(documents []tally, seed uint64) []float64 {
	means := make([]float64, 0, resamples)
	eachDraw(len(documents), seed, func(times []int) {
		var drawn tally
		for i, n := range times {
			drawn.sum += float64(n) * documents[i].sum
			drawn.n += n * documents[i].n
		}
		if drawn.n > 0 {
			means = append(means, drawn.sum/float64(drawn.n))
		}
	})
	slices.Sort(means)
	return means
}

// interval is the 95 % percentile interval (Efron & Tibshirani, section 13.3).
func interval(means []float64) (low, high float64) {
	return stat.Quantile(.025, stat.Empirical, means, nil), stat.Quantile(.975, stat.Empirical, means, nil)
}

// twoSided is the p value of "the mean is 0": twice the share of draws on the
// side of 0 with fewer of them. The observed sample counts as a draw, so that p
// is never 0 (Davison & Hinkley, Bootstrap Methods and Their Application, 1997,
// section 4.4).
//
// Draws from a few documents that all point one way all point that way, which is
// no proof: if each of d documents were as likely to differ the other way, they
// would agree in 2 of 2^d cases. p is never less than that.
func twoSided(documents []tally, draws []float64) float64 {
	below, above := 1, 1
	for _, mean := range draws {
		if mean <= 0 {
			below++
		}
		if mean >= 0 {
			above++
		}
	}
	differing := 0
	for _, d := range documents {
		if d.sum != 0 {
			differing++
		}
	}
	p := 2 * float64(min(below, above)) / float64(len(draws)+1)
	return min(1, max(p, math.Ldexp(2, -differing)))
}
