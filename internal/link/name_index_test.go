package link

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// TestFilterKeepsProbability: removing other concepts, even all edges, makes the first candidate no less probable.
func TestFilterKeepsProbability(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "K", Name: "kidney disease", Synonyms: []string{"renal disease", "nephropathy"}},
		{ID: "K1", Name: "kidney failure", Synonyms: []string{"renal failure"}, Parents: []kb.ConceptID{"K"}},
		{ID: "K2", Name: "kidney stone", Synonyms: []string{"renal stone"}, Parents: []kb.ConceptID{"K"}},
		{ID: "K3", Name: "kidney cyst", Synonyms: []string{"renal cyst"}, Parents: []kb.ConceptID{"K"}},
		{ID: "V", Name: "vascular disorder", Synonyms: []string{"vascular disease"}},
		{ID: "V1", Name: "hypertension", Synonyms: []string{"high blood pressure", "hypertensive disease"},
			Parents: []kb.ConceptID{"V"}},
	})
	m := model.OfDictionary(dict, "kidney.tsv")
	first := func(m *model.Model, q text.Query) Ranking {
		r := must.Get(newRanker(m, MethodOptions{}))
		rankings, err := r.Link(t.Context(), []text.Query{q}, 1)
		if err != nil || len(rankings[0].Candidates) == 0 {
			t.Fatalf("%s: %v, %v", q.Surface(), rankings, err)
		}
		return rankings[0]
	}
	for mention, want := range map[string]kb.ConceptID{
		"hypertensive disorder": "V1", "stones of the kidney": "K2", "renal cysts": "K3", "nephropathies": "K",
	} {
		q := fixtures.Query(t, "<"+mention+">")
		all := first(m, q).Candidates[0]
		must.Equal(t, all.Concept, want, mention)
		for _, others := range [][]kb.ConceptID{{}, {"V"}, {"K"}, {"K1", "V1"}} {
			only := append(others, want)
			filtered, _, err := m.Filter(kb.Filter{Only: only})
			must.Succeed(t, err)
			if got := first(filtered, q).Candidates[0]; got.Concept != want || got.Probability < all.Probability-1e-9 {
				t.Errorf("%s of %v is %s at %.3f, of all %s at %.3f", mention, only, got.Concept, got.Probability, want,
					all.Probability)
			}
		}
	}
}

// TestFilteredNameIndex: filters, even two, do not change the weights of words, and searches find no removed row.
func TestFilteredNameIndex(t *testing.T) {
	m := modeltest.Open(t, modeltest.Build(t, nil, modeltest.Ulcer), nil)
	filtered, _, err := m.Filter(kb.Filter{Without: []kb.ConceptID{"G1"}})
	must.Succeed(t, err)
	if filtered, _, err = filtered.Filter(kb.Filter{Only: []kb.ConceptID{"G2"}}); err != nil {
		t.Fatal(err)
	}
	all, part := must.Get(NewNameIndex(m)), must.Get(NewNameIndex(filtered))
	for row := range m.Names.Len() {
		for _, word := range normalize.ContentWords(m.Names.Text(int32(row))) {
			words := part.words.Mention([]string{word})
			_, weight := part.words.WeightUnknown(words)
			if _, want := all.words.WeightUnknown(all.words.Mention([]string{word})); weight != want {
				t.Errorf("%s weighs %v, want %v", word, weight, want)
			}
			for _, row := range part.words.WithAllOf(words) {
				if int(row) >= filtered.Names.Len() {
					t.Errorf("%q is in row %d of %d", word, row, filtered.Names.Len())
				}
			}
		}
	}
}
