package eval

import (
	"cmp"
	"math"
	"slices"
)

// Confidence measures the probabilities of first candidates: whether they are calibrated, and whether correct
// predictions have higher ones than wrong predictions. The policy decides which predictions are correct at rank 1. The
// probability of a composite mention is that of its first candidate alone, even if the policy requires all its
// concepts.
type Confidence struct {
	// ECE is the expected calibration error: the distance between mean probability and accuracy in each bin, averaged
	// over predictions. It has no interval, because chance within a bin can only increase it.
	ECE Ratio `json:"ece"`
	// Metrics are overconfidence, AURC, AUROC, and Acc@1 at coverage .8.
	//
	// Overconfidence is the mean over predictions of the probability minus 1 for a correct prediction and minus 0 for a
	// wrong one: positive if the probabilities are too high. AURC is the area under the risk-coverage curve (Geifman,
	// Uziel & El-Yaniv, ICLR 2019). AUROC is the share of pairs of a correct and a wrong prediction in which the
	// correct one has the higher probability.
	Metrics    []Metric         `json:"metrics"`
	Bins       []CalibrationBin `json:"bins"`       // all bins, from the lowest up
	Curve      []CurvePoint     `json:"curve"`      // from the most probable predictions to all predictions
	Thresholds []ThresholdRow   `json:"thresholds"` // from the lowest up
}

// newConfidence returns nil if the linker returns no probabilities.
func newConfidence(e evaluated, policy Policy, seed uint64) *Confidence {
	s := newScored(e)
	if len(s.predictions) == 0 || s.predictions[0].probability == 0 { // an uncalibrated linker sets all of them to 0
		return nil
	}
	bins := s.bins()
	c := &Confidence{ECE: calibrationError(bins), Bins: bins, Curve: s.curve(), Thresholds: thresholds(e, policy)}
	for _, measure := range []struct {
		name     string
		quotient func(times []int) (numerator float64, denominator int)
	}{
		{"overconfidence", s.overconfidence}, {"AURC", s.aurc}, {"AUROC", s.auroc},
		{"Acc@1 at coverage .8", s.selectiveAccuracy},
	} {
		metric, _ := newMetric(measure.name, len(s.mentions), seed, measure.quotient)
		c.Metrics = append(c.Metrics, metric)
	}
	return c
}

// scored holds the evaluated predictions that have a candidate, most probable first. The order of equal ones does not
// depend on the order of documents or mentions, because sums in other orders differ in their last digit.
type scored struct {
	predictions []scoredPrediction
	mentions    []int // evaluated mentions of each document, with or without a candidate
}

// scoredPrediction holds the parts of a prediction needed for calibration.
type scoredPrediction struct {
	probability float64 // of the first candidate
	correct     bool    // at rank 1
	document    int
}

func newScored(e evaluated) scored {
	documents, count := documentNumbers(len(e.predictions), e.mention)
	s := scored{mentions: make([]int, count)}
	for i, p := range e.predictions {
		s.mentions[documents[i]]++
		if len(p.Candidates) > 0 {
			s.predictions = append(s.predictions, scoredPrediction{p.Candidates[0].Probability, e.ranks[i] == 1, documents[i]})
		}
	}
	slices.SortFunc(s.predictions, func(a, b scoredPrediction) int {
		return cmp.Or(cmp.Compare(b.probability, a.probability), cmp.Compare(a.document, b.document),
			cmp.Compare(oneIf(a.correct), oneIf(b.correct)))
	})
	return s
}

// total returns the number of evaluated mentions if document i is sampled times[i] times.
func (s *scored) total(times []int) int {
	n := 0
	for document, mentions := range s.mentions {
		n += times[document] * mentions
	}
	return n
}

// byScore calls visit for each distinct probability, from the highest down, with the number n of predictions that have
// it and the number of wrong ones among them. Document i is sampled times[i] times.
func (s *scored) byScore(times []int, visit func(probability float64, n, wrong int)) {
	n, wrong := 0, 0
	for i, p := range s.predictions {
		n += times[p.document]
		if !p.correct {
			wrong += times[p.document]
		}
		if i+1 == len(s.predictions) || s.predictions[i+1].probability != p.probability {
			visit(p.probability, n, wrong)
			n, wrong = 0, 0
		}
	}
}

