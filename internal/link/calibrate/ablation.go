package calibrate

import (
	"context"
	"fmt"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
)

// Ablation makes rankers from subsets of the components of a model, to measure how much each component contributes (an
// ablation study). A ranker generates candidates and computes features with its components only, and its weights are
// learned separately, without annotation: each subset is a system of its own.
//
// The rankers share the training set and the vectors of the training queries and of the linked queries. These stay in
// memory as long as the Ablation or one of its rankers does. An Ablation is not safe for concurrent use.
type Ablation struct{ *trainingSet }

// NewAblation returns an ablation study of m, or [model.ErrNoEncoder] if m was opened without its encoder.
func NewAblation(m *model.Model) (*Ablation, error) {
	if err := m.CheckEncoder(); err != nil {
		return nil, err
	}
	set, err := silverSet(m.Memoized())
	return &Ablation{set}, err
}

// CheckComponents returns an error if no component of the model generates candidates.
func CheckComponents(m *model.Model, components link.Components) error {
	if all := link.ComponentsOf(m).Generating(); components&all == 0 {
		return fmt.Errorf("components %q generate no candidates, want at least one of %q", components, all)
	}
	return nil
}

// Ranker returns a ranker with some components of the model. It ignores the components of a [link.MentionResolver]. It
// returns an error if no component generates candidates.
func (a *Ablation) Ranker(ctx context.Context, components link.Components, o link.MethodOptions) (*link.Ranker, error) {
	if err := CheckComponents(a.model, components); err != nil {
		return nil, err
	}
	weights, err := a.fitWeights(ctx, components)
	if err != nil {
		return nil, err
	}
	linking, err := link.NewCandidateGenerator(a.model, components, nil)
	if err != nil {
		return nil, err
	}
	return link.NewRankerWith(linking, weights, o)
}

// AblatedComponents returns the sets of components that show how much each component of the model contributes: first
// all components except one, for each, and then each alone. It skips sets that generate no candidates.
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
