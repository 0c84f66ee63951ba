package model

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

func TestHoldOutReplacesParents(t *testing.T) {
	// C and E are held out: D gets the parents A and B, and F gets A once, though two paths
	// lead there.
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
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("parents (-want +got):\n%s", diff)
	}
}

// TestHoldOutEqualsSmallerBuild compares a model from which a concept is held out with
// one that was built without it.
func TestHoldOutEqualsSmallerBuild(t *testing.T) {
	encoder := linktest.GutEncoder()
	mined := []mine.Synonym{
		{Concept: "G1", Text: "wheat belly", Count: 3, Origin: text.Origin{Mined: "gloss"}},
		{Concept: "G2", Text: "aspirin belly", Count: 2, Origin: text.Origin{Mined: "gloss"}},
	}
	m := open(t, buildGut(t, encoder, func(o *BuildOptions) { o.CorpusSynonyms = mined }), encoder)
	smaller := m.HoldOut(func(id kb.ConceptID) bool { return id == "G2" })
	want := open(t, buildGut(t, encoder, func(o *BuildOptions) {
		o.Dictionary = kb.NewDictionary([]kb.Concept{*linktest.GutDictionary().At(0), {ID: "G3"}})
		tagger, _, err := matcher.NewTagger(o.Dictionary, matcher.DefaultNameFilter())
		if err != nil {
			t.Fatal(err)
		}
		all := o.Contexts
		o.Contexts, o.CorpusSynonyms = nil, mined
		for _, ex := range all {
			if ex.Mention.Concepts[0] == "G1" {
				o.Contexts = append(o.Contexts, ex)
			}
		}
		o.Tagger = tagger
	}), encoder)
	if got, want := smaller.Dictionary.Hash(), want.Dictionary.Hash(); got != want {
		t.Errorf("dictionary %s, want %s", got, want)
	}
	for _, rows := range []struct {
		what        string
		got, want   *ExemplarIndex
		gotV, wantV *VectorIndex
	}{
		{"names", &smaller.Names, &want.Names, &smaller.Vectors.Names, &want.Vectors.Names},
		{"contexts", &smaller.Contexts, &want.Contexts, &smaller.Vectors.Contexts, &want.Vectors.Contexts},
	} {
		if diff := cmp.Diff(exemplars(t, rows.want), exemplars(t, rows.got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", rows.what, diff)
		}
		if diff := cmp.Diff(rows.wantV.Vectors.Data, rows.gotV.Vectors.Data); diff != "" {
			t.Errorf("vectors of %s (-want +got):\n%s", rows.what, diff)
		}
	}
}

// A name of two concepts remains if one of them is held out.
func TestHoldOutKeepsSharedNames(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{{ID: "A"}, {ID: "B"}})
	rows := must(newExemplarIndex(dict, []text.Exemplar{text.NameExemplar("cold", "A", "B"), text.NameExemplar("flu", "A")}))
	smaller, _ := rows.reduce([]int32{-1, 0}, func(id kb.ConceptID) bool { return id == "A" }, everyRow.name)
	remaining := exemplars(t, &smaller)
	if len(remaining) != 1 || cmp.Diff([]kb.ConceptID{"B"}, remaining[0].Mention.Concepts) != "" {
		t.Errorf("rows are %+v, want cold of B", remaining)
	}
	if diff := cmp.Diff([]int32{0}, smaller.concepts.of(0)); smaller.Len() != 1 || diff != "" {
		t.Errorf("%d rows, concepts (-want +got):\n%s", smaller.Len(), diff)
	}
	if len(exemplars(t, &rows)[0].Mention.Concepts) != 2 {
		t.Error("the whole model has lost a concept")
	}
}
