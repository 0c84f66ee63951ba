package link

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
	"ctxnorm/matcher"
	"ctxnorm/mine"
)

func TestWithoutHangsConceptsHigher(t *testing.T) {
	// C and E are gone: D hangs from A and B, F from A once, though two ways lead there.
	dict := ctxnorm.NewDictionary([]ctxnorm.Concept{
		{ID: "A"}, {ID: "B"},
		{ID: "C", Parents: []ctxnorm.ConceptID{"A", "B"}},
		{ID: "D", Parents: []ctxnorm.ConceptID{"C"}},
		{ID: "E", Parents: []ctxnorm.ConceptID{"A", "E2"}}, {ID: "E2", Parents: []ctxnorm.ConceptID{"E"}}, // a cycle
		{ID: "F", Parents: []ctxnorm.ConceptID{"E", "A", "not there"}},
	})
	gone := func(id ctxnorm.ConceptID) bool { return id == "C" || id[0] == 'E' }
	got := make(map[ctxnorm.ConceptID][]ctxnorm.ConceptID)
	less := holdOutConcepts(dict, gone)
	for i := range less.Len() {
		got[less.At(i).ID] = less.At(i).Parents
	}
	want := map[ctxnorm.ConceptID][]ctxnorm.ConceptID{"A": nil, "B": nil, "D": {"A", "B"}, "F": {"A"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("parents (-want +got):\n%s", diff)
	}
}

// TestWithoutIsAModelBuiltWithout holds the smaller model against one that was built
// without the concept.
func TestWithoutIsAModelBuiltWithout(t *testing.T) {
	encoder := gutEncoder()
	mined := []mine.Synonym{
		{Concept: "G1", Text: "wheat belly", Count: 3, Source: "gloss"},
		{Concept: "G2", Text: "aspirin belly", Count: 2, Source: "gloss"},
	}
	m := open(t, buildGut(t, encoder, mined...), encoder)
	less := m.Without(func(id ctxnorm.ConceptID) bool { return id == "G2" })
	want := open(t, buildGutWith(t, encoder, func(o *BuildOptions) {
		o.Dictionary = ctxnorm.NewDictionary([]ctxnorm.Concept{*gutDictionary().At(0), {ID: "G3"}})
		tagger, _, err := matcher.NewTagger(o.Dictionary, matcher.DefaultClean())
		if err != nil {
			t.Fatal(err)
		}
		whole, err := m.Tagger()
		if err != nil {
			t.Fatal(err)
		}
		o.Contexts, o.Mined = nil, mined
		for _, ex := range gutContexts(t, whole) {
			if ex.Mention.Concepts[0] == "G1" {
				o.Contexts = append(o.Contexts, ex)
			}
		}
		o.Tagger = tagger
	}), encoder)
	if got, want := less.Dictionary.Hash(), want.Dictionary.Hash(); got != want {
		t.Errorf("dictionary %s, want %s", got, want)
	}
	for _, rows := range []struct {
		what      string
		got, want *Rows
	}{{"names", &less.Names, &want.Names}, {"contexts", &less.Contexts, &want.Contexts}} {
		if diff := cmp.Diff(exemplars(t, rows.want), exemplars(t, rows.got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", rows.what, diff)
		}
		if diff := cmp.Diff(rows.want.Vectors.Data, rows.got.Vectors.Data); diff != "" {
			t.Errorf("vectors of %s (-want +got):\n%s", rows.what, diff)
		}
	}
	queries := []ctxnorm.Query{query(t, "aspirin and <gastric ulcer>"), query(t, "<coeliac disease> and wheat")}
	less.Calibration = want.Calibration
	var answers [2][][]ctxnorm.Candidate
	for i, model := range []*Model{less, want} {
		r, err := NewRanker(model, RankOptions{Evidence: true})
		if err != nil {
			t.Fatal(err)
		}
		if answers[i], err = r.Link(t.Context(), queries, 5); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(answers[1], answers[0]); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}

// A name of two concepts stays when one of them is gone.
func TestWithoutKeepsSharedNames(t *testing.T) {
	dict := ctxnorm.NewDictionary([]ctxnorm.Concept{{ID: "A"}, {ID: "B"}})
	rows, err := newExemplarIndex(dict, []ctxnorm.Exemplar{ctxnorm.NameExemplar("cold", "A", "B"), ctxnorm.NameExemplar("flu", "A")})
	if err != nil {
		t.Fatal(err)
	}
	less := rows.holdOut([]int32{-1, 0}, func(id ctxnorm.ConceptID) bool { return id == "A" })
	left := exemplars(t, &less)
	if len(left) != 1 || cmp.Diff([]ctxnorm.ConceptID{"B"}, left[0].Mention.Concepts) != "" {
		t.Errorf("rows left: %+v, want cold of B", left)
	}
	if diff := cmp.Diff([]int32{0}, less.concepts.of(0)); less.Len() != 1 || diff != "" {
		t.Errorf("%d rows, owners (-want +got):\n%s", less.Len(), diff)
	}
	if len(exemplars(t, &rows)[0].Mention.Concepts) != 2 {
		t.Error("the whole model has lost an owner")
	}
}