// binCount is the number of bins of equal width, as in Guo et al.
const binCount = 15

// CalibrationBin holds the predictions with a probability p in Low < p <= High. The first bin also holds p = 0.
type CalibrationBin struct {
	Low             float64 `json:"low"`
	High            float64 `json:"high"`
	Mentions        int     `json:"mentions"`
	MeanProbability Ratio   `json:"probability"` // mean probability
	Accuracy        Ratio   `json:"accuracy"`    // share of correct predictions
}

// bins sorts predictions into [binCount] bins of equal width (Guo, Pleiss, Sun & Weinberger, "On Calibration of Modern
// Neural Networks", ICML 2017, section 2).
func (s *scored) bins() []CalibrationBin {
	var probabilities, correct [binCount]Sum
	for _, p := range s.predictions {
		i := max(0, min(binCount, int(math.Ceil(p.probability*binCount)))-1)
		probabilities[i].add(Sum{p.probability, 1}, 1)
		correct[i].add(Sum{oneIf(p.correct), 1}, 1)
	}
	bins := make([]CalibrationBin, binCount)
	for i, n := range correct {
		bins[i] = CalibrationBin{float64(i) / binCount, float64(i+1) / binCount, n.N,
			newRatio(probabilities[i].Value, n.N), newRatio(n.Value, n.N)}
	}
	return bins
}

// calibrationError returns the expected calibration error, equation 3 of Guo et al.:
//
//	ECE = sum over bins of n/N * |accuracy - mean probability|
//
// where the bin holds n of the N predictions. n times the distance of the means is the distance of the sums.
func calibrationError(bins []CalibrationBin) Ratio {
	sum, n := 0.0, 0
	for _, b := range bins {
		sum += math.Abs(b.Accuracy.Numerator - b.MeanProbability.Numerator)
		n += b.Mentions
	}
	return newRatio(sum, n)
}

// overconfidence returns the sum of probability minus correctness, and the number of predictions.
func (s *scored) overconfidence(times []int) (float64, int) {
	var total Sum
	for _, p := range s.predictions {
		total.add(Sum{p.probability - oneIf(p.correct), 1}, times[p.document])
	}
	return total.Value, total.N
}

// CurvePoint is a point of the risk-coverage curve: the result of a linker that abstains if the probability of its
// first candidate is below MinProbability (El-Yaniv & Wiener, "On the Foundations of Noise-free Selective
// Classification", JMLR 11, 2010).
type CurvePoint struct {
	MinProbability float64 `json:"min_probability"`
	Coverage       Ratio   `json:"coverage"` // predictions at or above MinProbability / evaluated mentions
	Risk           Ratio   `json:"risk"`     // wrong predictions / predictions at or above MinProbability
}

// curvePoints is the maximum number of points of a curve: one for each percent of coverage.
const curvePoints = 100

// curve returns the highest threshold that reaches each percent of coverage, as far as there are predictions.
// Predictions of equal probability share a point.
func (s *scored) curve() []CurvePoint {
	once := slices.Repeat([]int{1}, len(s.mentions)) // the original sample
	total := s.total(once)
	var points []CurvePoint
	covered, wrongSoFar, percent := 0, 0, 1
	s.byScore(once, func(probability float64, n, wrong int) {
		covered += n
		wrongSoFar += wrong
		last := covered == len(s.predictions)
		if covered*curvePoints < percent*total && !last {
			return
		}
		percent = covered*curvePoints/total + 1
		points = append(points, CurvePoint{
			probability, newRatio(float64(covered), total), newRatio(float64(wrongSoFar), covered),
		})
	})
	return points
}

