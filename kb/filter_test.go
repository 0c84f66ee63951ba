package kb

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

func TestFilter(t *testing.T) {
	d := NewDictionary([]Concept{
		{ID: "A", Name: "disease", Types: []string{"T1"}},
		{ID: "B", Name: "infection", Synonyms: []string{"Cold  Sore", "lead"}, Types: []string{"T1", "T2"}, Parents: []ConceptID{"A"}, AltIDs: []ConceptID{"B0"}},
		{ID: "C", Name: "flu", Parents: []ConceptID{"B"}},
		{ID: "D", Name: "swine flu", Parents: []ConceptID{"C"}},
		{ID: "E", Name: "lead", Types: []string{"T3"}, Parents: []ConceptID{"F"}},
		{ID: "F", Name: "metal", Parents: []ConceptID{"E"}}, // a cycle
	})
	for name, test := range map[string]struct {
		filter Filter
		ids    []ConceptID
		names  []string
		report FilterReport
	}{
		"all": {
			Filter{}, []ConceptID{"A", "B", "C", "D", "E", "F"},
			[]string{"disease", "infection", "Cold  Sore", "lead", "flu", "swine flu", "lead", "metal"}, FilterReport{Concepts: 6},
		},
		"types": {
			Filter{Types: []string{"T2", "T3", "T9"}}, []ConceptID{"B", "E"},
			[]string{"infection", "Cold  Sore", "lead", "lead"}, FilterReport{Concepts: 2, Dropped: 4, UnknownTypes: []string{"T9"}},
		},
		"only, by an alternative id, with descendants": {
			Filter{Only: []ConceptID{"B0", "X"}}, []ConceptID{"B", "C", "D"},
			[]string{"infection", "Cold  Sore", "lead", "flu", "swine flu"}, FilterReport{Concepts: 3, Dropped: 3, UnknownIDs: []ConceptID{"X"}},
		},
		"without, in a cycle": {
			Filter{Only: []ConceptID{"A", "E"}, Without: []ConceptID{"C", "F"}}, []ConceptID{"A", "B"},
			[]string{"disease", "infection", "Cold  Sore", "lead"}, FilterReport{Concepts: 2, Dropped: 4},
		},
		"stop names": {
			Filter{StopNames: []string{"LEAD", "cold sore", "none"}}, []ConceptID{"A", "B", "C", "D", "E", "F"},
			[]string{"disease", "infection", "flu", "swine flu", "metal"}, FilterReport{Concepts: 6, Names: 3, UnknownNames: []string{"none"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, report := test.filter.Apply(d)
			var ids []ConceptID
			var names []string
			for _, c := range got.All() {
				ids = append(ids, c.ID)
				names = append(names, c.Names()...)
			}
			must.Equal(t, ids, test.ids, "concepts")
			must.Equal(t, names, test.names, "names")
			must.Equal(t, report, test.report, "report")
		})
	}
}
