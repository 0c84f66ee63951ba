package eval

import "math"

// binCount is the number of bins of equal width, as in Guo et al.
const binCount = 15

// CalibrationBin holds the predictions whose probability p is in Low < p <= High.
// The first bin also holds p = 0.
type CalibrationBin struct {
	Low             float64 `json:"low"`
	High            float64 `json:"high"`
	Mentions        int     `json:"mentions"`
	MeanProbability Ratio   `json:"probability"` // mean probability
	Accuracy        Ratio   `json:"accuracy"`    // share of correct predictions
}

// bins sorts predictions into [binCount] bins of equal width (Guo, Pleiss, Sun &
// Weinberger, "On Calibration of Modern Neural Networks", ICML 2017, section 2).
func (s *scored) bins() []CalibrationBin {
	var probabilities, correct [binCount]float64 // sums
	var mentions [binCount]int
	for _, p := range s.predictions {
		i := int(math.Ceil(p.probability*binCount)) - 1
		i = max(0, min(binCount-1, i))
		probabilities[i] += p.probability
		correct[i] += oneIf(p.correct)
		mentions[i]++
	}
	bins := make([]CalibrationBin, binCount)
	for i := range bins {
		bins[i] = CalibrationBin{
			Low: float64(i) / binCount, High: float64(i+1) / binCount, Mentions: mentions[i],
			MeanProbability: newRatio(probabilities[i], mentions[i]), Accuracy: newRatio(correct[i], mentions[i]),
		}
	}
	return bins
}

// calibrationError returns the expected calibration error, equation 3 of Guo et al.:
//
//	ECE = sum over bins of n/N * |accuracy - mean probability|
//
// where the bin holds n of the N predictions. n times the distance of the means is
// the distance of the sums.
func calibrationError(bins []CalibrationBin) Ratio {
	sum, n := 0.0, 0
	for _, b := range bins {
		sum += math.Abs(b.Accuracy.Numerator - b.MeanProbability.Numerator)
		n += b.Mentions
	}
	return newRatio(sum, n)
}

// overconfidence returns the sum of probability minus correctness, and the number
// of predictions.
func (s *scored) overconfidence(times []int) (float64, int) {
	sum, n := 0.0, 0
	for _, p := range s.predictions {
		sum += float64(times[p.document]) * (p.probability - oneIf(p.correct))
		n += times[p.document]
	}
	return sum, n
}
