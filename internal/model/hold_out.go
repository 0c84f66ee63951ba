package model

import (
	"slices"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// HoldOut returns a copy of the model without the concepts for which heldOut reports true, for example to measure how
// mentions of unknown concepts are linked. The copy also lacks their names and contexts. A concept below a held-out one
// gets the nearest remaining ancestors as parents.
//
// The copy shares the encoder and the tagger, which still finds the names of held-out concepts, so m must stay open
// while the copy is used; the copy need not be closed. It copies vectors and searches them exactly.
func (m *Model) HoldOut(heldOut func(kb.ConceptID) bool) *Model {
	smaller, _ := m.reduce(holdOutConcepts(m.Dictionary, m.Dictionary, heldOut), everyRow)
	return smaller
}

// WithoutNames returns a copy of the model without the names whose normal form is held out, the contexts in which they
// occur and their labels. It also drops all mined synonyms of their concepts, which may have been mined by way of a
// held-out name, and, unless mined is set, every other mined synonym. Labeled mentions with other surface forms are
// names of their own and stay, as do the concepts and the sense statistics of the contexts. Use the copy like that of
// [Model.HoldOut]. An error names the file of the contexts.
func (m *Model) WithoutNames(heldOut map[string]bool, mined bool) (*Model, error) {
	if len(heldOut) == 0 && mined {
		return m, nil
	}
	isHeldOut := make([]bool, m.Names.Len())
	affected := make(map[int32]bool) // concepts of held-out names
	for row := range int32(len(isHeldOut)) {
		if isHeldOut[row] = heldOut[normalize.Normal(m.Names.Text(row))]; isHeldOut[row] {
			for _, concept := range m.Names.Concepts(row) {
				affected[concept] = true
			}
		}
	}
	keep := rowFilter{func(row int) bool {
		isAffected := func(concept int32) bool { return affected[concept] }
		return !isHeldOut[row] && (m.Names.Origin(int32(row)).Mined == "" ||
			mined && !slices.ContainsFunc(m.Names.Concepts(int32(row)), isAffected))
	}, everyRow.context}
	if len(heldOut) > 0 {
		contexts, err := m.Contexts.Exemplars()
		if err != nil {
			return nil, err
		}
		keep.context = func(row int) bool { return !heldOut[contexts[row].Mention.Name] }
	}
	smaller, _ := m.reduce(m.Dictionary, keep)
	smaller.dictionaryIndexes, smaller.senseNames = m.dictionaryIndexes, m.senseNames
	smaller.corpusSynonyms = slices.DeleteFunc(slices.Clone(m.corpusSynonyms), func(s mine.Synonym) bool {
		return s.Origin.Labeled && heldOut[normalize.Normal(s.Text)]
	})
	smaller.leftOut = sync.OnceValues(func() ([]text.Exemplar, error) {
		leftOut, err := m.LeftOut()
		return slices.DeleteFunc(slices.Clone(leftOut), func(ex text.Exemplar) bool {
			return ex.Origin.Mined != "" && !mined || heldOut[normalize.Normal(ex.Text)]
		}), err
	})
	smaller.deriveSenses()
	smaller.senses.profiles = m.senses.profiles
	return smaller, nil
}

// rowFilter tells which rows of names and of contexts to keep. Rows of held-out concepts are always dropped.
type rowFilter struct {
	name, context func(row int) bool
}

var everyRow = rowFilter{func(int) bool { return true }, func(int) bool { return true }}

// reduce returns a copy of the model with a smaller dictionary. It keeps the rows that keep accepts and whose concepts
// are not all gone. names are the kept rows of m.Names.
func (m *Model) reduce(dict *kb.Dictionary, keep rowFilter) (smaller *Model, names []int) {
	smaller = m.view()
	smaller.Dictionary, smaller.dictionaryIndexes, smaller.stored = dict, NewDictionaryIndexes(dict), nil
	smaller.senseNames = nil
	positions := newPositions(m.Dictionary, dict)
	var contexts []int
	smaller.Names, names = m.Names.reduce(positions, dict, keep.name)
	smaller.Contexts, contexts = m.Contexts.reduce(positions, dict, keep.context)
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

// copyRows returns a copy of the given rows.
func copyRows(v *knnindex.Vectors, rows []int) *knnindex.Vectors {
	kept := &knnindex.Vectors{Dim: v.Dim, Data: make([]float32, 0, len(rows)*v.Dim)}
	for _, row := range rows {
		kept.Data = append(kept.Data, v.Row(row)...)
	}
	return kept
}

// holdOutConcepts returns a dictionary of the concepts in names that are not held out. Their parents come from the
// hierarchy of dict, which still has the held-out concepts.
func holdOutConcepts(dict, names *kb.Dictionary, heldOut func(kb.ConceptID) bool) *kb.Dictionary {
	return new(kb.Builder).AddAll(names, func(c *kb.Concept) bool {
		c.Parents = remainingAncestors(dict, c, heldOut)
		return !heldOut(c.ID)
	}).Dictionary()
}

// remainingAncestors returns the nearest ancestors of c, on every path upward, that are not held out.
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

// newPositions returns the position of each concept of dict in another dictionary, or -1 if it is not there.
func newPositions(dict, other *kb.Dictionary) []int32 {
	positions := make([]int32, dict.Len())
	for i := range positions {
		positions[i] = -1
		if position, known := other.Index(dict.ID(i)); known && other.ID(position) == dict.ID(i) {
			positions[i] = int32(position)
		}
	}
	return positions
}

// lacksConcept reports whether no concept of dict has this primary ID. An alternative ID belongs to another concept.
func lacksConcept(dict *kb.Dictionary, id kb.ConceptID) bool {
	at, known := dict.Index(id)
	return !known || dict.ID(at) != id
}

// reduce drops the rows that keep rejects or that lose all their concepts in dict, the smaller dictionary, and returns
// the others with their remaining concepts. positions holds the new position of each concept, see [newPositions].
func (r *ExemplarIndex) reduce(positions []int32, dict *kb.Dictionary,
	keep func(row int) bool) (smaller ExemplarIndex, rows []int) {
	if r.names != nil {
		smaller.names = &nameTexts{dict: dict}
	}
	for row := range r.Len() {
		concepts := r.Concepts(int32(row))
		var remaining []int32
		for _, concept := range concepts {
			if position := positions[concept]; position >= 0 {
				remaining = append(remaining, position)
			}
		}
		if isKept := keep(row); !isKept || len(remaining) == 0 && len(concepts) > 0 {
			if r.names != nil && !isKept {
				smaller.names.partial = true
			}
			continue
		}
		rows = append(rows, row)
		if r.names == nil {
			smaller.concepts.Append(remaining...)
			continue
		}
		if row < r.names.sorted {
			smaller.names.sorted++
		}
		smaller.addName(r.Text(int32(row)), r.originText(int32(row)), remaining...)
	}
	if r.names != nil {
		return smaller, rows
	}
	lacks := func(id kb.ConceptID) bool { return lacksConcept(dict, id) }
	smaller.exemplars = sync.OnceValues(func() ([]text.Exemplar, error) {
		all, err := r.Exemplars()
		if err != nil {
			return nil, err
		}
		kept := make([]text.Exemplar, len(rows))
		for i, row := range rows {
			kept[i] = all[row]
			kept[i].Mention.Concepts = slices.DeleteFunc(slices.Clone(kept[i].Mention.Concepts), lacks)
		}
		return kept, nil
	})
	return smaller, rows
}
