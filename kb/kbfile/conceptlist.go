package kbfile

import (
	"iter"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
)

// conceptList is a growing list of concepts. It is in blocks, because a slice is copied as it
// grows, which takes its memory more than twice.
type conceptList struct {
	blocks   [][]kb.Concept
	extended bool // a concept was added several times in a row
}

const conceptBlock = 1 << 12 // concepts, 0.5 MB

// add adds a concept. What is said of the concept that was added last goes to that one: a
// table has a row for each name, and a [kb.Concept] takes more memory than most names.
func (l *conceptList) add(concept kb.Concept) {
	last := len(l.blocks) - 1
	if last >= 0 {
		if before := &l.blocks[last][len(l.blocks[last])-1]; extends(before, &concept) {
			extend(before, &concept)
			l.extended = true
			return
		}
	}
	// Clipped, because other concepts may share the arrays, and extend appends.
	concept.Synonyms, concept.AltIDs = slices.Clip(concept.Synonyms), slices.Clip(concept.AltIDs)
	concept.Xrefs = slices.Clip(concept.Xrefs)
	concept.Parents, concept.Types = slices.Clip(concept.Parents), slices.Clip(concept.Types)
	switch {
	case last < 0: // of a small dictionary
		l.blocks, last = [][]kb.Concept{nil}, 0
	case len(l.blocks[last]) == conceptBlock:
		l.blocks = append(l.blocks, make([]kb.Concept, 0, conceptBlock))
		last++
	}
	l.blocks[last] = append(l.blocks[last], concept)
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
	if l.extended {
		return true
	}
	seen := make(map[kb.ConceptID]bool)
	for concept := range l.all() {
		if seen[concept.ID] {
			return true
		}
		seen[concept.ID] = true
	}
	return false
}

// all yields the concepts in order, to be read or changed.
func (l *conceptList) all() iter.Seq[*kb.Concept] {
	return func(yield func(*kb.Concept) bool) {
		for _, block := range l.blocks {
			for i := range block {
				if !yield(&block[i]) {
					return
				}
			}
		}
	}
}
