package link

import (
	"context"
	"fmt"
)

// PartRankers makes rankers from subsets of the components of a model, to measure what
// each component contributes (an ablation study). A ranker generates candidates and
// computes features with its components only, and its weights are learned anew, without
// annotation: each subset is a system of its own.
//
// The rankers share what several of them need: the training set, the vectors and hits of
// the training queries and of the linked queries, and the name indexes. These stay in
// memory as long as the PartRankers or one of its rankers does. A PartRankers is not safe
// for concurrent use.
type PartRankers struct {
	model *Model
	set   *trainingSet
	// The name indexes without and with mined synonyms, for learning (without the held-out
	// names of the training set) and for linking.
	learning, linking map[bool]*nameIndex
}

// NewPartRankers returns an ablation study of m.
func NewPartRankers(m *Model) (*PartRankers, error) {
	set, err := silverSet(m, m.Manifest.Dictionary.Seed)
	if err != nil {
		return nil, err
	}
	return &PartRankers{
		model: m.memoized(), set: set,
		learning: make(map[bool]*nameIndex), linking: make(map[bool]*nameIndex),
	}, nil
}

// Ranker returns a ranker with some components of the model. It ignores the components
// that a [Reading] uses. It returns an error if no component generates candidates.
func (p *PartRankers) Ranker(ctx context.Context, components Parts, o RankOptions) (*Ranker, error) {
	if all := ComponentsOf(p.model).Generating(); components&all == 0 {
		return nil, fmt.Errorf("components %q generate no candidates, want at least one of %q", components, all)
	}
	weights, err := p.fitWeights(ctx, components)
	if err != nil {
		return nil, err
	}
	linking, err := p.generator(p.linking, components, nil)
	if err != nil {
		return nil, err
	}
	return newRanker(linking, weights, o)
}

// fitWeights learns the weights of the components.
func (p *PartRankers) fitWeights(ctx context.Context, components Parts) (Weights, error) {
	learning, err := p.generator(p.learning, components, p.set.heldOutNames)
	if err != nil {
		return Weights{}, err
	}
	return p.set.fitWeights(ctx, learning, p.model, components)
}

// generator returns a generator with the components. It takes the name index from
// indexes, and adds it there if it is missing.
func (p *PartRankers) generator(indexes map[bool]*nameIndex, components Parts, heldOutNames map[string]bool) (*candidateGenerator, error) {
	mined := components.Has(PartMined)
	if indexes[mined] == nil {
		index, err := newNameIndex(p.model, heldOutNames, mined)
		if err != nil {
			return nil, err
		}
		indexes[mined] = index
	}
	return indexes[mined].generator(components), nil
}

// Ablations returns the sets of components that show what each component of the model
// contributes: first all without one of them, for each, and then each alone. It leaves
// out sets that generate no candidates.
func Ablations(m *Model) []Parts {
	all := ComponentsOf(m)
	var sets []Parts
	for _, one := range all.Each() {
		if rest := all &^ one; rest.Generating() != 0 {
			sets = append(sets, rest)
		}
	}
	return append(sets, all.Generating().Each()...)
}
