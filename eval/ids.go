package eval

import (
	"maps"
	"slices"

	"ctxnorm"
)

// IDs is the set of concepts that are evaluated, with every identifier that
// names one of them.
//
// An identifier is looked up as it stands and then without regard to its
// namespace, so "D003924", "MESH:D003924" and "mesh:D003924" are one unless the
// set itself tells them apart.
type IDs struct {
	exact map[ctxnorm.ConceptID]ctxnorm.ConceptID // any identifier -> the concept's own
	local map[string]ctxnorm.ConceptID            // the part after the namespace -> the concept's own; "" where two concepts share it
}

// DictionaryIDs is the set of a dictionary's concepts with their alternative
// identifiers.
func DictionaryIDs(dict *ctxnorm.Dictionary) *IDs {
	ids := make(map[ctxnorm.ConceptID][]ctxnorm.ConceptID, dict.Len())
	for i := range dict.Len() {
		c := dict.At(i)
		ids[c.ID] = c.AltIDs
	}
	return NewIDs(ids)
}

// NewIDs takes concepts with their alternative identifiers. One claimed by
// several concepts names the first of them by ID, and a concept's own ID is
// never another's.
func NewIDs(concepts map[ctxnorm.ConceptID][]ctxnorm.ConceptID) *IDs {
	s := &IDs{make(map[ctxnorm.ConceptID]ctxnorm.ConceptID), make(map[string]ctxnorm.ConceptID)}
	own := slices.Sorted(maps.Keys(concepts))
	for _, id := range own {
		s.exact[id] = id
	}
	for _, id := range own {
		for _, alt := range concepts[id] {
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

// Without is the set without the concepts that are gone. What named one of them
// names none.
func (s *IDs) Without(gone func(ctxnorm.ConceptID) bool) *IDs {
	less := &IDs{maps.Clone(s.exact), maps.Clone(s.local)}
	maps.DeleteFunc(less.exact, func(_, concept ctxnorm.ConceptID) bool { return gone(concept) })
	maps.DeleteFunc(less.local, func(_ string, concept ctxnorm.ConceptID) bool { return concept != "" && gone(concept) })
	return less
}

// Concept is the concept that an identifier names, if it is in the set.
func (s *IDs) Concept(id ctxnorm.ConceptID) (ctxnorm.ConceptID, bool) {
	if concept, ok := s.exact[id]; ok {
		return concept, true
	}
	concept := s.local[id.Local()]
	return concept, concept != ""
}

// Split takes identifiers apart into the distinct concepts of the set that they
// name, sorted, and the identifiers that name none.
func (s *IDs) Split(ids []ctxnorm.ConceptID) (in, outside []ctxnorm.ConceptID) {
	for _, id := range ids {
		if concept, ok := s.Concept(id); ok {
			in = append(in, concept)
		} else {
			outside = append(outside, id)
		}
	}
	slices.Sort(in)
	return slices.Compact(in), outside
}

// Canonical is the concept that an identifier names, and the identifier itself
// where that is not in the set.
func (s *IDs) Canonical(id ctxnorm.ConceptID) ctxnorm.ConceptID {
	if concept, ok := s.Concept(id); ok {
		return concept
	}
	return id
}
