package eval

import (
	"slices"

	"github.com/ctxnorm/ctxnorm/kb"
)

// Relation relates the first candidate of a wrong prediction to the gold concepts in the dictionary's hierarchy:
//
//	incomplete composite    it is correct, but not all concepts of a composite mention are found
//	gold narrower           it is an ancestor of a gold concept
//	gold broader            it is a descendant of one
//	sibling                 it has a parent in common with one
//	same branch             it has an ancestor in common with one, other than a root
//	not in hierarchy        it, or every gold concept, has neither parents nor children
//	unrelated               no other relation holds
//	gold not in dictionary  no linker could have found a gold concept
type Relation string

const (
	incompleteComposite Relation = "incomplete composite"
	goldNarrower        Relation = "gold narrower"
	goldBroader         Relation = "gold broader"
	sibling             Relation = "sibling"
	sameBranch          Relation = "same branch"
	notInHierarchy      Relation = "not in hierarchy"
	unrelated           Relation = "unrelated"
	goldNotInDictionary Relation = "gold not in dictionary"
)

// relationKinds lists the relations in the order of reports.
var relationKinds = []Relation{incompleteComposite, goldNarrower, goldBroader, sibling, sameBranch, notInHierarchy,
	unrelated, goldNotInDictionary}

// Relations counts the predictions that are wrong at rank 1 by [Relation]. It counts mentions of the evaluated set for
// which the linker returned a candidate. It returns nil if the dictionary has no hierarchy.
func Relations(predictions []Prediction, policy Policy, v *DictionaryView) []FailureCount {
	if !v.hasHierarchy() {
		return nil
	}
	e := evaluate(predictions, policy, AllMentions())
	counts := make([]FailureCount, len(relationKinds))
	for i, kind := range relationKinds {
		counts[i] = FailureCount{Kind: string(kind), Total: len(e.predictions)}
	}
	for i, p := range e.predictions {
		relation, ok := v.Relation(p)
		if e.ranks[i] == 1 || !ok {
			continue
		}
		c := &counts[slices.Index(relationKinds, relation)]
		c.Mentions++
		if v.isNameless(p.Mention) {
			c.Nameless++
		}
	}
	return counts
}

// Relation returns the relation of the first candidate to the gold concepts. If several relations hold, with one gold
// concept or with different ones, it returns the first in the order in which [Relation] lists them. It returns false if
// there is no candidate, no gold concept or no hierarchy.
func (v *DictionaryView) Relation(p *Prediction) (Relation, bool) {
	if !v.hasHierarchy() || !p.Mention.InSet() || len(p.Ranked) == 0 {
		return "", false
	}
	if slices.Contains(p.Mention.Gold, p.Ranked[0].Concept) {
		return incompleteComposite, true
	}
	if !slices.ContainsFunc(p.Mention.Gold, v.Contains) {
		return goldNotInDictionary, true
	}
	first, gold := v.nodesIn([]kb.ConceptID{p.Ranked[0].Concept}), v.nodesIn(p.Mention.Gold)
	if len(first) == 0 || len(gold) == 0 {
		return notInHierarchy, true
	}
	return v.relation(first[0], gold), true
}

// relation returns the first relation that holds for any gold node.
func (v *DictionaryView) relation(first int32, gold []int32) Relation {
	// anyGold reports whether any relative of a gold node, as returned by of, has a property.
	anyGold := func(of func(node int32) []int32, has func(relative int32) bool) bool {
		return slices.ContainsFunc(gold, func(node int32) bool { return slices.ContainsFunc(of(node), has) })
	}
	h := v.hierarchy
	switch {
	case anyGold(h.Ancestors, func(ancestor int32) bool { return ancestor == first }):
		return goldNarrower
	case slices.ContainsFunc(gold, func(node int32) bool { return v.isBelow(first, node) }):
		return goldBroader
	case anyGold(h.Parents, func(parent int32) bool { return slices.Contains(h.Parents(first), parent) }):
		return sibling
	// All concepts may be below one root.
	case anyGold(h.Ancestors, func(ancestor int32) bool { return v.isBelow(first, ancestor) && len(h.Parents(ancestor)) > 0 }):
		return sameBranch
	}
	return unrelated
}
