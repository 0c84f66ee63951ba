package eval

import (
	"slices"

	"ctxnorm"
)

// Relation is how the first candidate of a mistake stands to what was wanted. It
// is decided by the dictionary's tree, without a label.
type Relation string

const (
	PartMissing  Relation = "part missing"           // the first candidate is right, but not all parts of the mention are found
	GoldNarrower Relation = "gold narrower"          // the first candidate is an ancestor of a gold concept
	GoldBroader  Relation = "gold broader"           // it is a descendant
	Sibling      Relation = "sibling"                // it has a parent in common
	SameBranch   Relation = "same branch"            // it has an ancestor in common that is no root
	OffTree      Relation = "not in tree"            // it, or all gold, has neither parents nor children
	Unrelated    Relation = "unrelated"              // none of these
	GoldAbsent   Relation = "gold not in dictionary" // no linker could have found it
)

// relationKinds is their order in reports.
var relationKinds = []Relation{PartMissing, GoldNarrower, GoldBroader, Sibling, SameBranch, OffTree, Unrelated, GoldAbsent}

// RelationRow is how many mistakes are of one relation.
type RelationRow struct {
	Relation Relation `json:"relation"`
	Mentions int      `json:"mentions"`
	Nameless int      `json:"nameless"` // of these, all gold concepts in the dictionary are without a name
	Of       int      `json:"of"`       // mentions that count
}

// Relations counts the mistakes at 1 in which a candidate is given to a mention
// of the evaluated set, by how it stands to the gold. It gives none where the
// dictionary has no tree.
func Relations(answers []Answer, policy Policy, k *Known) []RelationRow {
	if !k.HasTree() {
		return nil
	}
	c := newCount(answers, policy, AllMentions())
	rows := make([]RelationRow, len(relationKinds))
	for i, kind := range relationKinds {
		rows[i] = RelationRow{Relation: kind, Of: len(c.answers)}
	}
	for i, a := range c.answers {
		if c.ranks[i] == 1 || !k.relates(a) {
			continue
		}
		row := &rows[slices.Index(relationKinds, k.relation(a))]
		row.Mentions++
		if isNameless(a.Item, k) {
			row.Nameless++
		}
	}
	return rows
}

// relates reports whether an answer has two ends to hold together.
func (k *Known) relates(a *Answer) bool {
	return k.HasTree() && a.Item.InSet() && len(a.Concepts) > 0
}

// relation is that of an answer for which relates holds: the first, in the order
// of the switch, that holds for any gold concept.
func (k *Known) relation(a *Answer) Relation {
	first, gold := a.Concepts[0], a.Item.Gold
	above := k.ancestors(first)
	anyGold := func(holds func(id ctxnorm.ConceptID) bool) bool { return slices.ContainsFunc(gold, holds) }
	switch {
	case slices.Contains(gold, first):
		return PartMissing
	case !anyGold(k.Has):
		return GoldAbsent
	case !k.inTree[first] || !anyGold(func(id ctxnorm.ConceptID) bool { return k.inTree[id] }):
		return OffTree
	case anyGold(func(id ctxnorm.ConceptID) bool { return k.ancestors(id)[first] }):
		return GoldNarrower
	case anyGold(func(id ctxnorm.ConceptID) bool { return above[id] }):
		return GoldBroader
	case anyGold(func(id ctxnorm.ConceptID) bool { return k.shareParent(id, first) }):
		return Sibling
	case anyGold(func(id ctxnorm.ConceptID) bool { return k.shareBranch(id, above) }):
		return SameBranch
	}
	return Unrelated
}

// isNameless reports whether the dictionary has gold concepts of the item, and
// none with a name.
func isNameless(item *Item, k *Known) bool {
	named := func(id ctxnorm.ConceptID) bool { return k.Name(id) != "" }
	return slices.ContainsFunc(item.Gold, k.Has) && !slices.ContainsFunc(item.Gold, named)
}

// HasTree reports whether any concept of the dictionary has a parent.
func (k *Known) HasTree() bool { return len(k.parents) > 0 }

// ancestors are all concepts above one, itself not among them. A dictionary may
// have a concept above itself by way of others.
func (k *Known) ancestors(id ctxnorm.ConceptID) map[ctxnorm.ConceptID]bool {
	above := make(map[ctxnorm.ConceptID]bool)
	for open := []ctxnorm.ConceptID{id}; len(open) > 0; open = open[1:] {
		for _, parent := range k.parents[open[0]] {
			if parent != id && !above[parent] {
				above[parent] = true
				open = append(open, parent)
			}
		}
	}
	return above
}

func (k *Known) shareParent(a, b ctxnorm.ConceptID) bool {
	return slices.ContainsFunc(k.parents[a], func(parent ctxnorm.ConceptID) bool {
		return slices.Contains(k.parents[b], parent)
	})
}

// shareBranch reports whether a concept has an ancestor among those of another
// that has a parent itself: all concepts may stand below one root.
func (k *Known) shareBranch(id ctxnorm.ConceptID, above map[ctxnorm.ConceptID]bool) bool {
	for ancestor := range k.ancestors(id) {
		if above[ancestor] && len(k.parents[ancestor]) > 0 {
			return true
		}
	}
	return false
}
