package sapbert

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// TestLinker: the context has no say, each concept comes once, by its nearest name, and no more
// than k come.
func TestLinker(t *testing.T) {
	encoder := linktest.GutEncoder()
	m := modeltest.Open(t, modeltest.Build(t, encoder, nil), encoder)
	linker, err := NewLinker(m)
	if err != nil {
		t.Fatal(err)
	}
	queries := []text.Query{linktest.Query(t, "aspirin and <enteropathy>"), linktest.Query(t, "wheat and <ulcer>")}
	results, err := linker.Link(t.Context(), queries, 2)
	if err != nil {
		t.Fatal(err)
	}
	bare, err := linker.Link(t.Context(), []text.Query{linktest.Query(t, "<enteropathy>"), linktest.Query(t, "<ulcer>")}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(bare, results); diff != "" {
		t.Errorf("with another context (-without +with):\n%s", diff)
	}
	for i, want := range []kb.ConceptID{"G1", "G2"} {
		got := results[i].Candidates
		if len(got) != 2 || got[0].Concept != want || got[0].Concept == got[1].Concept || got[0].Score < got[1].Score {
			t.Errorf("query %d: candidates %+v, want two distinct ones with %s first", i, got, want)
		}
	}
	if _, err := NewLinker(modeltest.Open(t, modeltest.Build(t, nil, nil), nil)); !errors.Is(err, model.ErrNoVectors) {
		t.Errorf("without an encoder the error is %v, want ErrNoVectors", err)
	}
}
