package link

import (
	"slices"

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
	less.Dictionary = withoutConcepts(m.Dictionary, gone)
	less.Names = m.Names.without(gone)
	less.Contexts = m.Contexts.without(gone)
	return &less
}

func withoutConcepts(dict *ctxnorm.Dictionary, gone func(ctxnorm.ConceptID) bool) *ctxnorm.Dictionary {
	var concepts []ctxnorm.Concept
	for i := range dict.Len() {
		c := *dict.At(i)
		if gone(c.ID) {
			continue
		}
		c.Parents = remaining(dict, &c, gone)
		concepts = append(concepts, c)
	}
	return ctxnorm.NewDictionary(concepts)
}

// remaining are the nearest concepts above c that are not gone, up every way.
func remaining(dict *ctxnorm.Dictionary, c *ctxnorm.Concept, gone func(ctxnorm.ConceptID) bool) []ctxnorm.ConceptID {
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

// without keeps the rows that have an owner left, without their other owners.
func (r *Rows) without(gone func(ctxnorm.ConceptID) bool) Rows {
	var less Rows
	if r.Vectors != nil {
		less.Vectors = &knnindex.Vectors{Dim: r.Vectors.Dim}
	}
	for row := range r.Exemplars {
		ex := r.Exemplars[row]
		ex.Mention.Concepts = slices.DeleteFunc(slices.Clone(ex.Mention.Concepts), gone)
		if len(ex.Mention.Concepts) == 0 {
			continue
		}
		less.Exemplars = append(less.Exemplars, ex)
		if r.Vectors != nil {
			less.Vectors.Data = append(less.Vectors.Data, r.Vectors.Row(row)...)
		}
	}
	if r.Vectors != nil {
		less.Index = knnindex.NewFlat(less.Vectors)
	}
	return less
}
