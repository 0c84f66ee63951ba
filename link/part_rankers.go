package link

import (
	"context"
	"fmt"
)

// PartRankers makes linkers of parts of a model, to see what each part is worth. They
// have candidates and features of no other part, and their weights are learnt anew,
// without labels, for what they have: each set of parts is a system of its own.
//
// What several of them need is made once: the lessons, the vectors of their queries
// and of those that are linked, what is near these, and the indexes of names. It is
// held as long as the PartRankers or one of its linkers is. A PartRankers is not for
// concurrent use.
type PartRankers struct {
	model   *Model
	lessons *trainingSet
	// By whether mined names are seen: when weights are learnt, and when linking.
	learning, linking map[bool]*nameIndex
}

// NewPartRankers is for linkers of parts of m.
func NewPartRankers(m *Model) (*PartRankers, error) {
	lessons, err := silverSet(m, m.Manifest.Dictionary.Seed)
	if err != nil {
		return nil, err
	}
	return &PartRankers{
		model: m.memoized(), lessons: lessons,
		learning: make(map[bool]*nameIndex), linking: make(map[bool]*nameIndex),
	}, nil
}

// Ranker makes a linker of parts of the model. Those that are a [Reading]'s are not its
// business.
func (p *PartRankers) Ranker(ctx context.Context, parts Parts, o RankOptions) (*Ranker, error) {
	if all := p.model.Parts() & generating; parts&all == 0 {
		return nil, fmt.Errorf("%q finds no candidates: of %q at least one is wanted that does", parts, all)
	}
	learning, err := p.sight(p.learning, parts, p.lessons.heldOutNames)
	if err != nil {
		return nil, err
	}
	weights, err := p.lessons.fitWeights(ctx, learning)
	if err != nil {
		return nil, err
	}
	linking, err := p.sight(p.linking, parts, nil)
	if err != nil {
		return nil, err
	}
	return newRanker(linking, weights, o)
}

// sight sees parts of the model, with names that were seen before if they are.
func (p *PartRankers) sight(seen map[bool]*nameIndex, parts Parts, hiddenNames map[string]bool) (*candidateGenerator, error) {
	mined := parts.Has(PartMined)
	if seen[mined] == nil {
		names, err := newNameIndex(p.model, hiddenNames, mined)
		if err != nil {
			return nil, err
		}
		seen[mined] = names
	}
	return seen[mined].generator(parts), nil
}
