package eval

import (
	"slices"

	"github.com/ctxnorm/ctxnorm/kb"
)

// ConceptSet is the set of evaluated concepts, with every identifier that names one of them in any spelling (see
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

// HoldOut returns the set without the concepts for which heldOut returns true. Their identifiers name no concept of it.
func (s *ConceptSet) HoldOut(heldOut func(kb.ConceptID) bool) *ConceptSet {
	return &ConceptSet{s.dict, func(id kb.ConceptID) bool { return s.heldOut(id) || heldOut(id) }}
}

// lookup returns the concept that an identifier names, and whether there is one in the set.
func (s *ConceptSet) lookup(id kb.ConceptID) (kb.ConceptID, bool) {
	at, known := s.dict.Find(id)
	if !known || s.heldOut(s.dict.ID(at)) {
		return "", false
	}
	return s.dict.ID(at), true
}

// split returns the concepts of the set that the identifiers name, sorted and
// distinct, and the identifiers that name none.
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

// Canonical returns the concept that an identifier names, or the identifier itself if it is not in the set.
func (s *ConceptSet) Canonical(id kb.ConceptID) kb.ConceptID {
	if concept, ok := s.lookup(id); ok {
		return concept
	}
	return id
}
