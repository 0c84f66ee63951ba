package link

import (
	"maps"
	"math"
	"path/filepath"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/model"
)

// logLinear describes the features of a log-linear model, in the order of their weights. The score
// of a candidate is the dot product of its features and the weights.
type logLinear struct {
	field    string // of calibration.json, which holds the weights by the names of their features
	features []weighedFeature
}

// weighedFeature describes a feature of a log-linear model.
type weighedFeature struct {
	name  string     // in calibration.json
	prior float64    // the weight before anything is learned
	needs Components // the feature is 0 without all of them
}

// maxWeight bounds the weights that are read: learning makes none above 100, and sums of any within it are finite.
const maxWeight = 1e6

// prior returns the prior weight of each feature.
func (l *logLinear) prior() []float64 {
	weights := make([]float64, len(l.features))
	for i := range weights {
		weights[i] = l.features[i].prior
	}
	return weights
}

// byName returns the weights by the names of their features, as a [model.Calibration]
// stores them.
func (l *logLinear) byName(weights []float64) map[string]float64 {
	byName := make(map[string]float64, len(weights))
	for i := range weights {
		byName[l.features[i].name] = weights[i]
	}
	return byName
}

// read sets weights to those that the model stores. It returns an [*files.DamagedError] for a missing weight, for one
// above maxWeight, and for a weight of an unknown feature.
func (l *logLinear) read(m *model.Model, stored map[string]float64, weights []float64) error {
	damaged := func(format, name string) error {
		path := filepath.Join(m.Dir, model.CalibrationFile)
		return artifact.Damaged(path, "%s: "+format+"; ctxnorm calibrate learns the weights anew", l.field, name)
	}
	unknown := maps.Clone(stored)
	for i := range l.features {
		f := &l.features[i]
		weight, ok := stored[f.name]
		switch {
		case ok && math.Abs(weight) > maxWeight:
			return damaged("a weight that is too large for the feature %q", f.name)
		case ok:
			weights[i] = weight
		default:
			return damaged("no weight for the feature %q", f.name)
		}
		delete(unknown, f.name)
	}
	if names := slices.Sorted(maps.Keys(unknown)); len(names) > 0 {
		return damaged("a weight for the unknown feature %q", names[0])
	}
	return nil
}

// Softmax returns exp(score) over the sum of exp(score) of all scores. It subtracts the
// highest score first, so that no term overflows.
func Softmax(scores []float64) []float64 {
	if len(scores) == 0 {
		return nil
	}
	highest := slices.Max(scores)
	p := make([]float64, len(scores))
	sum := 0.0
	for i, score := range scores {
		p[i] = math.Exp(score - highest)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}
