package eval

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
)

// TestRelation has the tree
//
//	    root
//	   /    \
//	heart    lung          loop1 <-> loop2
//	 |   \       |
//	valve muscle asthma      alone
//	       |   \
//	   rhythm  infarct
func TestRelation(t *testing.T) {
	type ids = []ctxnorm.ConceptID
	dict := ctxnorm.NewDictionary([]ctxnorm.Concept{
		{ID: "root"}, {ID: "alone", Name: "alone"},
		{ID: "heart", Parents: ids{"root"}}, {ID: "lung", Parents: ids{"root"}},
		{ID: "valve", Parents: ids{"heart"}},
		{ID: "muscle", Parents: ids{"heart"}}, {ID: "asthma", Name: "asthma", Parents: ids{"lung"}},
		{ID: "rhythm", Parents: ids{"muscle"}}, {ID: "infarct", AltIDs: ids{"I21"}, Parents: ids{"muscle"}},
		{ID: "loop1", Parents: ids{"loop2"}}, {ID: "loop2", Parents: ids{"loop1"}},
	})
	all := DictionaryIDs(dict)
	k := NewKnown(dict, all)
	for _, tc := range []struct {
		gold     ids
		answered ctxnorm.ConceptID
		want     Relation
	}{
		{ids{"infarct"}, "muscle", GoldNarrower},
		{ids{"infarct"}, "root", GoldNarrower}, // at any distance
		{ids{"heart"}, "infarct", GoldBroader},
		{ids{"heart"}, "I21", GoldBroader}, // by its other ID
		{ids{"rhythm"}, "infarct", Sibling},
		{ids{"lung"}, "heart", Sibling},
		{ids{"infarct"}, "valve", SameBranch},
		{ids{"asthma"}, "infarct", Unrelated}, // the root alone in common
		{ids{"alone"}, "infarct", OffTree},
		{ids{"infarct"}, "alone", OffTree},
		{ids{"alone", "asthma"}, "infarct", Unrelated},
		{ids{"elsewhere"}, "infarct", GoldAbsent},
		{ids{"alone", "lung", "infarct"}, "heart", GoldNarrower}, // of several the nearest kind
		{ids{"lung", "elsewhere"}, "asthma", GoldBroader},
		{ids{"heart", "lung"}, "heart", PartMissing},
		{ids{"loop1"}, "loop2", GoldNarrower}, // each is above the other
	} {
		answer := Answer{Item: &Item{Gold: tc.gold}, Concepts: ids{all.Canonical(tc.answered)}}
		if got := k.relation(&answer); got != tc.want {
			t.Errorf("%q answered to %q is %q, want %q", tc.answered, tc.gold, got, tc.want)
		}
	}
}

// TestRelations counts the table of helper_test.go: AD is answered twice with a
// disease that has no place in the tree, sideropenia with what stands above it, and the rare fever is
// not in the dictionary. NIL for anaemia and an answer to what lies outside have
// nothing to relate.
func TestRelations(t *testing.T) {
	ids := smallIDs()
	gold := smallGold(t, ids)
	answers := smallAnswers(t, smallLinker(), gold.Items, ids)
	for policy, want := range map[string][]string{
		"paper":  {"part missing 0/9, 0 nameless", "gold narrower 1/9, 1 nameless", "gold broader 0/9, 0 nameless", "sibling 0/9, 0 nameless", "same branch 0/9, 0 nameless", "not in tree 2/9, 0 nameless", "unrelated 0/9, 0 nameless", "gold not in dictionary 1/9, 0 nameless"},
		"strict": {"part missing 1/10, 0 nameless", "gold narrower 1/10, 1 nameless", "gold broader 0/10, 0 nameless", "sibling 0/10, 0 nameless", "same branch 0/10, 0 nameless", "not in tree 2/10, 0 nameless", "unrelated 0/10, 0 nameless", "gold not in dictionary 1/10, 0 nameless"},
	} {
		var got []string
		for _, row := range Relations(answers, mustPolicy(t, policy), NewKnown(smallDictionary(), ids)) {
			got = append(got, fmt.Sprintf("%s %d/%d, %d nameless", row.Relation, row.Mentions, row.Of, row.Nameless))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", policy, diff)
		}
	}
	flat := ctxnorm.NewDictionary([]ctxnorm.Concept{{ID: "M3", Name: "anemia"}})
	if rows := Relations(answers, mustPolicy(t, "paper"), NewKnown(flat, ids)); rows != nil {
		t.Errorf("without a tree %v, want nothing", rows)
	}
}
