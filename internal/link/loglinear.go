package link

import (
	"maps"
	"math"
	"path/filepath"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/model"
)

// LogLinear describes a log-linear model of values of type E. The score is the dot product of their features and
// weights, in the order of the rows.
type LogLinear[E any] struct {
	field    string // field of calibration.json that holds the weights by feature name
	stored   func(*model.Calibration) map[string]float64
	features []feature[E]
}

// feature is a row of a log-linear model.
type feature[E any] struct {
	name  string     // in calibration.json
	prior float64    // the weight before learning
	needs Components // the feature is 0 unless all of them are available
	value func(E) float64
}

// maxWeight is the maximum absolute value of a weight read from a file: learned weights stay below 100, and sums of
// weights within this limit are finite.
const maxWeight = 1e6

// Prior returns the weights from which learning starts. A model keeps them if it has too little data to learn from.
func (l *LogLinear[E]) Prior() []float64 {
	weights := make([]float64, len(l.features))
	for i := range weights {
		weights[i] = l.features[i].prior
	}
	return weights
}

// ByName returns the weights by feature name, as a [model.Calibration] stores them.
func (l *LogLinear[E]) ByName(weights []float64) map[string]float64 {
	byName := make(map[string]float64, len(weights))
	for i := range weights {
		byName[l.features[i].name] = weights[i]
	}
	return byName
}

// set replaces the weights of the named features.
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

// weightsOf returns the calibrated weights of the model, or prior if it has none. It returns an [*files.DamagedError]
// if a weight is missing, exceeds maxWeight, or belongs to an unknown feature.
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

// Softmax returns exp(score) divided by the sum of exp(score) over all scores. It subtracts the highest score first, so
// that no term overflows.
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
