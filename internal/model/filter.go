package model

import "github.com/ctxnorm/ctxnorm/kb"

// Filter returns a copy of the model without the concepts and names that a filter leaves out, as
// if the dictionary had never had them: they are no candidates, the probabilities are of what
// is left and of NIL, and the tagger does not look for them. [Model.HoldOut] says what becomes
// of the hierarchy, and how the copy depends on m. With StopNames it reads the contexts, as
// those in which a stop name stands are left out; an error names the file.
func (m *Model) Filter(f kb.Filter) (*Model, kb.FilterReport, error) {
	dict, report := f.Apply(m.Dictionary)
	keep := everyRow
	if len(f.StopNames) > 0 {
		stopped := f.StopsName()
		contexts, err := m.Contexts.Exemplars()
		if err != nil {
			return nil, report, err
		}
		names, err := m.Names.Exemplars()
		if err != nil {
			return nil, report, err
		}
		keep = rowFilter{
			name: func(row int) bool { return !stopped(names[row].Text) },
			context: func(row int) bool {
				return !stopped(contexts[row].Surface()) && !stopped(contexts[row].Mention.LongForm)
			},
		}
	}
	heldOut := func(id kb.ConceptID) bool { return dict.Lookup(id) == nil }
	smaller := m.reduce(holdOutConcepts(m.Dictionary, dict, heldOut), heldOut, keep)
	smaller.tagger = lazyTagger(smaller.Dictionary)
	return smaller, report, nil
}
