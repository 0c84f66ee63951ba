package calibrate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/text"
)

const (
	// longFormQueries is the most long forms of each kind, names and others, that the
	// calibration of long forms is learned from.
	longFormQueries = 600
	// knownLongForms is the share of the long forms of the dictionary's concepts that are
	// taken to be names of the dictionary. It is not known: half a dictionary has fewer, a
	// whole one more. With .5, .3 and .15 a model without an encoder of half of MEDIC read
	// 1672, 1689 and 1690 of 1,923 ambiguous short forms right.
	knownLongForms = .3
)

// learnLongForms learns how probable NIL is for a long form that is no name of the
// dictionary. Such a long form is mostly of something else than the mentions that the
// weights of NIL are learned from: of a method, a substance, an anatomical structure. It
// compares long forms that are no names, taken as NIL, with long forms that are names, held
// out of the dictionary, whose answer is their concept. It returns nil if there are too few.
func learnLongForms(ctx context.Context, m *model.Model, weights []float64,
	seed uint64) (*model.LongFormCalibration, error) {
	contexts, err := m.Contexts.Exemplars()
	if err != nil {
		return nil, err
	}
	heldOutNames := make(map[string]bool)
	var named, others []text.Query
	taken := make(map[string]bool)
	for _, row := range hashedRows(contexts, seed, "long form") {
		ex := &contexts[row]
		long := ex.Mention.LongForm
		if long == "" || taken[ex.Mention.Name] || !m.Inventory().HasConcept(ex.Surface()) {
			continue
		}
		taken[ex.Mention.Name] = true
		q := ex.WithSurface(long)
		switch {
		case len(ex.Mention.Concepts) == 0 && len(m.Inventory().Means(ex.Surface(), long)) > 0:
			// a name that the dictionary lacks
		case len(ex.Mention.Concepts) == 0 && len(others) < longFormQueries:
			others = append(others, q)
		case len(ex.Mention.Concepts) > 0 && len(named) < longFormQueries &&
			sampling.Hash(seed, "held-out long form", ex.Mention.Name)%2 == 0:
			named = append(named, q)
			heldOutNames[ex.Mention.Name] = true
		}
	}
	if len(named) < minSenseQueries || len(others) < minSenseQueries {
		return nil, nil
	}
	generator, err := withAllComponents(m, heldOutNames)
	if err != nil {
		return nil, err
	}
	queries := slices.Concat(named, others)
	candidates, err := generator.Generate(ctx, queries)
	if err != nil {
		return nil, err
	}
	inDictionary, outside := m.Inventory().Definitions()
	unknownNames := float64(inDictionary) * (1 - knownLongForms) / knownLongForms
	var examples []logisticExample // of the log-odds of NIL, likeness to names, and 1
	scale := float64(len(candidates)) / (unknownNames + float64(outside))
	for i := range candidates {
		_, p := candidates[i].Probabilities(weights)
		e := logisticExample{x: []float64{logit(p), m.NameLikeness(queries[i].Surface()), 1}}
		if i < len(named) {
			e.weight = scale * unknownNames / float64(len(named))
		} else {
			e.y, e.weight = 1, scale*float64(outside)/float64(len(others))
		}
		examples = append(examples, e)
	}
	w, err := fitLogistic(examples, []float64{1, 0, 0}, nil)
	if err != nil {
		return nil, fmt.Errorf("learning the calibration of long forms: %w", err)
	}
	return &model.LongFormCalibration{Slope: w[0], Likeness: w[1], Intercept: w[2], Queries: len(examples)}, nil
}

func logit(p float64) float64 {
	const least = 1e-6
	p = min(max(p, least), 1-least)
	return math.Log(p / (1 - p))
}
