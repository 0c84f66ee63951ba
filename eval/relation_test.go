package eval

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

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
		{ids{"heart"}, "I21", goldBroader}, // by its alternative ID
		{ids{"rhythm"}, "infarct", sibling},
		{ids{"lung"}, "heart", sibling},
		{ids{"infarct"}, "valve", sameBranch},
		{ids{"asthma"}, "infarct", unrelated}, // only the root is in common
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

// TestRelations counts the table of helper_test.go. The first candidate for AD, twice,
// is not in the hierarchy; that for sideropenia is above the gold concept; the gold
// concept of "rare fever" is not in the dictionary. NIL for anaemia and the candidate
// for a mention outside the set have no relation.
func TestRelations(t *testing.T) {
	set := smallSet()
	gold := smallGold(t, set)
	predictions := smallPredictions(t, smallLinker(), gold.Mentions, set)
	for policy, want := range map[string][]string{
		"paper":  {"incomplete composite 0/9, 0 nameless", "gold narrower 1/9, 1 nameless", "gold broader 0/9, 0 nameless", "sibling 0/9, 0 nameless", "same branch 0/9, 0 nameless", "not in hierarchy 2/9, 0 nameless", "unrelated 0/9, 0 nameless", "gold not in dictionary 1/9, 0 nameless"},
		"strict": {"incomplete composite 1/10, 0 nameless", "gold narrower 1/10, 1 nameless", "gold broader 0/10, 0 nameless", "sibling 0/10, 0 nameless", "same branch 0/10, 0 nameless", "not in hierarchy 2/10, 0 nameless", "unrelated 0/10, 0 nameless", "gold not in dictionary 1/10, 0 nameless"},
	} {
		var got []string
		for _, row := range Relations(predictions, mustPolicy(t, policy), NewDictionaryView(smallDictionary(), set)) {
			got = append(got, fmt.Sprintf("%s %d/%d, %d nameless", row.Relation, row.Mentions, row.Total, row.Nameless))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", policy, diff)
		}
	}
	flat := kb.NewDictionary([]kb.Concept{{ID: "M3", Name: "anemia"}})
	if rows := Relations(predictions, mustPolicy(t, "paper"), NewDictionaryView(flat, set)); rows != nil {
		t.Errorf("without a hierarchy: %v, want nil", rows)
	}
}
