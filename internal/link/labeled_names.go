package link

import (
	"maps"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// labeledNames are the names of a model with their concepts in the dictionary and those that labeled
// mentions of the same normal form have. A labeled mention that is a name of another concept is no name of its own:
// annotators label "dyskinesia" as drug-induced dyskinesia.
type labeledNames struct {
	model *model.Model
	more  map[int32][]int32 // row of a name -> its concepts, where labels add any
}

// newLabeledNames returns the names of a model, given the normal form of each.
func newLabeledNames(m *model.Model, forms []string) *labeledNames {
	names := &labeledNames{m, make(map[int32][]int32)}
	for row, form := range forms {
		own := m.Names.Concepts(int32(row))
		all := slices.Clone(own)
		for _, concept := range slices.Sorted(maps.Keys(m.LabelsOf(form))) {
			if !slices.Contains(own, concept) {
				all = append(all, concept)
			}
		}
		if slices.Sort(all); len(all) > len(own) {
			names.more[int32(row)] = all
		}
	}
	return names
}

// concepts returns the concepts of the name in a row, in the order of their IDs.
func (n *labeledNames) concepts(row int32) []int32 {
	if all, ok := n.more[row]; ok {
		return all
	}
	return n.model.Names.Concepts(row)
}

func normalForms(names []text.Exemplar) []string {
	forms := make([]string, len(names))
	for i := range names {
		forms[i] = normalize.Normal(names[i].Surface())
	}
	return forms
}
