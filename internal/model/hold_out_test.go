package model

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

func TestHoldOutReplacesParents(t *testing.T) {
	// C and E are held out: D gets the parents A and B, and F gets A once, although two paths lead there.
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "A"}, {ID: "B"},
		{ID: "C", Parents: []kb.ConceptID{"A", "B"}},
		{ID: "D", Parents: []kb.ConceptID{"C"}},
		{ID: "E", Parents: []kb.ConceptID{"A", "E2"}}, {ID: "E2", Parents: []kb.ConceptID{"E"}}, // a cycle
		{ID: "F", Parents: []kb.ConceptID{"E", "A", "not there"}},
	})
	heldOut := func(id kb.ConceptID) bool { return id == "C" || id[0] == 'E' }
	got := make(map[kb.ConceptID][]kb.ConceptID)
	smaller := holdOutConcepts(dict, dict, heldOut)
	for i := range smaller.Len() {
		got[smaller.At(i).ID] = smaller.At(i).Parents
	}
	want := map[kb.ConceptID][]kb.ConceptID{"A": nil, "B": nil, "D": {"A", "B"}, "F": {"A"}}
	must.Equal(t, got, want, "parents")
}

// TestHoldOutEqualsSmallerBuild compares a model with a concept held out with a model that was built without it.
func TestHoldOutEqualsSmallerBuild(t *testing.T) {
	encoder := fixtures.GutEncoder()
	mined := []mine.Synonym{
		{Concept: "G1", Text: "wheat belly", Count: 3, Origin: text.Origin{Mined: "gloss"}},
		{Concept: "G2", Text: "aspirin belly", Count: 2, Origin: text.Origin{Mined: "gloss"}},
	}
	m := open(t, buildGut(t, encoder, func(o *BuildOptions) { o.CorpusSynonyms = mined }), encoder)
	smaller := m.HoldOut(func(id kb.ConceptID) bool { return id == "G2" })
	want := open(t, buildGut(t, encoder, func(o *BuildOptions) {
		o.Dictionary = kb.NewDictionary([]kb.Concept{*fixtures.GutDictionary().At(0), {ID: "G3"}})
		tagger, _, err := matcher.NewTagger(o.Dictionary, matcher.DefaultNameFilter())
		must.Succeed(t, err)
		all := o.Contexts
		o.Contexts, o.CorpusSynonyms = nil, mined
		for _, ex := range all {
			if ex.Mention.Concepts[0] == "G1" {
				o.Contexts = append(o.Contexts, ex)
			}
		}
		o.Tagger = tagger
	}), encoder)
	must.Equal(t, smaller.Dictionary.Hash(), want.Dictionary.Hash(), "dictionary")
	for _, rows := range []struct {
		what        string
		got, want   *ExemplarIndex
		gotV, wantV *VectorIndex
	}{
		{"names", &smaller.Names, &want.Names, &smaller.Vectors.Names, &want.Vectors.Names},
		{"contexts", &smaller.Contexts, &want.Contexts, &smaller.Vectors.Contexts, &want.Vectors.Contexts},
	} {
		must.Equal(t, exemplars(t, rows.got), exemplars(t, rows.want), rows.what)
		must.Equal(t, rows.gotV.Vectors.Data, rows.wantV.Vectors.Data, "vectors", rows.what)
	}
}

// A name of two concepts stays if one of them is held out, even if the other has its ID as an alternative ID.
func TestHoldOutKeepsSharedNames(t *testing.T) {
	for _, alternative := range [][]kb.ConceptID{nil, {"A"}} {
		dict := kb.NewDictionary([]kb.Concept{{ID: "A", Name: "cold", Synonyms: []string{"flu"}}, {ID: "B", Name: "Cold", AltIDs: alternative}})
		kept := kb.NewDictionary([]kb.Concept{{ID: "B", AltIDs: alternative}})
		rows := newNames(dict, nil)
		smaller, _ := rows.reduce(newPositions(dict, kept), kept, everyRow.name)
		remaining := exemplars(t, &smaller)
		if len(remaining) != 1 || cmp.Diff([]kb.ConceptID{"B"}, remaining[0].Mention.Concepts) != "" {
			t.Errorf("rows are %+v, want cold of B", remaining)
		}
		if diff := cmp.Diff([]int32{0}, smaller.Concepts(0)); smaller.Len() != 1 || diff != "" {
			t.Errorf("%d rows, concepts (-want +got):\n%s", smaller.Len(), diff)
		}
		must.Equal(t, len(exemplars(t, &rows)[0].Mention.Concepts), 2, "the whole model has lost a concept")
	}
}

// A filter drops concepts and names, and the contexts of both.
func TestFilter(t *testing.T) {
	encoder := fixtures.GutEncoder()
	m := open(t, buildGut(t, encoder, nil), encoder)
	for _, c := range []struct {
		filter   kb.Filter
		names    []string
		contexts []string // distinct mentions
	}{
		{kb.Filter{}, []string{"coeliac disease", "gastric ulcer", "gluten enteropathy"}, []string{"coeliac disease", "gastric ulcer", "gluten enteropathy"}},
		{kb.Filter{Only: []kb.ConceptID{"G2"}}, []string{"gastric ulcer"}, []string{"gastric ulcer"}},
		{kb.Filter{Without: []kb.ConceptID{"G2"}}, []string{"coeliac disease", "gluten enteropathy"}, []string{"coeliac disease", "gluten enteropathy"}},
		{kb.Filter{StopNames: []string{"Coeliac  Disease"}}, []string{"gastric ulcer", "gluten enteropathy"}, []string{"gastric ulcer", "gluten enteropathy"}},
	} {
		smaller, _, err := m.Filter(c.filter)
		must.Succeed(t, err)
		var names, contexts []string
		for _, list := range []struct {
			rows    *ExemplarIndex
			vectors *VectorIndex
			to      *[]string
		}{{&smaller.Names, &smaller.Vectors.Names, &names}, {&smaller.Contexts, &smaller.Vectors.Contexts, &contexts}} {
			exemplars := must.Get(list.rows.Exemplars())
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
		must.Equal(t, names, c.names, c.filter, "names")
		must.Equal(t, contexts, c.contexts, c.filter, "contexts")
		tagger := must.Get(smaller.Tagger())
		if _, concepts := tagger.LookupLongForm("gastric ulcer"); (concepts != nil) != slices.Contains(c.names, "gastric ulcer") {
			t.Errorf("%+v: the tagger finds gastric ulcer of %v", c.filter, concepts)
		}
	}
}
