package kbfile

import (
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
)

// conceptList is a growing list of concepts.
type conceptList struct {
	concepts []*kb.Concept
	extended bool // a concept was added several times in a row
}

// add adds a concept. What is said of the concept that was added last goes to that one: a
// table has a row for each name, and a [kb.Concept] takes more memory than most names.
func (l *conceptList) add(concept kb.Concept) {
	if last := len(l.concepts) - 1; last >= 0 && extends(l.concepts[last], &concept) {
		extend(l.concepts[last], &concept)
		l.extended = true
		return
	}
	// Clipped, because other concepts may share the arrays, and extend appends.
	concept.Synonyms, concept.AltIDs = slices.Clip(concept.Synonyms), slices.Clip(concept.AltIDs)
	concept.Xrefs = slices.Clip(concept.Xrefs)
	concept.Parents, concept.Types = slices.Clip(concept.Parents), slices.Clip(concept.Types)
	l.concepts = append(l.concepts, &concept)
}

// extends reports whether more is of the same concept and extend keeps the order of the names.
func extends(concept, more *kb.Concept) bool {
	return concept.ID == more.ID && (strings.TrimSpace(concept.Name) != "" || more.Name == "")
}

// extend adds to a concept what more says of it, as [kb.CollectDictionary] merges the two.
func extend(concept, more *kb.Concept) {
	concept.Synonyms = append(concept.Synonyms, more.Names()...)
	concept.AltIDs = append(concept.AltIDs, more.AltIDs...)
	concept.Xrefs = append(concept.Xrefs, more.Xrefs...)
	concept.Parents = append(concept.Parents, more.Parents...)
	concept.Types = append(concept.Types, more.Types...)
}

// repeated reports whether a concept was added several times.
func (l *conceptList) repeated() bool {
	seen := make(map[kb.ConceptID]bool)
	for _, concept := range l.concepts {
		if l.extended || seen[concept.ID] {
			return true
		}
		seen[concept.ID] = true
	}
	return false
}
