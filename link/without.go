package link

import (
	"slices"
	"sync"

	"ctxnorm"
	"ctxnorm/knnindex"
)

// Without is the model without the concepts that are gone: it has none of their names
// and contexts, and never answers with them. Concepts below one that is gone hang from
// what is above it. The tagger is the whole model's, and the encoder is shared: the
// model must stay open while the smaller one is used, which need not be closed.
// Searches are exact; vectors are copied.
func (m *Model) Without(gone func(ctxnorm.ConceptID) bool) *Model {
	less := *m
	less.closers = nil
	less.Dictionary = holdOutConcepts(m.Dictionary, gone)
	places := m.places(less.Dictionary, gone)
	less.Names = m.Names.holdOut(places, gone)
	less.Contexts = m.Contexts.holdOut(places, gone)
	return &less
}

func holdOutConcepts(dict *ctxnorm.Dictionary, gone func(ctxnorm.ConceptID) bool) *ctxnorm.Dictionary {
	var concepts []ctxnorm.Concept
	for i := range dict.Len() {
		c := *dict.At(i)
		if gone(c.ID) {
			continue
		}
		c.Parents = remainingAncestors(dict, &c, gone)
		concepts = append(concepts, c)
	}
	return ctxnorm.NewDictionary(concepts)
}

// remainingAncestors are the nearest concepts above c that are not gone, up every way.
func remainingAncestors(dict *ctxnorm.Dictionary, c *ctxnorm.Concept, gone func(ctxnorm.ConceptID) bool) []ctxnorm.ConceptID {
	var kept []ctxnorm.ConceptID
	seen := make(map[ctxnorm.ConceptID]bool)
	queue := slices.Clone(c.Parents)
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		parent := dict.Lookup(id)
		if parent == nil || seen[parent.ID] {
			continue
		}
		seen[parent.ID] = true
		if gone(parent.ID) {
			queue = append(queue, parent.Parents...)
		} else {
			kept = append(kept, parent.ID)
		}
	}
	return kept
}

// places are the positions of the model's concepts in a smaller dictionary, -1 for
// those that are gone.
func (m *Model) places(less *ctxnorm.Dictionary, gone func(ctxnorm.ConceptID) bool) []int32 {
	places := make([]int32, m.Dictionary.Len())
	for i := range places {
		places[i] = -1
		if id := m.Dictionary.At(i).ID; !gone(id) {
			place, _ := less.Index(id)
			places[i] = int32(place)
		}
	}
	return places
}

// holdOut keeps the rows that have an owner left, without their other owners. places
// says where in a smaller dictionary concepts are, and gone which are not.
func (r *Rows) holdOut(places []int32, gone func(ctxnorm.ConceptID) bool) Rows {
	var less Rows
	var kept []int // rows
	for row := range r.Len() {
		var left []int32
		for _, owner := range r.concepts.of(int32(row)) {
			if place := places[owner]; place >= 0 {
				left = append(left, place)
			}
		}
		if len(left) > 0 {
			less.concepts.add(left...)
			kept = append(kept, row)
		}
	}
	less.exemplars = sync.OnceValues(func() ([]ctxnorm.Exemplar, error) {
		all, err := r.Exemplars()
		if err != nil {
			return nil, err
		}
		return holdOutExemplars(all, kept, gone), nil
	})
	if r.Vectors != nil {
		less.Vectors = &knnindex.Vectors{Dim: r.Vectors.Dim, Data: make([]float32, 0, len(kept)*r.Vectors.Dim)}
		for _, row := range kept {
			less.Vectors.Data = append(less.Vectors.Data, r.Vectors.Row(row)...)
		}
		less.Index = knnindex.NewFlat(less.Vectors)
	}
	return less
}

// holdOutExemplars are those of some rows, without the owners that are gone.
func holdOutExemplars(all []ctxnorm.Exemplar, rows []int, gone func(ctxnorm.ConceptID) bool) []ctxnorm.Exemplar {
	kept := make([]ctxnorm.Exemplar, len(rows))
	for i, row := range rows {
		kept[i] = all[row]
		kept[i].Mention.Concepts = slices.DeleteFunc(slices.Clone(kept[i].Mention.Concepts), gone)
	}
	return kept
}
