package eval

import (
	"slices"

	"github.com/ctxnorm/ctxnorm/kb"
)

// ConceptSet is the set of evaluated concepts, with every identifier that names one of them in any spelling (see
// [kb.IDs]): "MESH:D003924", "mesh:D003924" and, unless two concepts share it, "D003924" are the same concept.
type ConceptSet struct {
	ids     *kb.IDs
	heldOut func(kb.ConceptID) bool
}

// DictionaryConceptSet returns the set of a dictionary's concepts with their
// alternative identifiers.
func DictionaryConceptSet(dict *kb.Dictionary) *ConceptSet {
	altIDs := make(map[kb.ConceptID][]kb.ConceptID, dict.Len())
	for _, c := range dict.All() {
		altIDs[c.ID] = c.AltIDs
	}
	return NewConceptSet(altIDs)
}

// NewConceptSet returns the set of the concepts that are keys of altIDs: see [kb.NewIDs].
func NewConceptSet(altIDs map[kb.ConceptID][]kb.ConceptID) *ConceptSet {
	return &ConceptSet{kb.NewIDs(altIDs), func(kb.ConceptID) bool { return false }}
}

// HoldOut returns the set without the concepts for which heldOut returns true. Their
// identifiers name no concept of it.
func (s *ConceptSet) HoldOut(heldOut func(kb.ConceptID) bool) *ConceptSet {
	return &ConceptSet{s.ids, func(id kb.ConceptID) bool { return s.heldOut(id) || heldOut(id) }}
}

// lookup returns the concept that an identifier names, and whether there is one in
// the set.
func (s *ConceptSet) lookup(id kb.ConceptID) (kb.ConceptID, bool) {
	concept, known := s.ids.Lookup(id)
	if !known || s.heldOut(concept) {
		return "", false
	}
	return concept, true
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

// Canonical returns the concept that an identifier names, or the identifier itself
// if it is not in the set.
func (s *ConceptSet) Canonical(id kb.ConceptID) kb.ConceptID {
	if concept, ok := s.lookup(id); ok {
		return concept
	}
	return id
}
