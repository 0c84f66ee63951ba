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
	names     map[kb.ConceptID]string // name by canonical concept; "" if the concept has none
	hierarchy *kb.Hierarchy
	// nodes of hierarchy: canonical concepts, and parents that the dictionary does not have
	nodes map[kb.ConceptID]int32
}

// NewDictionaryView indexes every concept of the dictionary.
func NewDictionaryView(dict *kb.Dictionary, set *ConceptSet) *DictionaryView {
	v := &DictionaryView{
		set: set, exact: lexical.NewExact(dict),
		names: make(map[kb.ConceptID]string, dict.Len()), nodes: make(map[kb.ConceptID]int32, dict.Len()),
	}
	var parents [][]int32 // by node
	nodeOf := func(id kb.ConceptID) int32 {
		node, ok := v.nodes[id]
		if !ok {
			node = int32(len(parents))
			v.nodes[id] = node
			parents = append(parents, nil)
		}
		return node
	}
	for _, concept := range dict.All() {
		id := set.Canonical(concept.ID)
		if names := concept.Names(); v.names[id] == "" && len(names) > 0 {
			v.names[id] = names[0]
		} else if _, ok := v.names[id]; !ok {
			v.names[id] = ""
		}
		node := nodeOf(id)
		for _, parent := range concept.Parents {
			above := nodeOf(set.Canonical(parent)) // before parents[node] is read: it may grow parents
			parents[node] = append(parents[node], above)
		}
	}
	v.hierarchy = kb.HierarchyOf(parents)
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
	var nodes []int32
	for _, id := range concepts {
		if node, ok := v.nodes[id]; ok && len(v.hierarchy.Parents(node))+len(v.hierarchy.Children(node)) > 0 {
			nodes = append(nodes, node)
		}
	}
	return nodes
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
