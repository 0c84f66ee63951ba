package link

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ctxnorm/ctxnorm/model"
	"github.com/ctxnorm/ctxnorm/text"
)

// Ranker links mentions with all components of a model: the nearest names and contexts,
// lexical similarity and the dictionary's hierarchy. It generates candidates, scores
// their features with learned weights and ranks them by score.
type Ranker struct {
	name      string
	generator *CandidateGenerator
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

// NewRanker returns the ranker of a model, with its calibrated weights. It returns an
// [*artifact.DamagedError] if calibration.json lacks the weight of a feature.
//
// The ranker links mentions as they are. To expand abbreviations and split composite
// mentions, put a [NewMentionResolver] before it.
func NewRanker(m *model.Model, o RankOptions) (*Ranker, error) {
	weights, err := weightsOf(m)
	if err != nil {
		return nil, err
	}
	generator, err := NewCandidateGenerator(m, AllComponents, nil)
	if err != nil {
		return nil, err
	}
	return NewRankerWith(generator, weights, o)
}

// NewRankerWith returns a ranker of the generator's candidates by the weights.
func NewRankerWith(generator *CandidateGenerator, weights Weights, o RankOptions) (*Ranker, error) {
	if !(o.MinProbability >= 0 && o.MinProbability <= 1) { // NaN too
		return nil, fmt.Errorf("min probability is %g, want 0 to 1", o.MinProbability)
	}
	name := "ranked" + generator.components.among(ComponentsOf(generator.model))
	return &Ranker{name, generator, weights, o}, nil
}

// Name implements [Linker]. The name says which components are left out.
func (r *Ranker) Name() string { return r.name }

// Link implements [Linker].
func (r *Ranker) Link(ctx context.Context, queries []text.Query, k int) ([][]Candidate, error) {
	generated, err := r.generator.Generate(ctx, queries)
	if err != nil {
		return nil, err
	}
	results := make([][]Candidate, len(queries))
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
func (r *Ranker) rank(generated []RawCandidate) []rankedCandidate {
	candidates := make([]rankedCandidate, len(generated))
	scores := make([]float64, len(generated))
	for i := range generated {
		scores[i] = r.weights.Score(&generated[i].Features)
	}
	probabilities := Softmax(scores)
	for i := range generated {
		candidates[i] = rankedCandidate{Candidate{
			Concept:     r.generator.model.Dictionary.At(int(generated[i].Concept)).ID,
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
