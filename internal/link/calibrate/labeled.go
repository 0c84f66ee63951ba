package calibrate

import (
	"context"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/text"
)

// LearnLabeled returns a function like [Learn] for a model that has labeled mentions among its names
// and contexts. It learns from the mentions of half of the documents, with a model that lacks what
// these documents alone add to it: so its names are as complete for them as they will be for new
// documents, which use known names and unknown ones. What is learned from held-out names is the
// prior, so that a few labels move it a little and a thousand decide. Which mentions need no encoder
// is learned, as by Learn, from the running text of the corpus, since labels are of chosen documents.
func LearnLabeled(labeled []text.Exemplar) func(context.Context, *model.Model) (*model.Calibration, error) {
	ranking := learnFromLabeled(labeled)
	return func(ctx context.Context, m *model.Model) (*model.Calibration, error) { return learn(ctx, m, ranking) }
}

func learnFromLabeled(labeled []text.Exemplar) rankingLearner {
	return func(ctx context.Context, m *model.Model) (*model.Calibration, error) {
		seed := m.Manifest.Dictionary.Seed
		queries, smaller, err := splitLabeled(m, labeled, seed)
		if err != nil {
			return nil, err
		}
		if len(queries) == 0 { // one document, or two by chance in one half
			return learnSilver(ctx, m)
		}
		silver, err := silverSet(smaller, seed)
		if err != nil {
			return nil, err
		}
		prior, err := silver.fitWeights(ctx, smaller, withAllComponents, link.AllComponents, seed)
		if err != nil {
			return nil, err
		}
		set, err := goldSet(ctx, smaller, queries)
		if err != nil {
			return nil, err
		}
		return set.calibrate(ctx, smaller, prior, seed)
	}
}

// splitLabeled returns the mentions of half of the documents, sampled by hash, and a copy of the
// model without what only they add to it.
func splitLabeled(m *model.Model, labeled []text.Exemplar,
	seed uint64) (queries []text.Exemplar, smaller *model.Model, err error) {
	heldOut := func(document string) bool { return sampling.Hash(seed, "labels", document)%2 == 0 }
	for i := range labeled {
		if heldOut(labeled[i].ID) {
			queries = append(queries, labeled[i])
		}
	}
	smaller, err = m.WithoutLabels(labeled, heldOut)
	return queries, smaller, err
}
