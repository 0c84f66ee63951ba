package model

import (
	"maps"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// LabeledNames are the names of a model with their concepts in the dictionary and those that labeled
// mentions of the same normal form have. A labeled mention that is a name of another concept is no
// name of its own: annotators label "dyskinesia" as drug-induced dyskinesia.
type LabeledNames struct {
	model *Model
	more  map[int32][]int32 // row of a name -> its concepts, where labels add any
}

// LabeledNames returns the names of the model with the concepts of labels. It returns an error if the
// folder of the model is damaged.
func (m *Model) LabeledNames() (*LabeledNames, error) {
	names := &LabeledNames{m, make(map[int32][]int32)}
	if !m.hasLabels() {
		return names, nil
	}
	exemplars, err := m.Names.Exemplars()
	if err != nil {
		return nil, err
	}
	for row := range exemplars {
		own := m.Names.Concepts(int32(row))
		all := slices.Clone(own)
		form := normalize.Normal(exemplars[row].Surface())
		for _, concept := range slices.Sorted(maps.Keys(m.LabelsOf(form))) {
			if !slices.Contains(own, concept) {
				all = append(all, concept)
			}
		}
		if slices.Sort(all); len(all) > len(own) {
			names.more[int32(row)] = all
		}
	}
	return names, nil
}

// Concepts returns the concepts of the name in a row, in the order of their IDs.
func (n *LabeledNames) Concepts(row int32) []int32 {
	if all, ok := n.more[row]; ok {
		return all
	}
	return n.model.Names.Concepts(row)
}
