package link

import (
	"maps"
	"math"
	"path/filepath"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/model"
)

// LogLinear describes a log-linear model, which scores what is described by E: the score is the dot product of its
// features and their weights, in the order of the rows.
type LogLinear[E any] struct {
	field    string // of calibration.json, which holds the weights by the names of their features
	stored   func(*model.Calibration) map[string]float64
	features []feature[E]
}

// feature is a row of a log-linear model.
type feature[E any] struct {
	name  string     // in calibration.json
	prior float64    // the weight before anything is learned
	needs Components // the feature is 0 without all of them
	value func(E) float64
}

// maxWeight bounds the weights that are read: learning makes none above 100, and sums of any within it are finite.
const maxWeight = 1e6

// Prior returns the weights from which learning starts, and which a model keeps that has too little to learn from.
func (l *LogLinear[E]) Prior() []float64 {
	weights := make([]float64, len(l.features))
	for i := range weights {
		weights[i] = l.features[i].prior
	}
	return weights
}

// ByName returns the weights by the names of their features, as a [model.Calibration] stores them.
func (l *LogLinear[E]) ByName(weights []float64) map[string]float64 {
	byName := make(map[string]float64, len(weights))
	for i := range weights {
		byName[l.features[i].name] = weights[i]
	}
	return byName
}

// set replaces the weights of some features, by their names.
func (l *LogLinear[E]) set(weights []float64, named map[string]float64) {
	for i := range l.features {
		if weight, ok := named[l.features[i].name]; ok {
			weights[i] = weight
		}
	}
}

// values returns the features of e.
func (l *LogLinear[E]) values(e E) []float64 {
	values := make([]float64, len(l.features))
	for i := range l.features {
		values[i] = l.features[i].value(e)
	}
	return values
}

// weightsOf returns the calibrated weights of the model, or the prior's if it has none. It returns an
// [*files.DamagedError] for a missing weight, for one above maxWeight, and for a weight of an unknown feature.
func (l *LogLinear[E]) weightsOf(m *model.Model, prior []float64) ([]float64, error) {
	if m.Calibration == nil || l.stored(m.Calibration) == nil {
		return prior, nil
	}
	damaged := func(format, name string) error {
		path := filepath.Join(m.Dir, model.CalibrationFile)
		return artifact.Damaged(path, "%s: "+format, l.field, name)
	}
	unknown := maps.Clone(l.stored(m.Calibration))
	weights := make([]float64, len(l.features))
	for i := range l.features {
		name := l.features[i].name
		weight, ok := unknown[name]
		switch {
		case !ok:
			return nil, damaged("no weight for the feature %q", name)
		case math.Abs(weight) > maxWeight:
			return nil, damaged("a weight that is too large for the feature %q", name)
		}
		weights[i] = weight
		delete(unknown, name)
	}
	if names := slices.Sorted(maps.Keys(unknown)); len(names) > 0 {
		return nil, damaged("a weight for the unknown feature %q", names[0])
	}
	return weights, nil
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
