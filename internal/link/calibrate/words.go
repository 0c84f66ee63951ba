package calibrate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/text"
)

const (
	// longFormQueries is the maximum number of long forms of each kind, names and others, from which the calibration of
	// long forms is learned.
	longFormQueries = 600
	// knownLongForms is the assumed share of the long forms of the dictionary's concepts that are names of the dictionary.
	// The true share is unknown: it is lower for half a dictionary and higher for a whole one. With .5, .3 and .15, a
	// model without an encoder of half of MEDIC read 1672, 1689 and 1690 of 1,923 ambiguous short forms correctly.
	knownLongForms = .3
)

// learnLongForms learns how probable NIL is for a long form that is not a name of the dictionary. Such a long form
// usually means something other than the mentions from which the weights of NIL are learned: a method, a substance, an
// anatomical structure. It compares long forms that are not names, taken as NIL, with long forms that are names, held
// out of the dictionary, whose answer is their concept. If there are too few, it learns nothing.
func (t *trainingSet) learnLongForms(ctx context.Context, c *model.Calibration) error {
	m, seed := t.model, seedOf(t.model)
	heldOutNames := make(map[string]bool)
	var named, others []text.Query
	taken := make(map[string]bool)
	for _, row := range model.RowsByHash(t.contexts, nil, seed, "long form") {
		ex := &t.contexts[row]
		long := ex.Mention.LongForm
		if long == "" || taken[ex.Mention.Name] || !m.Inventory().HasConcept(ex.Surface()) {
			continue
		}
		taken[ex.Mention.Name] = true
		q := ex.WithSurface(long)
		switch {
		case len(ex.Mention.Concepts) == 0 && len(m.Inventory().Means(ex.Surface(), long)) > 0:
			// a name missing from the dictionary
		case len(ex.Mention.Concepts) == 0 && len(others) < longFormQueries:
			others = append(others, q)
		case len(ex.Mention.Concepts) > 0 && len(named) < longFormQueries &&
			sampling.Hash(seed, "held-out long form", ex.Mention.Name)%2 == 0:
			named = append(named, q)
			heldOutNames[ex.Mention.Name] = true
		}
	}
	if len(named) < minSenseQueries || len(others) < minSenseQueries {
		return nil
	}
	generator, err := link.NewCandidateGenerator(m, link.AllComponents, heldOutNames)
	if err != nil {
		return err
	}
	queries := slices.Concat(named, others)
	candidates, err := generator.Generate(ctx, queries)
	if err != nil {
		return err
	}
	inDictionary, outside := m.Inventory().Definitions()
	unknownNames := float64(inDictionary) * (1 - knownLongForms) / knownLongForms
	const least = 1e-6
	var examples []logisticExample // x is the log-odds of NIL, the likeness to names, and 1
	scale := float64(len(candidates)) / (unknownNames + float64(outside))
	for i := range candidates {
		_, p := candidates[i].Probabilities(t.weights)
		p = min(max(p, least), 1-least)
		e := logisticExample{x: []float64{math.Log(p / (1 - p)), m.NameLikeness(queries[i].Surface()), 1}}
		if i < len(named) {
			e.weight = scale * unknownNames / float64(len(named))
		} else {
			e.y, e.weight = 1, scale*float64(outside)/float64(len(others))
		}
		examples = append(examples, e)
	}
	w, err := maximizePosterior(examples, []float64{1, 0, 0}, logisticPrecision, nil)
	if err != nil {
		return fmt.Errorf("learning the calibration of long forms: %w", err)
	}
	c.LongForms = &model.LongFormCalibration{Slope: w[0], Likeness: w[1], Intercept: w[2], Queries: len(examples)}
	return nil
}

const (
	// wordQueries is the maximum number of contexts of one-word names from which the fit weights are learned.
	wordQueries = 800
	// ordinaryPrior is the assumed share of mentions of such a word that do not mean the concept. The true share in the
	// texts to be linked is unknown.
	ordinaryPrior = .35
)

// learnFit learns which contexts fit a word in its dictionary meaning. It uses mentions of one-word names, each once in
// its own context and once in the context of something outside the dictionary, where it is assumed not to mean its
// concept. (Contexts of other concepts were tried instead. They teach that a disease does not occur near another one,
// but side effects and comorbidities do.) Exemplars from the context's own document do not count as evidence. If there
// are too few contexts, it learns nothing.
func (t *trainingSet) learnFit(ctx context.Context, c *model.Calibration) error {
	taken := make(map[string]int)
	rows := t.sampleRows("word", wordQueries, func(ex *text.Exemplar) bool {
		if !isWord(ex) {
			return false
		}
		taken[ex.Mention.Name]++
		return taken[ex.Mention.Name] <= queriesPerName
	})
	outside := t.sampleRows("outside", len(rows), func(ex *text.Exemplar) bool { return len(ex.Mention.Concepts) == 0 })
	if len(rows) < minSenseQueries || len(outside) == 0 {
		return nil
	}
	var queries []text.Query
	for i, row := range rows {
		own, other := &t.contexts[row], &t.contexts[outside[i%len(outside)]]
		queries = append(queries, own.Query, other.WithSurface(own.Surface()))
	}
	names, err := link.NewNameIndex(t.model)
	if err != nil {
		return err
	}
	generator := names.Generator(t.model, link.AllComponents, documentRows(t.contexts))
	fits, err := generator.ContextFits(ctx, queries)
	if err != nil {
		return err
	}
	var examples []logisticExample
	for i, fit := range fits {
		e := logisticExample{fit, 1, 2 * (1 - ordinaryPrior)}
		if i%2 == 1 {
			e.y, e.weight = 0, 2*ordinaryPrior
		}
		if fit != nil {
			examples = append(examples, e)
		}
	}
	start, keep := link.StartFitWeights()
	w, err := maximizePosterior(examples, start, logisticPrecision, keep)
	if err != nil {
		return fmt.Errorf("learning the fit weights: %w", err)
	}
	c.FitWeights = link.FitFeatures.ByName(w)
	return nil
}

// documentRows returns, for each document, the rows of its contexts, ascending.
func documentRows(contexts []text.Exemplar) map[string][]int32 {
	rows := make(map[string][]int32)
	for row := range contexts {
		rows[contexts[row].ID] = append(rows[contexts[row].ID], int32(row))
	}
	return rows
}

// isWord reports whether an exemplar is a one-word name in a context, and not a short form.
func isWord(ex *text.Exemplar) bool {
	surface := ex.Surface()
	return ex.Mention.LongForm == "" && len(ex.Mention.Concepts) == 1 && !normalize.LooksLikeShortForm(surface) &&
		len(normalize.ContentWords(surface)) == 1 && len(ex.Text) != len(surface)
}
