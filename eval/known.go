package eval

import (
	"slices"

	"ctxnorm"
	"ctxnorm/matcher"
)

// Known is what a dictionary says of the concepts of the evaluated set.
type Known struct {
	ids     *IDs
	owners  *matcher.Exact
	names   map[ctxnorm.ConceptID]string              // by concept of the set; empty for one that has no name
	parents map[ctxnorm.ConceptID][]ctxnorm.ConceptID // by concept of the set; none for one that has none
	inTree  map[ctxnorm.ConceptID]bool                // with a parent or a child
}

// NewKnown looks at every concept of the dictionary.
func NewKnown(dict *ctxnorm.Dictionary, ids *IDs) *Known {
	k := &Known{
		ids, matcher.NewExact(dict),
		make(map[ctxnorm.ConceptID]string, dict.Len()), make(map[ctxnorm.ConceptID][]ctxnorm.ConceptID),
		make(map[ctxnorm.ConceptID]bool),
	}
	for i := range dict.Len() {
		concept := dict.At(i)
		id := ids.Canonical(concept.ID)
		if names := concept.Names(); k.names[id] == "" && len(names) > 0 {
			k.names[id] = names[0]
		} else if _, ok := k.names[id]; !ok {
			k.names[id] = ""
		}
		for _, parent := range concept.Parents {
			above := ids.Canonical(parent)
			k.parents[id] = append(k.parents[id], above)
			k.inTree[id], k.inTree[above] = true, true
		}
	}
	return k
}

// Name is a name of the concept, and empty where it has none.
func (k *Known) Name(id ctxnorm.ConceptID) string { return k.names[k.ids.Canonical(id)] }

// Has reports whether the dictionary holds the concept, with names or without.
func (k *Known) Has(id ctxnorm.ConceptID) bool {
	_, ok := k.names[k.ids.Canonical(id)]
	return ok
}

// Owners are the concepts that have the text as a name, letter case and the like
// aside, sorted and distinct.
func (k *Known) Owners(text string) []ctxnorm.ConceptID {
	var owners []ctxnorm.ConceptID
	for _, id := range k.owners.Lookup(text) {
		owners = append(owners, k.ids.Canonical(id))
	}
	slices.Sort(owners)
	return slices.Compact(owners)
}
