package papers

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb"
)

func TestLexicalLinkerLeavesOutOpposites(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "H1", Name: "hypertension", Synonyms: []string{"high blood pressure"}}, {ID: "H2", Name: "type 1 diabetes mellitus"},
		{ID: "H3", Name: "left heart failure"}, {ID: "H4", Name: "vitamin B12 deficiency"}, {ID: "H5", Name: "acute hepatitis B"},
		{ID: "H6", Name: "oliguria"},
	})
	m, err := model.OfDictionary(dict, "")
	if err != nil {
		t.Fatal(err)
	}
	linker, err := newLexical(link.Source{Model: m}, link.MethodOptions{MinScore: .6})
	if err != nil {
		t.Fatal(err)
	}
	for mention, want := range map[string]kb.ConceptID{
		"hypotension": "", "low blood pressure": "", "type II diabetes mellitus": "", "right heart failure": "",
		"vitamin B6 deficiency": "", "chronic hepatitis B": "", "acute hepatitis C": "", "polyuria": "",
		"hypertensions": "H1", "high blood pressures": "H1", "type I diabetes mellitus": "H2", "left-heart failure": "H3",
		"deficiency of vitamin B12": "H4", "hepatitis B": "H5",
	} {
		rankings := linkTexts(t, linker, 2, "<"+mention+">")
		var got kb.ConceptID
		if ids := conceptIDs(rankings[0]); len(ids) > 0 {
			got = ids[0]
		}
		if got != want {
			t.Errorf("%s: %q, want %q", mention, got, want)
		}
	}
}

// TestNamesOfTheSameWords: of concepts whose names have the mention's words, the one that has them as they are written,
// or in more names, is the first.
func TestNamesOfTheSameWords(t *testing.T) {
	m, err := model.OfDictionary(kb.NewDictionary([]kb.Concept{
		{ID: "A1", Name: "dermatitis, atopic, 1", Synonyms: []string{"dermatitis, atopic"}},
		{ID: "A2", Name: "atopic dermatitis", Synonyms: []string{"dermatitis, atopic", "atopic dermatitides"}},
		{ID: "D1", Name: "diseases"}, {ID: "D2", Name: "disease"},
	}), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lexical", "exact"} {
		linker := linkerOf(t, m, name, false)
		for mention, want := range map[string]kb.ConceptID{
			"Disease": "D2", "diseases": "D1", "dermatitis, atopic": "A2", "atopic dermatitis": "A2",
		} {
			rankings := linkTexts(t, linker, 1, "<"+mention+">")
			if first := rankings[0].Candidates[0].Concept; first != want {
				t.Errorf("%s, %s: %s is first, want %s", name, mention, first, want)
			}
		}
	}
}
