package eval

import "math"

// binCount is the number of bins of equal width that Guo et al. take.
const binCount = 15

// Bin is the answers whose probability lies above Low and is at most High. The
// first bin takes 0 as well.
type Bin struct {
	Low         float64 `json:"low"`
	High        float64 `json:"high"`
	Mentions    int     `json:"mentions"`
	Probability Ratio   `json:"probability"` // mean
	Right       Ratio   `json:"right"`       // share
}

// bins sorts answers into [binCount] bins of equal width (Guo, Pleiss, Sun &
// Weinberger, "On Calibration of Modern Neural Networks", ICML 2017, section 2).
func (g *graded) bins() []Bin {
	var sums, rights [binCount]float64
	var mentions [binCount]int
	for _, a := range g.answers {
		i := int(math.Ceil(a.probability*binCount)) - 1
		i = max(0, min(binCount-1, i))
		sums[i] += a.probability
		rights[i] += oneIf(a.right)
		mentions[i]++
	}
	bins := make([]Bin, binCount)
	for i := range bins {
		bins[i] = Bin{
			Low: float64(i) / binCount, High: float64(i+1) / binCount, Mentions: mentions[i],
			Probability: newRatio(sums[i], mentions[i]), Right: newRatio(rights[i], mentions[i]),
		}
	}
	return bins
}

// calibrationError is Guo et al.'s equation 3,
//
//	ECE = sum over bins of n/N * |share right - mean probability|
//
// with n of the N answers in the bin, so that n times the distance is the
// distance of the two sums.
func calibrationError(bins []Bin) Ratio {
	sum, n := 0.0, 0
	for _, b := range bins {
		sum += math.Abs(b.Right.Numerator - b.Probability.Numerator)
		n += b.Mentions
	}
	return newRatio(sum, n)
}

func (g *graded) overconfidence(times []int) (float64, int) {
	sum, n := 0.0, 0
	for _, a := range g.answers {
		sum += float64(times[a.document]) * (a.probability - oneIf(a.right))
		n += times[a.document]
	}
	return sum, n
}
