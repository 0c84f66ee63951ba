package link

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ctxnorm"
)

// Ranker links mentions with all components of a model: the nearest names and contexts,
// lexical similarity and the dictionary's hierarchy. It generates candidates, scores
// their features with learned weights and ranks them by score.
type Ranker struct {
	name      string
	generator *candidateGenerator
	weights   Weights
	options   RankOptions
}

// RankOptions holds the settings of a [Ranker].
type RankOptions struct {
	// MinProbability is the probability, 0 to 1, that the first candidate must have. A
	// mention whose first candidate has less is NIL and gets no candidates.
	MinProbability float64
	// Evidence adds the exemplars that support each candidate. The sentences of contexts
	// are read from the model folder for the first mention.
	Evidence bool
}

// NewRanker returns the ranker of a model, with its calibrated weights. It returns a
// [FileError] if calibration.json lacks the weight of a feature.
//
// The ranker links mentions as they are. To expand abbreviations and split composite
// mentions, put a [NewMentionResolver] before it.
func NewRanker(m *Model, o RankOptions) (*Ranker, error) {
	weights, err := weightsOf(m)
	if err != nil {
		return nil, err
	}
	generator, err := newCandidateGenerator(m, AllParts, nil)
	if err != nil {
		return nil, err
	}
	return newRanker(generator, weights, o)
}

// newRanker returns a ranker of the generator's candidates by the weights.
func newRanker(generator *candidateGenerator, weights Weights, o RankOptions) (*Ranker, error) {
	if !(o.MinProbability >= 0 && o.MinProbability <= 1) { // NaN too
		return nil, fmt.Errorf("min probability is %g, want 0 to 1", o.MinProbability)
	}
	name := "ranked" + generator.components.among(ComponentsOf(generator.model))
	return &Ranker{name, generator, weights, o}, nil
}

// Name implements [ctxnorm.Linker]. The name says which components are left out.
func (r *Ranker) Name() string { return r.name }

// Link implements [ctxnorm.Linker].
func (r *Ranker) Link(ctx context.Context, queries []ctxnorm.Query, k int) ([][]ctxnorm.Candidate, error) {
	generated, err := r.generator.generate(ctx, queries)
	if err != nil {
		return nil, err
	}
	results := make([][]ctxnorm.Candidate, len(queries))
	for i := range generated {
		candidates := r.rank(generated[i])
		if len(candidates) > 0 && candidates[0].Probability < r.options.MinProbability {
			continue
		}
		if results[i], err = topK(candidates, k, r.options.Evidence); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// rank returns the candidates of one query with their scores and probabilities, the best
// first.
func (r *Ranker) rank(generated []rawCandidate) []rankedCandidate {
	candidates := make([]rankedCandidate, len(generated))
	scores := make([]float64, len(generated))
	for i := range generated {
		scores[i] = r.weights.score(&generated[i].features)
	}
	probabilities := softmax(scores)
	for i := range generated {
		candidates[i] = rankedCandidate{ctxnorm.Candidate{
			Concept:     r.generator.model.Dictionary.At(int(generated[i].concept)).ID,
			Score:       scores[i],
			Probability: probabilities[i],
			Votes:       len(generated[i].hits),
		}, generated[i].hits}
	}
	slices.SortFunc(candidates, func(a, b rankedCandidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Concept, b.Concept))
	})
	return candidates
}
