package eval

// curvePoint is a point of the risk-coverage curve: what a linker reaches if it
// abstains where the probability of its first candidate is below MinProbability
// (El-Yaniv & Wiener, "On the Foundations of Noise-free Selective Classification",
// JMLR 11, 2010).
type curvePoint struct {
	MinProbability float64 `json:"min_probability"`
	Coverage       Ratio   `json:"coverage"` // predictions at or above MinProbability, of the evaluated mentions
	Risk           Ratio   `json:"risk"`     // wrong predictions, of those predictions
}

// curvePoints is the highest number of points of a curve: one for each percent of
// coverage.
const curvePoints = 100

// curve returns the highest threshold that reaches each percent of coverage, as far
// as there are predictions. Predictions of equal probability are in one point.
func (s *scored) curve() []curvePoint {
	total := s.total(s.once())
	var points []curvePoint
	covered, wrongSoFar, percent := 0, 0, 1
	s.byScore(s.once(), func(probability float64, n, wrong int) {
		covered += n
		wrongSoFar += wrong
		last := covered == len(s.predictions)
		if covered*curvePoints < percent*total && !last {
			return
		}
		percent = covered*curvePoints/total + 1
		points = append(points, curvePoint{
			probability, newRatio(float64(covered), total), newRatio(float64(wrongSoFar), covered),
		})
	})
	return points
}

// aurc returns the area under the risk-coverage curve: for each prediction the risk
// when this prediction and all more probable ones are given, averaged over
// predictions (Geifman, Uziel & El-Yaniv, "Bias-Reduced Uncertainty Estimation for
// Deep Neural Classifiers", ICLR 2019). Among n predictions of equal probability,
// w of them wrong, it is the mean over all their orders: each adds w/n wrong
// predictions.
//
// NB: the mean is over mentions with a candidate. A linker that returns no
// candidate for the hard mentions has a small AURC.
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

// auroc returns the number of pairs of a correct and a wrong prediction of which the
// correct one has the higher probability, and the number of all such pairs. Pairs of
// equal probability count half (Hanley & McNeil, Radiology 143, 1982).
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

// selectiveAccuracy returns the number of correct predictions among the most
// probable 80 % of the evaluated mentions, and the number of these mentions, rounded
// up. If predictions of equal probability lie across the 80 % mark, the share of
// correct ones among all of them is used. It returns 0, 0 if fewer than 80 % of the
// mentions have a candidate.
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
