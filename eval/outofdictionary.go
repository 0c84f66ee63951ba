package eval

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"
)

// OutOfDictionary measures thresholds of the distance between a mention and its nearest name, beyond
// which the mention is NIL: those of Miftahutdinov, Kadurin, Kudrin & Tutubalina, "Medical Concept
// Normalization in Clinical Trials with Drug and Disease Representation Learning" (DILBERT), 2021,
// section 5.4. Each is chosen on a random sample of the mentions and measured on the others, several
// times.
type OutOfDictionary struct {
	Policy     string           `json:"policy"`
	Sample     int              `json:"sample"`  // mentions that a threshold is chosen on
	Rest       int              `json:"rest"`    // mentions that it is measured on
	Repeats    int              `json:"repeats"` // samples
	Strategies []StrategyResult `json:"strategies"`
}

// StrategyResult is the Acc@1 of one strategy over the samples.
type StrategyResult struct {
	Strategy string  `json:"strategy"`
	Mean     float64 `json:"mean"`
	// Deviation is the standard deviation, with the number of samples less one as the divisor.
	Deviation float64 `json:"deviation"`
}

// OutOfDictionarySettings say how thresholds are chosen.
type OutOfDictionarySettings struct {
	Sample  int    // mentions that a threshold is chosen on, at least 1
	Repeats int    // samples, at least 2
	Seed    uint64 // of the samples
}

// DefaultOutOfDictionary returns the settings of the paper: 100 mentions, 20 times.
func DefaultOutOfDictionary() OutOfDictionarySettings {
	return OutOfDictionarySettings{Sample: 100, Repeats: 20, Seed: 1}
}

// distanceThresholds are the thresholds of a sample, in the order of strategyNames. A mention is NIL
// if its distance is larger.
type distanceThresholds [3]float64

var strategyNames = [3]string{"smallest distance of a false positive", "greatest distance of a true positive",
	"weighted mean of both"}

// MeasureOutOfDictionary chooses and measures the thresholds. The scores of candidates are cosines of
// unit vectors, as those of [sapbert.Linker]; the distance is Euclidean, as in the paper. The
// policy must score NIL as correct outside the set, see [NILCorrect].
func MeasureOutOfDictionary(predictions []Prediction, policy Policy,
	s OutOfDictionarySettings) (*OutOfDictionary, error) {
	if policy.NIL != NILCorrect {
		return nil, fmt.Errorf("thresholds of distance: policy is %s, want one that scores NIL as right outside the "+
			"dictionary", policy.Name)
	}
	if s.Sample < 1 || s.Repeats < 2 || len(predictions) <= s.Sample {
		return nil, fmt.Errorf("thresholds of distance: %d samples of %d from %d mentions, want at least two samples "+
			"of 1 or more, and more mentions than in a sample",
			s.Repeats, s.Sample, len(predictions))
	}
	outside := 0
	for i := range predictions {
		if !predictions[i].Mention.InSet() {
			outside++
		}
	}
	if outside == 0 {
		return nil, fmt.Errorf("thresholds of distance: none of %d mentions is outside the dictionary",
			len(predictions))
	}
	var accuracies [3][]float64
	for repeat := range s.Repeats {
		order := rand.New(rand.NewPCG(s.Seed, uint64(repeat))).Perm(len(predictions))
		shuffled := make([]*Prediction, len(order))
		for i, j := range order {
			shuffled[i] = &predictions[j]
		}
		for i, threshold := range chooseThresholds(shuffled[:s.Sample], policy) {
			accuracies[i] = append(accuracies[i], accuracyBeyond(threshold, shuffled[s.Sample:], policy))
		}
	}
	result := &OutOfDictionary{Policy: policy.Name, Sample: s.Sample, Rest: len(predictions) - s.Sample,
		Repeats: s.Repeats}
	for i, name := range strategyNames {
		mean, deviation := stat.MeanStdDev(accuracies[i], nil)
		result.Strategies = append(result.Strategies, StrategyResult{name, mean, deviation})
	}
	return result, nil
}

// chooseThresholds returns the thresholds of a sample. A false positive is a mention outside the
// dictionary that has a candidate, a true positive one that is linked to a right concept. The weights
// of the mean are the numbers of false and of true positives: the paper names "the proportion of TP
// cases" for both, of which one must be that of the others. Without false positives the first
// threshold is infinite; without true positives the second is below all distances; without either
// the third is infinite.
func chooseThresholds(sample []*Prediction, policy Policy) distanceThresholds {
	falsePositive, truePositive := math.Inf(1), math.Inf(-1)
	falseCount, trueCount := 0, 0
	for _, p := range sample {
		switch {
		case len(p.Candidates) == 0:
		case !p.Mention.InSet():
			falseCount++
			falsePositive = min(falsePositive, p.distance())
		case policy.rank(p) == 1:
			trueCount++
			truePositive = max(truePositive, p.distance())
		}
	}
	weighted := math.Inf(1)
	switch {
	case falseCount > 0 && trueCount > 0:
		weighted = (float64(falseCount)*falsePositive + float64(trueCount)*truePositive) / float64(falseCount+trueCount)
	case falseCount > 0:
		weighted = falsePositive
	case trueCount > 0:
		weighted = truePositive
	}
	return distanceThresholds{falsePositive, truePositive, weighted}
}

// distance returns the distance of two unit vectors whose cosine is the score of the first candidate.
func (p *Prediction) distance() float64 {
	return math.Sqrt(max(0, 2-2*p.Candidates[0].Score))
}

// accuracyBeyond returns Acc@1 where mentions whose distance is larger than the threshold are NIL.
func accuracyBeyond(threshold float64, predictions []*Prediction, policy Policy) float64 {
	right := 0
	for _, p := range predictions {
		if len(p.Candidates) > 0 && p.distance() > threshold {
			p = &Prediction{Mention: p.Mention}
		}
		if policy.rank(p) == 1 {
			right++
		}
	}
	return float64(right) / float64(len(predictions))
}
