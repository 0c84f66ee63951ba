package calibrate

import (
	"context"
	"fmt"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
)

// Ablation makes rankers from subsets of the components of a model, to measure what each component contributes (an
// ablation study). A ranker generates candidates and computes features with its components only, and its weights are
// learned anew, without annotation: each subset is a system of its own.
//
// The rankers share what several of them need: the training set, the vectors and hits of the training queries and of
// the linked queries, and the name indexes. These stay in memory as long as the Ablation or one of its rankers does. An
// Ablation is not safe for concurrent use.
type Ablation struct {
	model   *model.Model
	set     *trainingSet
	indexes map[nameIndex]*link.NameIndex
}

// nameIndex is what an index of names depends on.
type nameIndex struct {
	mined    bool // with mined synonyms
	learning bool // without the held-out names of the training set
}

// NewAblation returns an ablation study of m, or [model.ErrNoEncoder] if the encoder of m was left out.
func NewAblation(m *model.Model) (*Ablation, error) {
	if err := m.CheckEncoder(); err != nil {
		return nil, err
	}
	set, err := silverSet(m.Memoized())
	if err != nil {
		return nil, err
	}
	return &Ablation{set.model, set, make(map[nameIndex]*link.NameIndex)}, nil
}

// CheckComponents returns an error if no component of the model generates candidates.
func CheckComponents(m *model.Model, components link.Components) error {
	if all := link.ComponentsOf(m).Generating(); components&all == 0 {
		return fmt.Errorf("components %q generate no candidates, want at least one of %q", components, all)
	}
	return nil
}

// Ranker returns a ranker with some components of the model. It ignores the components that a [link.MentionResolver]
// uses. It returns an error if no component generates candidates.
func (a *Ablation) Ranker(ctx context.Context, components link.Components, o link.RankOptions) (*link.Ranker, error) {
	if err := CheckComponents(a.model, components); err != nil {
		return nil, err
	}
	weights, err := a.fitWeights(ctx, components)
	if err != nil {
		return nil, err
	}
	linking, err := a.generators(components)(a.model, nil)
	if err != nil {
		return nil, err
	}
	return link.NewRankerWith(linking, weights, o)
}

// fitWeights learns the weights of the components.
func (a *Ablation) fitWeights(ctx context.Context, components link.Components) ([]float64, error) {
	return a.set.fitWeights(ctx, a.generators(components), components)
}

// generators makes generators with the components. It makes each index of names of the model once.
func (a *Ablation) generators(components link.Components) generators {
	return func(m *model.Model, heldOutNames map[string]bool) (*link.CandidateGenerator, error) {
		if m != a.model {
			return link.NewCandidateGenerator(m, components, heldOutNames)
		}
		key := nameIndex{components.Has(link.ComponentCorpusSynonyms), heldOutNames != nil}
		if a.indexes[key] == nil {
			smaller, err := m.WithoutNames(heldOutNames, key.mined)
			if err != nil {
				return nil, err
			}
			if a.indexes[key], err = link.NewNameIndex(smaller); err != nil {
				return nil, err
			}
		}
		return a.indexes[key].Generator(link.GeneratorOptions{Components: components}), nil
	}
}

// AblatedComponents returns the sets of components that show what each component of the model contributes: first all
// without one of them, for each, and then each alone. It leaves out sets that generate no candidates.
func AblatedComponents(m *model.Model) []link.Components {
	all := link.ComponentsOf(m)
	var sets []link.Components
	for _, one := range all.Each() {
		if rest := all &^ one; rest.Generating() != 0 {
			sets = append(sets, rest)
		}
	}
	return append(sets, all.Generating().Each()...)
}
