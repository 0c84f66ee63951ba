package eval

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
)

// TestRelation uses this hierarchy:
//
//	    root
//	   /    \
//	heart    lung          loop1 <-> loop2
//	 |   \       |
//	valve muscle asthma      alone
//	       |   \
//	   rhythm  infarct
func TestRelation(t *testing.T) {
	type ids = []kb.ConceptID
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "root"}, {ID: "alone", Name: "alone"},
		{ID: "heart", Parents: ids{"root"}}, {ID: "lung", Parents: ids{"root"}},
		{ID: "valve", Parents: ids{"heart"}},
		{ID: "muscle", Parents: ids{"heart"}}, {ID: "asthma", Name: "asthma", Parents: ids{"lung"}},
		{ID: "rhythm", Parents: ids{"muscle"}}, {ID: "infarct", AltIDs: ids{"I21"}, Parents: ids{"muscle"}},
		{ID: "loop1", Parents: ids{"loop2"}}, {ID: "loop2", Parents: ids{"loop1"}},
	})
	set := DictionaryConceptSet(dict)
	view := NewDictionaryView(dict, set)
	for _, tc := range []struct {
		gold      ids
		predicted kb.ConceptID
		want      Relation
	}{
		{ids{"infarct"}, "muscle", goldNarrower},
		{ids{"infarct"}, "root", goldNarrower}, // at any distance
		{ids{"heart"}, "infarct", goldBroader},
		{ids{"heart"}, "I21", goldBroader}, // given by its alternative ID
		{ids{"rhythm"}, "infarct", sibling},
		{ids{"lung"}, "heart", sibling},
		{ids{"infarct"}, "valve", sameBranch},
		{ids{"asthma"}, "infarct", unrelated}, // only the root is common
		{ids{"alone"}, "infarct", notInHierarchy},
		{ids{"infarct"}, "alone", notInHierarchy},
		{ids{"alone", "asthma"}, "infarct", unrelated},
		{ids{"elsewhere"}, "infarct", goldNotInDictionary},
		{ids{"alone", "lung", "infarct"}, "heart", goldNarrower}, // several relations hold: the first one counts
		{ids{"lung", "elsewhere"}, "asthma", goldBroader},
		{ids{"heart", "lung"}, "heart", incompleteComposite},
		{ids{"loop1"}, "loop2", goldNarrower}, // each is an ancestor of the other
	} {
		prediction := Prediction{Mention: &GoldMention{Gold: tc.gold}, Ranked: []Candidate{{Concept: set.Canonical(tc.predicted)}}}
		if got, ok := view.Relation(&prediction); got != tc.want || !ok {
			t.Errorf("%q predicted for %q: %q, %v; want %q", tc.predicted, tc.gold, got, ok, tc.want)
		}
	}
}
