package eval

import (
	"cmp"
	"slices"
)

// Confidence measures the probabilities of first candidates: whether they are
// calibrated, and whether correct predictions have higher ones than wrong
// predictions. A prediction is correct if the policy says so at rank 1. The
// probability of a composite mention is that of its first candidate alone, also
// where the policy wants all its concepts.
type Confidence struct {
	// ECE is the expected calibration error: for each bin the distance between mean
	// probability and accuracy, averaged over predictions. It has no interval, because
	// chance within a bin can only increase it.
	ECE Ratio `json:"ece"`
	// Metrics are overconfidence, AURC, AUROC, and Acc@1 at coverage .8.
	//
	// Overconfidence is the mean over predictions of the probability minus 1 for a
	// correct prediction and minus 0 for a wrong one: positive if the probabilities are
	// too high. AURC is the area under the risk-coverage curve (Geifman, Uziel &
	// El-Yaniv, ICLR 2019). AUROC is the share of pairs of a correct and a wrong
	// prediction of which the correct one has the higher probability.
	Metrics    []Metric         `json:"metrics"`
	Bins       []CalibrationBin `json:"bins"`       // all of them, from the lowest up
	Curve      []curvePoint     `json:"curve"`      // from the most probable predictions to all of them
	Thresholds []ThresholdRow   `json:"thresholds"` // from the lowest up
}

// newConfidence returns nil if the linker returns no probabilities.
func newConfidence(e evaluated, policy Policy, seed uint64) *Confidence {
	s := newScored(e)
	if !s.hasProbabilities() {
		return nil
	}
	bins := s.bins()
	return &Confidence{
		ECE: calibrationError(bins),
		Metrics: []Metric{
			s.metric("overconfidence", seed, s.overconfidence),
			s.metric("AURC", seed, s.aurc),
			s.metric("AUROC", seed, s.auroc),
			s.metric("Acc@1 at coverage .8", seed, s.selectiveAccuracy),
		},
		Bins:       bins,
		Curve:      s.curve(),
		Thresholds: thresholds(e, policy),
	}
}

// scored holds the evaluated predictions that have a candidate, the most probable
// first. The order of equal ones does not depend on that of the documents or mentions,
// since sums in other orders differ in their last digit.
type scored struct {
	predictions []scoredPrediction
	mentions    []int // evaluated mentions of each document, with a candidate or without
}

// scoredPrediction is what calibration needs of a prediction.
type scoredPrediction struct {
	probability float64 // of the first candidate
	correct     bool    // at rank 1
	document    int
}

func newScored(e evaluated) scored {
	documents, count := documentNumbers(len(e.predictions),
		func(i int) *GoldMention { return e.predictions[i].Mention })
	s := scored{mentions: make([]int, count)}
	for i, p := range e.predictions {
		s.mentions[documents[i]]++
		if len(p.Candidates) > 0 {
			s.predictions = append(s.predictions, scoredPrediction{p.Candidates[0].Probability, e.ranks[i] == 1,
				documents[i]})
		}
	}
	slices.SortFunc(s.predictions, func(a, b scoredPrediction) int {
		return cmp.Or(cmp.Compare(b.probability, a.probability), cmp.Compare(a.document, b.document),
			cmp.Compare(oneIf(a.correct), oneIf(b.correct)))
	})
	return s
}

// hasProbabilities reports whether the linker returned probabilities. A linker that
// is not calibrated sets them all to 0.
func (s *scored) hasProbabilities() bool {
	return len(s.predictions) > 0 && s.predictions[0].probability > 0
}

// once returns the weights of the original sample: every document once.
func (s *scored) once() []int { return slices.Repeat([]int{1}, len(s.mentions)) }

// total returns the number of evaluated mentions if document i is sampled times[i]
// times.
func (s *scored) total(times []int) int {
	n := 0
	for document, mentions := range s.mentions {
		n += times[document] * mentions
	}
	return n
}

// byScore calls visit for each distinct probability, from the highest down, with the
// number n of predictions that have it and how many of them are wrong. Document i
// is sampled times[i] times.
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

// metric computes a quotient on the sample, and its interval from bootstrap
// resamples of documents. Resamples with denominator 0 are left out.
func (s *scored) metric(name string, seed uint64,
	quotient func(times []int) (numerator float64, denominator int)) Metric {
	numerator, denominator := quotient(s.once())
	m := Metric{Name: name, Numerator: numerator, Denominator: denominator}
	if denominator == 0 {
		return m
	}
	m.Value = numerator / float64(denominator)
	values := make([]float64, 0, resampleCount)
	eachResample(len(s.mentions), seed, func(times []int) {
		if numerator, denominator := quotient(times); denominator > 0 {
			values = append(values, numerator/float64(denominator))
		}
	})
	slices.Sort(values)
	m.Low, m.High = percentileInterval(values)
	return m
}
