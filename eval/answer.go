package eval

import (
	"context"

	"ctxnorm"
)

// Depth is how many candidates a linker is asked for, and how many count.
const Depth = 20

// Answer is what a linker said of an item.
type Answer struct {
	Item       *Item
	Candidates []ctxnorm.Candidate // none for NIL
	Concepts   []ctxnorm.ConceptID // of the candidates, in the form of the evaluated set, distinct, best first
}

func newAnswer(item *Item, candidates []ctxnorm.Candidate, ids *IDs) Answer {
	candidates = candidates[:min(Depth, len(candidates))]
	a := Answer{Item: item, Candidates: candidates}
	seen := make(map[ctxnorm.ConceptID]bool, len(candidates))
	for i := range candidates {
		// A candidate outside the set keeps its place: it is an answer, and wrong.
		concept := ids.Canonical(candidates[i].Concept)
		if !seen[concept] {
			seen[concept] = true
			a.Concepts = append(a.Concepts, concept)
		}
	}
	return a
}

// itemsPerCall is how many items go to the linker at a time: enough to fill the
// encoder's batches, few enough for progress to move.
const itemsPerCall = 256

// Run asks the linker about every item, whether a policy counts it or not, so
// that one run serves all policies. Answers come in the order of items.
func Run(ctx context.Context, linker ctxnorm.Linker, items []Item, ids *IDs, progress func(done, total int)) ([]Answer, error) {
	answers := make([]Answer, 0, len(items))
	for start := 0; start < len(items); start += itemsPerCall {
		part := items[start:min(start+itemsPerCall, len(items))]
		queries := make([]ctxnorm.Query, len(part))
		for i := range part {
			queries[i] = part[i].Query
		}
		results, err := linker.Link(ctx, queries, Depth)
		if err != nil {
			return nil, err
		}
		for i := range part {
			answers = append(answers, newAnswer(&part[i], results[i], ids))
		}
		if progress != nil {
			progress(len(answers), len(items))
		}
	}
	return answers, nil
}
