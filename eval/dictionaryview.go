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
	concepts  *kb.Dictionary        // with canonical IDs, including parents that the dictionary lacks
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

// Canonical returns the concept of the evaluated set that an identifier stands for, or the identifier itself if it is
// not in the set.
func (v *DictionaryView) Canonical(id kb.ConceptID) kb.ConceptID { return v.set.Canonical(id) }

// Name returns a name of the concept, or "" if it has none.
func (v *DictionaryView) Name(id kb.ConceptID) string {
	at, found := v.concepts.Index(v.set.Canonical(id))
	if !found || len(v.concepts.Names(at)) == 0 {
		return ""
	}
	return v.concepts.Names(at)[0]
}

// Contains reports whether the dictionary has the concept, with or without names.
func (v *DictionaryView) Contains(id kb.ConceptID) bool { return v.has[v.set.Canonical(id)] }

// conceptsNamed returns the concepts that have name as a name, sorted and distinct. Names are compared in normal form,
// which ignores letter case, among others.
func (v *DictionaryView) conceptsNamed(name string) []kb.ConceptID {
	var concepts []kb.ConceptID
	for _, id := range v.exact.Lookup(name) {
		concepts = append(concepts, v.set.Canonical(id))
	}
	slices.Sort(concepts)
	return slices.Compact(concepts)
}

// isNameless reports whether gold concepts of the mention are in the dictionary, but none of them has a name.
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

// ConceptSet is the set of evaluated concepts. Any identifier stands for a concept in all its spellings (see
// [kb.Dictionary.Find]): "MESH:D003924", "mesh:D003924" and, unless two concepts share it, "D003924" are one concept.
type ConceptSet struct {
	dict    *kb.Dictionary
	heldOut func(kb.ConceptID) bool
}

// DictionaryConceptSet returns the set of a dictionary's concepts with their alternative identifiers.
func DictionaryConceptSet(dict *kb.Dictionary) *ConceptSet {
	return &ConceptSet{dict, func(kb.ConceptID) bool { return false }}
}

// NewConceptSet returns the set of the concepts that are keys of altIDs, which maps each to its other identifiers.
func NewConceptSet(altIDs map[kb.ConceptID][]kb.ConceptID) *ConceptSet {
	var b kb.Builder
	for id, alternatives := range altIDs {
		b.Add(&kb.Concept{ID: id, AltIDs: alternatives})
	}
	return DictionaryConceptSet(b.Dictionary())
}

// HoldOut returns the set without the concepts for which heldOut returns true; their identifiers are outside it.
func (s *ConceptSet) HoldOut(heldOut func(kb.ConceptID) bool) *ConceptSet {
	return &ConceptSet{s.dict, func(id kb.ConceptID) bool { return s.heldOut(id) || heldOut(id) }}
}

// lookup returns the concept that an identifier stands for, and whether there is one in the set.
func (s *ConceptSet) lookup(id kb.ConceptID) (kb.ConceptID, bool) {
	at, known := s.dict.Find(id)
	if !known || s.heldOut(s.dict.ID(at)) {
		return "", false
	}
	return s.dict.ID(at), true
}

// split returns the concepts of the set that the identifiers stand for, sorted and distinct, and the identifiers
// outside the set.
func (s *ConceptSet) split(ids []kb.ConceptID) (in, outside []kb.ConceptID) {
	for _, id := range ids {
		if concept, ok := s.lookup(id); ok {
			in = append(in, concept)
		} else {
			outside = append(outside, id)
		}
	}
	slices.Sort(in)
	return slices.Compact(in), outside
}

// Canonical returns the concept that an identifier stands for, or the identifier itself if it is not in the set.
func (s *ConceptSet) Canonical(id kb.ConceptID) kb.ConceptID {
	if concept, ok := s.lookup(id); ok {
		return concept
	}
	return id
}
