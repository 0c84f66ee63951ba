package eval

import (
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/kb"
)

// DictionaryView is a dictionary seen through the canonical identifiers of the evaluated set.
type DictionaryView struct {
	set       *ConceptSet
	exact     *lexical.KeyIndex
	concepts  *kb.Dictionary        // canonical, and the parents that the dictionary lacks
	has       map[kb.ConceptID]bool // canonical concepts of the dictionary
	hierarchy *kb.Hierarchy         // of concepts
}

// NewDictionaryView indexes every concept of the dictionary.
func NewDictionaryView(dict *kb.Dictionary, set *ConceptSet) *DictionaryView {
	v := &DictionaryView{set: set, exact: lexical.NewExact(dict), has: make(map[kb.ConceptID]bool, dict.Len())}
	var all kb.Builder
	for _, concept := range dict.All() {
		c := kb.Concept{ID: set.Canonical(concept.ID), Synonyms: concept.Names()}
		for _, parent := range concept.Parents {
			parent = set.Canonical(parent)
			c.Parents = append(c.Parents, parent)
			all.Add(&kb.Concept{ID: parent})
		}
		all.Add(&c)
		v.has[c.ID] = true
	}
	v.concepts = all.Dictionary()
	v.hierarchy = kb.NewHierarchy(v.concepts)
	return v
}

// Canonical returns the concept of the evaluated set that an identifier names, or
// the identifier itself if it is not in the set.
func (v *DictionaryView) Canonical(id kb.ConceptID) kb.ConceptID { return v.set.Canonical(id) }

// Name returns a name of the concept, or "" if it has none.
func (v *DictionaryView) Name(id kb.ConceptID) string {
	at, found := v.concepts.Index(v.set.Canonical(id))
	if !found || len(v.concepts.Names(at)) == 0 {
		return ""
	}
	return v.concepts.Names(at)[0]
}

// Contains reports whether the dictionary has the concept, with names or without.
func (v *DictionaryView) Contains(id kb.ConceptID) bool { return v.has[v.set.Canonical(id)] }

// conceptsNamed returns the concepts that have name as a name, sorted and distinct.
// Names are compared in normal form, which ignores letter case, among others.
func (v *DictionaryView) conceptsNamed(name string) []kb.ConceptID {
	var concepts []kb.ConceptID
	for _, id := range v.exact.Lookup(name) {
		concepts = append(concepts, v.set.Canonical(id))
	}
	slices.Sort(concepts)
	return slices.Compact(concepts)
}

// isNameless reports whether the dictionary has gold concepts of the mention, and none of them has a name.
func (v *DictionaryView) isNameless(m *GoldMention) bool {
	named := func(id kb.ConceptID) bool { return v.Name(id) != "" }
	return slices.ContainsFunc(m.Gold, v.Contains) && !slices.ContainsFunc(m.Gold, named)
}

// hasHierarchy reports whether any concept of the dictionary has a parent.
func (v *DictionaryView) hasHierarchy() bool { return !v.hierarchy.Empty() }

// nodesIn returns the nodes of the concepts that have a parent or a child.
func (v *DictionaryView) nodesIn(concepts []kb.ConceptID) []int32 {
	return slices.DeleteFunc(kb.ConceptPositions(v.concepts, concepts), func(node int32) bool {
		return len(v.hierarchy.Parents(node))+len(v.hierarchy.Children(node)) == 0
	})
}

// isBelow reports whether a node has the ancestor.
func (v *DictionaryView) isBelow(node, ancestor int32) bool {
	return slices.Contains(v.hierarchy.Ancestors(node), ancestor)
}

func (v *DictionaryView) shareParent(a, b int32) bool {
	return slices.ContainsFunc(v.hierarchy.Parents(a), func(parent int32) bool {
		return slices.Contains(v.hierarchy.Parents(b), parent)
	})
}

// shareBranch reports whether two nodes have an ancestor in common that is not a root.
// Roots do not count, because all concepts may be below one root.
func (v *DictionaryView) shareBranch(a, b int32) bool {
	return slices.ContainsFunc(v.hierarchy.Ancestors(a), func(ancestor int32) bool {
		return v.isBelow(b, ancestor) && len(v.hierarchy.Parents(ancestor)) > 0
	})
}
