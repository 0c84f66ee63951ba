package eval

import (
	"slices"

	"ctxnorm"
	"ctxnorm/matcher"
)

// DictionaryView is a dictionary seen through the canonical identifiers of the
// evaluated set.
type Known struct {
	set         *IDs
	exact       *matcher.Exact
	names       map[ctxnorm.ConceptID]string              // name by canonical concept; "" if the concept has none
	parents     map[ctxnorm.ConceptID][]ctxnorm.ConceptID // parents by canonical concept; no entry if it has none
	inHierarchy map[ctxnorm.ConceptID]bool                // concepts with a parent or a child
}

// NewDictionaryView indexes every concept of the dictionary.
func NewKnown(dict *ctxnorm.Dictionary, set *IDs) *Known {
	v := &Known{
		set, matcher.NewExact(dict),
		make(map[ctxnorm.ConceptID]string, dict.Len()), make(map[ctxnorm.ConceptID][]ctxnorm.ConceptID),
		make(map[ctxnorm.ConceptID]bool),
	}
	for i := range dict.Len() {
		concept := dict.At(i)
		id := set.Canonical(concept.ID)
		if names := concept.Names(); v.names[id] == "" && len(names) > 0 {
			v.names[id] = names[0]
		} else if _, ok := v.names[id]; !ok {
			v.names[id] = ""
		}
		for _, parent := range concept.Parents {
			parent = set.Canonical(parent)
			v.parents[id] = append(v.parents[id], parent)
			v.inHierarchy[id], v.inHierarchy[parent] = true, true
		}
	}
	return v
}

// Canonical returns the concept of the evaluated set that an identifier names, or
// the identifier itself if it is not in the set.
func (v *Known) Canonical(id ctxnorm.ConceptID) ctxnorm.ConceptID { return v.set.Canonical(id) }

// Name returns a name of the concept, or "" if it has none.
func (v *Known) Name(id ctxnorm.ConceptID) string { return v.names[v.set.Canonical(id)] }

// Contains reports whether the dictionary has the concept, with names or without.
func (v *Known) Has(id ctxnorm.ConceptID) bool {
	_, ok := v.names[v.set.Canonical(id)]
	return ok
}

// ConceptsNamed returns the concepts that have name as a name, sorted and distinct.
// Names are compared in normal form, which ignores letter case, among others.
func (v *Known) Owners(name string) []ctxnorm.ConceptID {
	var concepts []ctxnorm.ConceptID
	for _, id := range v.exact.Lookup(name) {
		concepts = append(concepts, v.set.Canonical(id))
	}
	slices.Sort(concepts)
	return slices.Compact(concepts)
}

// isNameless reports whether the dictionary has gold concepts of the mention, and
// none of them has a name.
func (v *Known) isNameless(m *Item) bool {
	named := func(id ctxnorm.ConceptID) bool { return v.Name(id) != "" }
	return slices.ContainsFunc(m.Gold, v.Has) && !slices.ContainsFunc(m.Gold, named)
}

// HasHierarchy reports whether any concept of the dictionary has a parent.
func (v *Known) HasTree() bool { return len(v.parents) > 0 }

// ancestors returns all concepts above a concept, without the concept itself even if
// the dictionary has a cycle.
func (v *Known) ancestors(id ctxnorm.ConceptID) map[ctxnorm.ConceptID]bool {
	above := make(map[ctxnorm.ConceptID]bool)
	for queue := []ctxnorm.ConceptID{id}; len(queue) > 0; queue = queue[1:] {
		for _, parent := range v.parents[queue[0]] {
			if parent != id && !above[parent] {
				above[parent] = true
				queue = append(queue, parent)
			}
		}
	}
	return above
}

func (v *Known) shareParent(a, b ctxnorm.ConceptID) bool {
	return slices.ContainsFunc(v.parents[a], func(parent ctxnorm.ConceptID) bool {
		return slices.Contains(v.parents[b], parent)
	})
}

// shareBranch reports whether a concept has an ancestor in above, the ancestors of
// another concept, that is not a root. Roots do not count, because all concepts may
// be below one root.
func (v *Known) shareBranch(id ctxnorm.ConceptID, above map[ctxnorm.ConceptID]bool) bool {
	for ancestor := range v.ancestors(id) {
		if above[ancestor] && len(v.parents[ancestor]) > 0 {
			return true
		}
	}
	return false
}
