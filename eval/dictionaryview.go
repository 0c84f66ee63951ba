package eval

import (
	"slices"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/lexical"
)

// DictionaryView is a dictionary seen through the canonical identifiers of the
// evaluated set.
type DictionaryView struct {
	set         *ConceptSet
	exact       *lexical.Exact
	names       map[kb.ConceptID]string         // name by canonical concept; "" if the concept has none
	parents     map[kb.ConceptID][]kb.ConceptID // parents by canonical concept; no entry if it has none
	inHierarchy map[kb.ConceptID]bool           // concepts with a parent or a child
}

// NewDictionaryView indexes every concept of the dictionary.
func NewDictionaryView(dict *kb.Dictionary, set *ConceptSet) *DictionaryView {
	v := &DictionaryView{
		set, lexical.NewExact(dict),
		make(map[kb.ConceptID]string, dict.Len()), make(map[kb.ConceptID][]kb.ConceptID),
		make(map[kb.ConceptID]bool),
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
func (v *DictionaryView) Canonical(id kb.ConceptID) kb.ConceptID { return v.set.Canonical(id) }

// Name returns a name of the concept, or "" if it has none.
func (v *DictionaryView) Name(id kb.ConceptID) string { return v.names[v.set.Canonical(id)] }

// Contains reports whether the dictionary has the concept, with names or without.
func (v *DictionaryView) Contains(id kb.ConceptID) bool {
	_, ok := v.names[v.set.Canonical(id)]
	return ok
}

// ConceptsNamed returns the concepts that have name as a name, sorted and distinct.
// Names are compared in normal form, which ignores letter case, among others.
func (v *DictionaryView) ConceptsNamed(name string) []kb.ConceptID {
	var concepts []kb.ConceptID
	for _, id := range v.exact.Lookup(name) {
		concepts = append(concepts, v.set.Canonical(id))
	}
	slices.Sort(concepts)
	return slices.Compact(concepts)
}

// isNameless reports whether the dictionary has gold concepts of the mention, and
// none of them has a name.
func (v *DictionaryView) isNameless(m *GoldMention) bool {
	named := func(id kb.ConceptID) bool { return v.Name(id) != "" }
	return slices.ContainsFunc(m.Gold, v.Contains) && !slices.ContainsFunc(m.Gold, named)
}

// HasHierarchy reports whether any concept of the dictionary has a parent.
func (v *DictionaryView) HasHierarchy() bool { return len(v.parents) > 0 }

// ancestors returns all concepts above a concept, without the concept itself even if
// the dictionary has a cycle.
func (v *DictionaryView) ancestors(id kb.ConceptID) map[kb.ConceptID]bool {
	above := make(map[kb.ConceptID]bool)
	for queue := []kb.ConceptID{id}; len(queue) > 0; queue = queue[1:] {
		for _, parent := range v.parents[queue[0]] {
			if parent != id && !above[parent] {
				above[parent] = true
				queue = append(queue, parent)
			}
		}
	}
	return above
}

func (v *DictionaryView) shareParent(a, b kb.ConceptID) bool {
	return slices.ContainsFunc(v.parents[a], func(parent kb.ConceptID) bool {
		return slices.Contains(v.parents[b], parent)
	})
}

// shareBranch reports whether a concept has an ancestor in above, the ancestors of
// another concept, that is not a root. Roots do not count, because all concepts may
// be below one root.
func (v *DictionaryView) shareBranch(id kb.ConceptID, above map[kb.ConceptID]bool) bool {
	for ancestor := range v.ancestors(id) {
		if above[ancestor] && len(v.parents[ancestor]) > 0 {
			return true
		}
	}
	return false
}
