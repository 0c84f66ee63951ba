package eval

// CurvePoint is what becomes of a linker that answers where the probability of
// its first candidate is at least MinProbability: a point of the risk-coverage
// curve (El-Yaniv & Wiener, "On the Foundations of Noise-free Selective
// Classification", JMLR 11, 2010).
type CurvePoint struct {
	MinProbability float64 `json:"min_probability"`
	Coverage       Ratio   `json:"coverage"` // answered, of the mentions that count
	Risk           Ratio   `json:"risk"`     // wrong, of those answered
}

// curveSteps is how many points a curve has at most: one for each percent of
// coverage.
const curveSteps = 100

// curve gives the highest threshold that reaches each percent of coverage, as far
// as the answers go. Answers of equal probability come together.
func (g *graded) curve() []CurvePoint {
	total := g.total(g.once())
	var points []CurvePoint
	covered, risked, step := 0, 0, 1
	g.ties(g.once(), func(probability float64, n, wrong int) {
		covered += n
		risked += wrong
		last := covered == len(g.answers)
		if covered*curveSteps < step*total && !last {
			return
		}
		step = covered*curveSteps/total + 1
		points = append(points, CurvePoint{
			probability, newRatio(float64(covered), total), newRatio(float64(risked), covered),
		})
	})
	return points
}

// riskArea is the area under the risk-coverage curve, AURC: the mean over answers
// of the risk when this answer and all surer ones are given (Geifman, Uziel &
// El-Yaniv, "Bias-Reduced Uncertainty Estimation for Deep Neural Classifiers",
// ICLR 2019). Within answers of equal probability it is the mean over all their
// orders: the j-th of n with w wrong among them adds w/n wrong answers.
//
// It is the mean over the answers given: a linker that leaves the hard mentions
// without a candidate has a small one.
func (g *graded) riskArea(times []int) (float64, int) {
	area, covered, risked := 0.0, 0, 0.0
	g.ties(times, func(_ float64, n, wrong int) {
		for range n {
			covered++
			risked += float64(wrong) / float64(n)
			area += risked / float64(covered)
		}
	})
	return area, covered
}

// separation is AUROC, the share of pairs of a right and a wrong answer of which
// the right one has the higher probability. Equal ones count half (Hanley &
// McNeil, Radiology 143, 1982).
func (g *graded) separation(times []int) (float64, int) {
	pairs, rights, wrongs := 0.0, 0, 0
	g.ties(times, func(_ float64, n, wrong int) {
		right := n - wrong
		pairs += float64(wrong) * (float64(rights) + float64(right)/2)
		rights += right
		wrongs += wrong
	})
	return pairs, rights * wrongs
}

// selectiveAccuracy is the share right among the surest 80 % of the mentions that
// count, the number rounded up. Of answers of equal probability at the edge the
// share right of them all is taken. Where fewer are answered there is none.
func (g *graded) selectiveAccuracy(times []int) (float64, int) {
	wanted := (4*g.total(times) + 4) / 5
	right, covered := 0.0, 0
	g.ties(times, func(_ float64, n, wrong int) {
		take := min(n, wanted-covered)
		if take > 0 {
			right += float64(take) * float64(n-wrong) / float64(n)
			covered += take
		}
	})
	if covered < wanted {
		return 0, 0
	}
	return right, covered
}
