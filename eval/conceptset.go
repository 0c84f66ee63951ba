package eval

import (
	"maps"
	"slices"

	"github.com/ctxnorm/ctxnorm/kb"
)

// ConceptSet is the set of evaluated concepts, with every identifier that names one
// of them.
//
// An identifier is looked up unchanged and then without its namespace, so "D003924",
// "MESH:D003924" and "mesh:D003924" are the same concept unless the set itself tells
// them apart.
type ConceptSet struct {
	exact map[kb.ConceptID]kb.ConceptID // any identifier -> the concept's own
	// identifier without namespace -> the concept's own; "" if two concepts share it
	local map[string]kb.ConceptID
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

// NewConceptSet returns the set of the concepts that are keys of altIDs, which maps
// each to its alternative identifiers. An alternative identifier of several concepts
// names the first of them by ID. A concept's own ID always names that concept.
func NewConceptSet(altIDs map[kb.ConceptID][]kb.ConceptID) *ConceptSet {
	s := &ConceptSet{make(map[kb.ConceptID]kb.ConceptID), make(map[string]kb.ConceptID)}
	own := slices.Sorted(maps.Keys(altIDs))
	for _, id := range own {
		s.exact[id] = id
	}
	for _, id := range own {
		for _, alt := range altIDs[id] {
			if _, taken := s.exact[alt]; !taken {
				s.exact[alt] = id
			}
		}
	}
	for id, concept := range s.exact {
		if other, ok := s.local[id.Local()]; ok && other != concept {
			concept = ""
		}
		s.local[id.Local()] = concept
	}
	return s
}

// HoldOut returns the set without the concepts for which heldOut returns true. Their
// identifiers name no concept of it.
func (s *ConceptSet) HoldOut(heldOut func(kb.ConceptID) bool) *ConceptSet {
	rest := &ConceptSet{maps.Clone(s.exact), maps.Clone(s.local)}
	maps.DeleteFunc(rest.exact, func(_, concept kb.ConceptID) bool { return heldOut(concept) })
	maps.DeleteFunc(rest.local, func(_ string, concept kb.ConceptID) bool { return concept != "" && heldOut(concept) })
	return rest
}

// lookup returns the concept that an identifier names, and whether there is one in
// the set.
func (s *ConceptSet) lookup(id kb.ConceptID) (kb.ConceptID, bool) {
	if concept, ok := s.exact[id]; ok {
		return concept, true
	}
	concept := s.local[id.Local()]
	return concept, concept != ""
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
