package model

import (
	"slices"
	"sync"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// HoldOut returns a copy of the model without the concepts for which heldOut reports
// true, such as to measure what becomes of mentions of unknown concepts. The copy has
// none of their names and contexts. A concept below a held-out one gets the nearest
// remaining ancestors as parents.
//
// The copy shares the encoder and the tagger, which still finds the names of held-out
// concepts, so m must stay open while the copy is used; the copy need not be closed. It
// copies vectors and searches them exactly.
func (m *Model) HoldOut(heldOut func(kb.ConceptID) bool) *Model {
	smaller, _ := m.reduce(holdOutConcepts(m.Dictionary, m.Dictionary, heldOut), heldOut, everyRow)
	return smaller
}

// rowFilter says which rows of names and of contexts are kept, besides those of held-out
// concepts, which are not.
type rowFilter struct {
	name, context func(row int) bool
}

var everyRow = rowFilter{func(int) bool { return true }, func(int) bool { return true }}

// reduce returns a copy of the model with a smaller dictionary, which lacks the held-out
// concepts, and the rows that are kept. names are those of names, in m.
func (m *Model) reduce(dict *kb.Dictionary, heldOut func(kb.ConceptID) bool,
	keep rowFilter) (smaller *Model, names []int) {
	smaller = m.view()
	smaller.Dictionary = dict
	smaller.dictionaryIndexes = NewDictionaryIndexes(dict)
	positions := newPositions(m.Dictionary, dict, heldOut)
	names = m.Names.remaining(positions, keep.name)
	contexts := m.Contexts.remaining(positions, keep.context)
	smaller.Names = m.Names.holdOut(names, positions, heldOut)
	smaller.Contexts = m.Contexts.holdOut(contexts, positions, heldOut)
	if v := m.Vectors; v != nil {
		smaller.Vectors = &Vectors{
			Encoder: v.Encoder, base: v.base, Sentences: copyRows(v.Sentences, contexts),
			Names:    flatIndex(copyRows(v.Names.Vectors, names)),
			Contexts: flatIndex(copyRows(v.Contexts.Vectors, contexts)),
		}
	}
	smaller.deriveSenses()
	return smaller, names
}

// copyRows returns a copy of the rows.
func copyRows(v *knnindex.Vectors, rows []int) *knnindex.Vectors {
	kept := &knnindex.Vectors{Dim: v.Dim, Data: make([]float32, 0, len(rows)*v.Dim)}
	for _, row := range rows {
		kept.Data = append(kept.Data, v.Row(row)...)
	}
	return kept
}

// remaining returns the rows to keep that keep a concept or never had one. positions holds the
// new position of each concept, see [newPositions].
func (r *ExemplarIndex) remaining(positions []int32, keep func(row int) bool) []int {
	var rows []int
	for row := range r.Len() {
		if !keep(row) {
			continue
		}
		concepts := r.concepts.of(int32(row))
		if len(concepts) == 0 || slices.ContainsFunc(concepts, func(concept int32) bool {
			return positions[concept] >= 0
		}) {
			rows = append(rows, row)
		}
	}
	return rows
}

// holdOutConcepts returns the concepts of names that are not held out, with parents by the
// hierarchy of dict, which has the held-out ones.
func holdOutConcepts(dict, names *kb.Dictionary, heldOut func(kb.ConceptID) bool) *kb.Dictionary {
	var concepts []kb.Concept
	for i := range names.Len() {
		c := *names.At(i)
		if heldOut(c.ID) {
			continue
		}
		c.Parents = remainingAncestors(dict, &c, heldOut)
		concepts = append(concepts, c)
	}
	return kb.NewDictionary(concepts)
}

// remainingAncestors returns the nearest ancestors of c, on every path upward, that are
// not held out.
func remainingAncestors(dict *kb.Dictionary, c *kb.Concept, heldOut func(kb.ConceptID) bool) []kb.ConceptID {
	var kept []kb.ConceptID
	seen := make(map[kb.ConceptID]bool)
	queue := slices.Clone(c.Parents)
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		parent := dict.Lookup(id)
		if parent == nil || seen[parent.ID] {
			continue
		}
		seen[parent.ID] = true
		if heldOut(parent.ID) {
			queue = append(queue, parent.Parents...)
		} else {
			kept = append(kept, parent.ID)
		}
	}
	return kept
}

// newPositions returns the position in smaller of each concept of dict, -1 for one that
// is held out.
func newPositions(dict, smaller *kb.Dictionary, heldOut func(kb.ConceptID) bool) []int32 {
	positions := make([]int32, dict.Len())
	for i := range positions {
		positions[i] = -1
		if id := dict.At(i).ID; !heldOut(id) {
			position, _ := smaller.Index(id)
			positions[i] = int32(position)
		}
	}
	return positions
}

// holdOut returns the kept rows without their held-out concepts. positions holds the new
// position of each concept, see [newPositions].
func (r *ExemplarIndex) holdOut(kept []int, positions []int32, heldOut func(kb.ConceptID) bool) ExemplarIndex {
	var smaller ExemplarIndex
	for _, row := range kept {
		var remaining []int32
		for _, concept := range r.concepts.of(int32(row)) {
			if position := positions[concept]; position >= 0 {
				remaining = append(remaining, position)
			}
		}
		smaller.concepts.add(remaining...)
	}
	smaller.exemplars = sync.OnceValues(func() ([]text.Exemplar, error) {
		all, err := r.Exemplars()
		if err != nil {
			return nil, err
		}
		return holdOutExemplars(all, kept, heldOut), nil
	})
	return smaller
}

// holdOutExemplars returns the exemplars of the rows without their held-out concepts.
func holdOutExemplars(all []text.Exemplar, rows []int, heldOut func(kb.ConceptID) bool) []text.Exemplar {
	kept := make([]text.Exemplar, len(rows))
	for i, row := range rows {
		kept[i] = all[row]
		kept[i].Mention.Concepts = slices.DeleteFunc(slices.Clone(kept[i].Mention.Concepts), heldOut)
	}
	return kept
}