// aurc returns the area under the risk-coverage curve: the risk of answering with a prediction and all more probable
// ones, averaged over predictions (Geifman, Uziel & El-Yaniv, "Bias-Reduced Uncertainty Estimation for Deep Neural
// Classifiers", ICLR 2019). For n predictions of equal probability, w of them wrong, it is the mean over all their
// orders: each adds w/n wrong predictions.
//
// NB: the mean is over mentions with a candidate. A linker that returns no candidate for the hard mentions has a small
// AURC.
func (s *scored) aurc(times []int) (float64, int) {
	area, covered, wrongSoFar := 0.0, 0, 0.0
	s.byScore(times, func(_ float64, n, wrong int) {
		for range n {
			covered++
			wrongSoFar += float64(wrong) / float64(n)
			area += wrongSoFar / float64(covered)
		}
	})
	return area, covered
}

// auroc returns the number of pairs of a correct and a wrong prediction in which the correct one has the higher
// probability, and the number of all such pairs. Pairs of equal probability count half (Hanley & McNeil, Radiology 143,
// 1982).
func (s *scored) auroc(times []int) (float64, int) {
	pairs, correctSoFar, wrongSoFar := 0.0, 0, 0
	s.byScore(times, func(_ float64, n, wrong int) {
		correct := n - wrong
		pairs += float64(wrong) * (float64(correctSoFar) + float64(correct)/2)
		correctSoFar += correct
		wrongSoFar += wrong
	})
	return pairs, correctSoFar * wrongSoFar
}

// selectiveAccuracy returns the number of correct predictions among the most probable 80 % of the evaluated mentions,
// and the number of these mentions, rounded up. If predictions of equal probability straddle the 80 % mark, it uses the
// share of correct ones among all of them. It returns 0, 0 if fewer than 80 % of the mentions have a candidate.
func (s *scored) selectiveAccuracy(times []int) (float64, int) {
	wanted := (4*s.total(times) + 4) / 5
	correct, covered := 0.0, 0
	s.byScore(times, func(_ float64, n, wrong int) {
		take := min(n, wanted-covered)
		if take > 0 {
			correct += float64(take) * float64(n-wrong) / float64(n)
			covered += take
		}
	})
	if covered < wanted {
		return 0, 0
	}
	return correct, covered
}

// thresholdGrid lists the minimum probabilities to try.
var thresholdGrid = []float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9, .95, .99}

// ThresholdRow measures a linker that predicts NIL if its first candidate has a probability below MinProbability.
type ThresholdRow struct {
	MinProbability float64 `json:"min_probability"`
	Coverage       Ratio   `json:"coverage"` // mentions with a candidate / evaluated mentions
	Risk           Ratio   `json:"risk"`     // wrong predictions / mentions with a candidate
	// correct predictions, including correct NILs / evaluated mentions
	Acc1 Ratio `json:"acc1"`
	// NIL measures how well abstaining finds the mentions outside the evaluated set. It is nil if the policy does not
	// score NIL as correct.
	NIL *NILScores `json:"nil,omitempty"`
}

// NILScores holds precision, recall and F1 of NIL predictions: mentions without a candidate are the predicted NILs,
// mentions outside the evaluated set the gold NILs.
type NILScores struct {
	Precision Ratio `json:"precision"` // gold NILs among the predicted ones
	Recall    Ratio `json:"recall"`    // predicted NILs among the gold ones
	F1        Ratio `json:"f1"`        // 2 |predicted and gold| / (|predicted| + |gold|)
}

// thresholds measures each threshold of [thresholdGrid]. A prediction without a candidate stays NIL at every threshold.
func thresholds(e evaluated, policy Policy) []ThresholdRow {
	var rows []ThresholdRow
	for _, least := range thresholdGrid {
		var left evaluated
		for _, p := range e.predictions {
			if len(p.Candidates) > 0 && p.Candidates[0].Probability < least {
				p = &Prediction{Mention: p.Mention}
			}
			left.add(p, policy)
		}
		row := ThresholdRow{least, left.ratio(coverage), left.ratio(risk), left.ratio(accuracy(1)), nil}
		if policy.ScoresNIL {
			row.NIL = &NILScores{left.ratio(nilPrecision), left.ratio(nilRecall), left.ratio(nilF1)}
		}
		rows = append(rows, row)
	}
	return rows
}
