package link

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
)

// position of a concept in the dictionary.
func position(t *testing.T, dict *ctxnorm.Dictionary, id ctxnorm.ConceptID) int32 {
	t.Helper()
	i, ok := dict.Index(id)
	if !ok {
		t.Fatalf("no concept %s", id)
	}
	return int32(i)
}

func ids(dict *ctxnorm.Dictionary, at []int32) []ctxnorm.ConceptID {
	var found []ctxnorm.ConceptID
	for _, i := range at {
		found = append(found, dict.At(int(i)).ID)
	}
	return found
}

func TestTree(t *testing.T) {
	// A is above B and C, both above D; E is above A and below D: a cycle.
	dict := ctxnorm.NewDictionary([]ctxnorm.Concept{
		{ID: "A", Parents: []ctxnorm.ConceptID{"E", "not there"}},
		{ID: "B", Parents: []ctxnorm.ConceptID{"A"}},
		{ID: "C", Parents: []ctxnorm.ConceptID{"A"}},
		{ID: "D", Parents: []ctxnorm.ConceptID{"B", "C"}},
		{ID: "E", Parents: []ctxnorm.ConceptID{"D"}},
	})
	tr := newTree(dict)
	for _, tc := range []struct {
		of    ctxnorm.ConceptID
		above []ctxnorm.ConceptID
		below []ctxnorm.ConceptID // within two steps
	}{
		{"D", []ctxnorm.ConceptID{"B", "C", "A", "E"}, []ctxnorm.ConceptID{"E", "A"}},
		{"A", []ctxnorm.ConceptID{"E", "D", "B", "C"}, []ctxnorm.ConceptID{"B", "C", "D"}},
	} {
		at := position(t, dict, tc.of)
		if diff := cmp.Diff(tc.above, ids(dict, tr.above[at])); diff != "" {
			t.Errorf("above %s (-want +got):\n%s", tc.of, diff)
		}
		if diff := cmp.Diff(tc.below, ids(dict, tr.below(at, 2))); diff != "" {
			t.Errorf("below %s (-want +got):\n%s", tc.of, diff)
		}
	}
	if tr.empty() {
		t.Error("the tree is said to be empty")
	}
	if flat := newTree(ctxnorm.NewDictionary([]ctxnorm.Concept{{ID: "A"}, {ID: "B"}})); !flat.empty() {
		t.Error("a dictionary without parents is said to have a tree")
	}
}
