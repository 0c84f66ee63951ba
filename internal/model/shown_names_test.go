package model

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// written returns contexts in which a concept is written in these ways.
func written(id kb.ConceptID, surfaces ...string) []text.Exemplar {
	var contexts []text.Exemplar
	for _, surface := range surfaces {
		ex := text.NameExemplar(surface, id)
		ex.Bare = false
		contexts = append(contexts, ex)
	}
	return contexts
}

func TestShownNames(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "D1", Synonyms: []string{"coad", "chronic obstructive pulmonary disease", "copd"}},
		{ID: "D2", Name: "asthma", Synonyms: []string{"bronchial asthma"}}, // its name is marked
		{ID: "D3", Synonyms: []string{"flu, seasonal", "influenza"}},       // nowhere written
		{ID: "D4", Synonyms: []string{"gout", "podagra"}},
		{ID: "D5", Synonyms: []string{"river fever"}}, // written in other words
	})
	contexts := written("D1", "COPD", "coad", "COPD", "copd", "chronic obstructive pulmonary disease")
	contexts = append(contexts, written("D2", "bronchial asthma")...)
	contexts = append(contexts, written("D4", "podagra", "gout")...)
	contexts = append(contexts, written("D5", "river fevers")...)
	ambiguous := text.NameExemplar("podagra", "D4", "D1")
	ambiguous.Bare = false
	got := withShownNames(dict, append(contexts, ambiguous))
	for id, want := range map[kb.ConceptID]string{"D1": "COPD", "D2": "asthma", "D3": "influenza", "D4": "gout", "D5": "river fever"} {
		if name := got.Lookup(id).PreferredName(); name != want {
			t.Errorf("%s is shown as %q, want %q", id, name, want)
		}
	}
	if got.Hash() != dict.Hash() {
		t.Error("the names that mentions are linked by have changed")
	}
	if fraction := got.Fraction(.5, 1).Lookup("D1").PreferredName(); fraction != "COPD" {
		t.Errorf("a fraction shows %q, want COPD", fraction)
	}
}
