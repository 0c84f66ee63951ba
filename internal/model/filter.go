package model

import (
	"context"
	"slices"
	"sync"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Filter returns a copy of the model without the concepts and names that a filter leaves out, as if the dictionary had
// never had them: they are not candidates, probabilities are spread over the remaining candidates and NIL, and the
// tagger does not look for them. All names still determine the weights of words and the word synonyms: see
// [Model.LeftOut]. [Model.HoldOut] explains what happens to the hierarchy and how the copy depends on m. With
// StopNames, Filter reads the contexts and drops those of stop names; an error names the file.
func (m *Model) Filter(f kb.Filter) (*Model, kb.FilterReport, error) {
	dict, report := f.Apply(m.Dictionary)
	keep := everyRow
	if len(f.StopNames) > 0 {
		stopped := f.StopsName()
		contexts, err := m.Contexts.Exemplars()
		if err != nil {
			return nil, report, err
		}
		keep = rowFilter{
			name: func(row int) bool { return !stopped(m.Names.Text(int32(row))) },
			context: func(row int) bool {
				return !stopped(contexts[row].Surface()) && !stopped(contexts[row].Mention.LongForm)
			},
		}
	}
	heldOut := func(id kb.ConceptID) bool { return lacksConcept(dict, id) }
	smaller, names := m.reduce(holdOutConcepts(m.Dictionary, dict, heldOut), keep)
	smaller.tagger = lazyTagger(smaller.Dictionary, smaller.Dictionary, smaller.corpusSynonyms)
	all := m.dictionaryIndexes
	smaller.dictionaryIndexes = newDictionaryIndexes(context.Background(), smaller.Dictionary, func() [][]string {
		return append(namesWithout(all.Dictionary, smaller.Dictionary), all.leftOut()...)
	})
	smaller.hierarchical = m.HasHierarchy()
	smaller.leftOut = sync.OnceValues(func() ([]text.Exemplar, error) { return m.namesWithout(names) })
	return smaller, report, nil
}

// HasHierarchy reports whether the dictionary has a hierarchy, or had one before a filter.
func (m *Model) HasHierarchy() bool { return m.hierarchical || kb.HasHierarchy(m.Dictionary) }

// LeftOut returns the names that [Model.Filter] left out, or nil if the model has no filter. The slice must not be
// modified.
func (m *Model) LeftOut() ([]text.Exemplar, error) {
	if m.leftOut == nil {
		return nil, nil
	}
	return m.leftOut()
}

// namesWithout returns the names of the model, including those that it left out, except the kept rows. kept is
// ascending.
func (m *Model) namesWithout(kept []int) ([]text.Exemplar, error) {
	leftOut, err := m.LeftOut()
	if err != nil {
		return nil, err
	}
	leftOut = slices.Clip(leftOut)
	for row := range m.Names.Len() {
		if _, found := slices.BinarySearch(kept, row); !found {
			leftOut = append(leftOut, m.Names.name(int32(row)))
		}
	}
	return leftOut, nil
}
