package link

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"ctxnorm"
)

// Weights turn features into a score, the sum of weight times feature. The softmax
// of the scores of a query's candidates is their probability.
type Weights [featureCount]float64

// MarshalJSON writes the weights by the names of their features.
func (w Weights) MarshalJSON() ([]byte, error) {
	byName := make(map[string]float64, featureCount)
	for i, name := range featureNames {
		byName[name] = w[i]
	}
	return json.Marshal(byName)
}

// UnmarshalJSON reads what MarshalJSON writes; every feature must be there.
func (w *Weights) UnmarshalJSON(data []byte) error {
	var byName map[string]float64
	if err := json.Unmarshal(data, &byName); err != nil {
		return err
	}
	for i, name := range featureNames {
		weight, ok := byName[name]
		if !ok {
			return fmt.Errorf("no weight of %s", name)
		}
		w[i] = weight
	}
	if len(byName) != len(featureNames) {
		return fmt.Errorf("%d weights, want %d", len(byName), len(featureNames))
	}
	return nil
}

// score is the sum of weight times feature.
func (w *Weights) score(f *features) float64 {
	sum := 0.0
	for i := range f {
		sum += w[i] * f[i]
	}
	return sum
}

// Ranker links by all that is known of a mention: names and contexts near it,
// strings like it, and the dictionary's tree, joined by weights that were learnt
// from names held out of the dictionary.
type Ranker struct {
	name    string
	sight   *candidateGenerator
	weights Weights
	options RankOptions
}

// RankOptions say how a [Ranker] answers.
type RankOptions struct {
	// MinProbability is the least probability of the first candidate; a mention
	// whose best candidate has less is NIL.
	MinProbability float64
	// Evidence asks for the exemplars that spoke for the candidates. Those of contexts
	// are read when the first mention is linked.
	Evidence bool
}

// NewRanker makes the linker of a model.
func NewRanker(m *Model, o RankOptions) (*Ranker, error) {
	s, err := newCandidateGenerator(m, AllParts, nil)
	if err != nil {
		return nil, err
	}
	return newRanker(s, m.Calibration.Weights, o)
}

func newRanker(s *candidateGenerator, weights Weights, o RankOptions) (*Ranker, error) {
	if !(o.MinProbability >= 0 && o.MinProbability <= 1) {
		return nil, fmt.Errorf("least probability is %g, want 0 to 1", o.MinProbability)
	}
	return &Ranker{"ranked" + s.components.among(s.model.Parts()), s, weights, o}, nil
}

// Name implements [ctxnorm.Linker]; it says which parts are left out.
func (r *Ranker) Name() string { return r.name }

// Link implements [ctxnorm.Linker].
func (r *Ranker) Link(ctx context.Context, queries []ctxnorm.Query, k int) ([][]ctxnorm.Candidate, error) {
	proposals, err := r.sight.generate(ctx, queries)
	if err != nil {
		return nil, err
	}
	results := make([][]ctxnorm.Candidate, len(queries))
	for i := range proposals {
		candidates := r.rank(proposals[i])
		if len(candidates) > 0 && candidates[0].Probability < r.options.MinProbability {
			continue
		}
		if results[i], err = topK(candidates, k, r.options.Evidence); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// rank orders proposals by score and gives them their probabilities.
func (r *Ranker) rank(proposals []rawCandidate) []rankedCandidate {
	candidates := make([]rankedCandidate, len(proposals))
	scores := make([]float64, len(proposals))
	for i := range proposals {
		scores[i] = r.weights.score(&proposals[i].features)
	}
	probabilities := softmax(scores)
	for i := range proposals {
		candidates[i] = rankedCandidate{ctxnorm.Candidate{
			Concept:     r.sight.model.Dictionary.At(int(proposals[i].concept)).ID,
			Score:       scores[i],
			Probability: probabilities[i],
			Votes:       len(proposals[i].hits),
		}, proposals[i].hits}
	}
	slices.SortFunc(candidates, func(a, b rankedCandidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Concept, b.Concept))
	})
	return candidates
}

// softmax is exp(score) over the sum of all, computed from the greatest down.
func softmax(scores []float64) []float64 {
	if len(scores) == 0 {
		return nil
	}
	most := slices.Max(scores)
	p := make([]float64, len(scores))
	sum := 0.0
	for i, score := range scores {
		p[i] = math.Exp(score - most)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}
