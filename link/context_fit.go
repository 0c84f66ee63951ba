package link

import (
	"math"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/model"
	"github.com/ctxnorm/ctxnorm/text/normalize"
)

// fitFeature is the index of a feature in [ContextFit].
type fitFeature int

const (
	// fitBias is 1.
	fitBias fitFeature = iota
	// fitWords is the [sense.Profiles.WordScore] of the document's words.
	fitWords
	// fitCentroid is 10 times the [sense.Profiles.CentroidScore] of the sentence without the
	// mention.
	fitCentroid
	// fitName is 10 times the highest cosine of the sentence without the mention and a name
	// of the concept, less the mean of that cosine over all names.
	fitName
	// fitMeanName is 10 times the mean cosine of the sentence without the mention and all
	// names: how much the sentence speaks of what the dictionary names.
	fitMeanName
	// fitSmallLetters is 1 for a word in small letters that is, in capitals, a short form of
	// the concept: "aids", "all".
	fitSmallLetters

	fitFeatureCount
)

// fitFeatureNames names the features in calibration.json, in their order.
var fitFeatureNames = [fitFeatureCount]string{"bias", "words", "centroid", "name", "mean_name", "small_letters"}

// ContextFit says how well the context of a mention of one word suits the concept that is
// most similar to the mention by names and strings. Such a word may be an ordinary one in
// its context: boils, hives, strain. A mention of several words says by itself what it
// means.
type ContextFit [fitFeatureCount]float64

// mayBeOrdinary reports whether a mention is one word that may be an ordinary word, and no
// term of Greek or Latin form.
func mayBeOrdinary(surface string) bool {
	return surface != "" && len(normalize.ContentWords(surface)) <= 1 && !normalize.HasMedicalEnding(surface)
}

// FitWeights holds the weight of each feature of a [ContextFit]. The logistic function of
// the weighted sum is the probability that the word means the concept.
type FitWeights [fitFeatureCount]float64

// PriorFitWeights returns the weights from which learning starts, and which a model keeps
// that has too few names of one word to learn from.
func PriorFitWeights() FitWeights {
	return FitWeights{fitBias: 1.5, fitWords: .6, fitCentroid: .8, fitName: .6, fitSmallLetters: -4}
}

// Probability returns the probability that a word means the concept.
func (w *FitWeights) Probability(f *ContextFit) float64 {
	sum := 0.
	for i := range f {
		sum += w[i] * f[i]
	}
	return 1 / (1 + math.Exp(-sum))
}

// ByName returns the weights by the names of their features, as a [model.Calibration]
// stores them.
func (w *FitWeights) ByName() map[string]float64 { return weightsByName(w[:], fitFeatureNames[:]) }

func weightsByName(weights []float64, names []string) map[string]float64 {
	byName := make(map[string]float64, len(names))
	for i, name := range names {
		byName[name] = weights[i]
	}
	return byName
}

// fitWeightsOf returns the calibrated fit weights of the model, or the prior weights if it
// has none. It returns an [*artifact.DamagedError] for weights of other features.
func fitWeightsOf(m *model.Model) (FitWeights, error) {
	w := PriorFitWeights()
	if m.Calibration == nil || m.Calibration.FitWeights == nil {
		return w, nil
	}
	names := fitFeatureNames[:]
	if _, has := m.Calibration.FitWeights[fitFeatureNames[fitMeanName]]; !has { // learned before there was this feature
		w, names = FitWeights{}, names[:fitMeanName]
	}
	return w, readWeights(m, "fit_weights", m.Calibration.FitWeights, names, w[:])
}

// readWeights sets weights to those of a field of the model's calibration.json. It returns
// an [*artifact.DamagedError] unless there is one weight for every name and no other.
func readWeights(m *model.Model, field string, byName map[string]float64, names []string, weights []float64) error {
	path := filepath.Join(m.Dir, model.CalibrationFile)
	for i, name := range names {
		weight, ok := byName[name]
		if !ok {
			return artifact.Damaged(path, "%s: no weight for the feature %q; ctxnorm calibrate learns the weights anew", field, name)
		}
		weights[i] = weight
	}
	if len(byName) != len(names) {
		return artifact.Damaged(path, "%s: %d weights, want %d; ctxnorm calibrate learns the weights anew", field, len(byName), len(names))
	}
	return nil
}
