package papers

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

func TestLexicalLinkerLeavesOutOpposites(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "H1", Name: "hypertension", Synonyms: []string{"high blood pressure"}}, {ID: "H2", Name: "type 1 diabetes mellitus"},
		{ID: "H3", Name: "left heart failure"}, {ID: "H4", Name: "vitamin B12 deficiency"}, {ID: "H5", Name: "acute hepatitis B"},
		{ID: "H6", Name: "oliguria"}, {ID: "H7", Name: "history of stroke"}, {ID: "H8", Name: "CD4+ T cell"},
		{ID: "H9", Name: "edema due to sepsis"}, {ID: "M1", Name: "hydroxyzine"}, {ID: "M2", Name: "hydralazine"},
		{ID: "M3", Name: "schizophrenia"}, {ID: "M4", Name: "asthma"}, {ID: "M5", Name: "gout"},
		{ID: "M6", Name: "heart attack"}, {ID: "M7", Name: "colitis", Synonyms: []string{"bacterial colitis"}},
	})
	m := model.OfDictionary(dict, "")
	linker := must.Get(newLexical(link.Source{Model: m}, link.MethodOptions{MinScore: .6}))
	for mention, want := range map[string]kb.ConceptID{
		"hypotension": "", "low blood pressure": "", "type II diabetes mellitus": "", "right heart failure": "",
		"vitamin B6 deficiency": "", "chronic hepatitis B": "", "acute hepatitis C": "", "polyuria": "",
		"stroke": "", "CD4- T cell": "", "CD4(+) T cells": "H8", "CD4-positive T cell": "H8",
		"sepsis due to edema": "", "edema caused by sepsis": "H9",
		"hydroxizine": "M1", "hydralizine": "M2", "hydralasine": "M2", "schizofrenia": "M3", "Astma": "M4", "asthna": "M4",
		"hypertensions": "H1", "high blood pressures": "H1", "type I diabetes mellitus": "H2", "left-heart failure": "H3",
		"gout attack": "M5", "asthma (mild intermittent)": "M4", "gout vaccine": "", "fear of gout": "", "viral colitis": "", "severe colitis": "M7",
		"deficiency of vitamin B12": "H4", "hepatitis B": "H5",
	} {
		rankings := linkTexts(t, linker, 2, "<"+mention+">")
		var got kb.ConceptID
		if ids := conceptIDs(rankings[0]); len(ids) > 0 {
			got = ids[0]
		}
		must.Equal(t, got, want, mention)
	}
}

// A mistyped name wins over a shorter name that the mention contains.
func TestContainedName(t *testing.T) {
	m := model.OfDictionary(kb.NewDictionary([]kb.Concept{
		{ID: "F1", Name: "fish malodor syndrome"}, {ID: "F2", Name: "fish"}, {ID: "F3", Name: "gout syndrome"},
		{ID: "F4", Name: "pseudohypoaldosteronism type IIA"}, {ID: "F5", Name: "type C"}, {ID: "F6", Name: "syndrome"},
	}), "")
	linker := linkerOf(t, m, "lexical", false)
	for mention, want := range map[string]kb.ConceptID{"fish mlaodor syndroem": "F1", "frequent fish": "F2"} {
		if got := conceptIDs(linkTexts(t, linker, 1, "<"+mention+">")[0]); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v, want %s", mention, got, want)
		}
	}
}

// A name that says more than the mention is not a certain match.
func TestLongerName(t *testing.T) {
	m := model.OfDictionary(kb.NewDictionary([]kb.Concept{
		{ID: "R1", Name: "bile reflux"}, {ID: "R2", Name: "wells syndrome"}, {ID: "R3", Name: "tumor of the liver"},
		{ID: "R7", Name: "homocysteinemia"},
		{ID: "R4", Name: "fever"}, {ID: "R5", Name: "hay fever"}, {ID: "R6", Name: "X-ray"},
	}), "")
	linker := linkerOf(t, m, "lexical", false)
	for mention, want := range map[string]bool{
		"reflux": false, "homocysteine": false, "homocysteinaemia": true, "well": false, "syndrome": false, "bile reflux": true, "liver tumors": true, "hay fevers": true, "fever": true,
		"xray": true,
	} {
		first := linkTexts(t, linker, 2, "<"+mention+">")[0].Candidates[0]
		must.Equal(t, first.Score >= linked.Certain, want, mention, first.Concept, first.Score, "certain")
	}
}

// TestNamesOfTheSameWords: among concepts that have names with the mention's words, the first is the one that has them
// as written, or in more names.
func TestNamesOfTheSameWords(t *testing.T) {
	m := model.OfDictionary(kb.NewDictionary([]kb.Concept{
		{ID: "A1", Name: "dermatitis, atopic, 1", Synonyms: []string{"dermatitis, atopic"}},
		{ID: "A2", Name: "atopic dermatitis", Synonyms: []string{"dermatitis, atopic", "atopic dermatitides"}},
		{ID: "D1", Name: "diseases"}, {ID: "D2", Name: "disease"},
		{ID: "E1", Name: "ano"}, {ID: "E2", Name: "año"}, {ID: "F1", Name: "CA"}, {ID: "F2", Name: "Ca"}, {ID: "F3", Name: "ca"},
	}), "")
	for _, name := range []string{"lexical", "exact"} {
		linker := linkerOf(t, m, name, false)
		for mention, want := range map[string]kb.ConceptID{
			"Disease": "D2", "diseases": "D1", "dermatitis, atopic": "A2", "atopic dermatitis": "A2",
			"ano": "E1", "año": "E2", "AÑO": "E2", "CA": "F1", "Ca": "F2", "ca": "F3",
		} {
			rankings := linkTexts(t, linker, 1, "<"+mention+">")
			must.Equal(t, rankings[0].Candidates[0].Concept, want, name, mention, "is first")
		}
	}
}
