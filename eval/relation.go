package eval

import (
	"slices"

	"github.com/ctxnorm/ctxnorm/kb"
)

// Relation is how the first candidate of a wrong prediction relates to the gold
// concepts in the dictionary's hierarchy.
type Relation string

const (
	IncompleteComposite Relation = "part missing"           // the first candidate is correct, but not all concepts of a composite mention are found
	GoldNarrower        Relation = "gold narrower"          // the first candidate is an ancestor of a gold concept
	GoldBroader         Relation = "gold broader"           // it is a descendant
	Sibling             Relation = "sibling"                // it has a parent in common
	SameBranch          Relation = "same branch"            // it has an ancestor in common that is not a root
	NotInHierarchy      Relation = "not in tree"            // it, or all gold concepts, have neither parents nor children
	Unrelated           Relation = "unrelated"              // none of these
	GoldNotInDictionary Relation = "gold not in dictionary" // no linker could have found it
)

// relationKinds lists the relations in the order of reports.
var relationKinds = []Relation{IncompleteComposite, GoldNarrower, GoldBroader, Sibling, SameBranch, NotInHierarchy, Unrelated, GoldNotInDictionary}

// RelationCount counts the wrong predictions of one relation.
type RelationCount struct {
	Relation Relation `json:"relation"`
	Mentions int      `json:"mentions"`
	Nameless int      `json:"nameless"` // of Mentions, those whose gold concepts in the dictionary all have no name
	Total    int      `json:"of"`       // evaluated mentions
}

// Share returns the share of evaluated mentions that have this relation.
func (c RelationCount) Share() Ratio { return newRatio(float64(c.Mentions), c.Total) }

// Relations counts the predictions that are wrong at rank 1 by [Relation]. It counts
// mentions of the evaluated set for which the linker returned a candidate. It returns
// nil if the dictionary has no hierarchy.
func Relations(predictions []Prediction, policy Policy, v *DictionaryView) []RelationCount {
	if !v.HasHierarchy() {
		return nil
	}
	e := evaluate(predictions, policy, AllMentions())
	counts := make([]RelationCount, len(relationKinds))
	for i, kind := range relationKinds {
		counts[i] = RelationCount{Relation: kind, Total: len(e.predictions)}
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

// Relation returns how the first candidate relates to the gold concepts: the first
// relation, in the order of the switch, that holds for any gold concept. It returns
// false if there is no candidate, no gold concept or no hierarchy.
func (v *DictionaryView) Relation(p *Prediction) (Relation, bool) {
	if !v.HasHierarchy() || !p.Mention.InSet() || len(p.Concepts) == 0 {
		return "", false
	}
	first, gold := p.Concepts[0], p.Mention.Gold
	above := v.ancestors(first)
	anyGold := func(holds func(id kb.ConceptID) bool) bool { return slices.ContainsFunc(gold, holds) }
	switch {
	case slices.Contains(gold, first):
		return IncompleteComposite, true
	case !anyGold(v.Contains):
		return GoldNotInDictionary, true
	case !v.inHierarchy[first] || !anyGold(func(id kb.ConceptID) bool { return v.inHierarchy[id] }):
		return NotInHierarchy, true
	case anyGold(func(id kb.ConceptID) bool { return v.ancestors(id)[first] }):
		return GoldNarrower, true
	case anyGold(func(id kb.ConceptID) bool { return above[id] }):
		return GoldBroader, true
	case anyGold(func(id kb.ConceptID) bool { return v.shareParent(id, first) }):
		return Sibling, true
	case anyGold(func(id kb.ConceptID) bool { return v.shareBranch(id, above) }):
		return SameBranch, true
	}
	return Unrelated, true
}
