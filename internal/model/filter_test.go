package model

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/kb"
)

// A filter leaves out concepts, names, and the contexts of both.
func TestFilter(t *testing.T) {
	encoder := linktest.GutEncoder()
	m := open(t, buildGut(t, encoder, nil), encoder)
	for _, c := range []struct {
		filter   kb.Filter
		names    []string
		contexts []string // mentions, each once
	}{
		{kb.Filter{}, []string{"coeliac disease", "gastric ulcer", "gluten enteropathy"}, []string{"coeliac disease", "gastric ulcer", "gluten enteropathy"}},
		{kb.Filter{Only: []kb.ConceptID{"G2"}}, []string{"gastric ulcer"}, []string{"gastric ulcer"}},
		{kb.Filter{Without: []kb.ConceptID{"G2"}}, []string{"coeliac disease", "gluten enteropathy"}, []string{"coeliac disease", "gluten enteropathy"}},
		{kb.Filter{StopNames: []string{"Coeliac  Disease"}}, []string{"gastric ulcer", "gluten enteropathy"}, []string{"gastric ulcer", "gluten enteropathy"}},
	} {
		smaller, _, err := m.Filter(c.filter)
		if err != nil {
			t.Fatal(err)
		}
		var names, contexts []string
		for _, list := range []struct {
			rows    *ExemplarIndex
			vectors *VectorIndex
			to      *[]string
		}{{&smaller.Names, &smaller.Vectors.Names, &names}, {&smaller.Contexts, &smaller.Vectors.Contexts, &contexts}} {
			exemplars := must(list.rows.Exemplars())
			if list.rows.Len() != len(exemplars) || list.vectors.Vectors.Len() != len(exemplars) {
				t.Errorf("%+v: %d rows, %d exemplars and %d vectors", c.filter, list.rows.Len(), len(exemplars), list.vectors.Vectors.Len())
			}
			for i := range exemplars {
				if surface := exemplars[i].Surface(); !slices.Contains(*list.to, surface) {
					*list.to = append(*list.to, surface)
				}
			}
		}
		slices.Sort(names)
		slices.Sort(contexts)
		if diff := cmp.Diff(c.names, names); diff != "" {
			t.Errorf("%+v: names (-want +got):\n%s", c.filter, diff)
		}
		if diff := cmp.Diff(c.contexts, contexts); diff != "" {
			t.Errorf("%+v: contexts (-want +got):\n%s", c.filter, diff)
		}
		tagger := must(smaller.Tagger())
		if _, concepts := tagger.LookupLongForm("gastric ulcer"); (concepts != nil) != slices.Contains(c.names, "gastric ulcer") {
			t.Errorf("%+v: the tagger finds gastric ulcer of %v", c.filter, concepts)
		}
	}
}
