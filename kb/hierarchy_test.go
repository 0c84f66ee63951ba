package kb

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// position returns the position of a concept in the dictionary.
func position(t *testing.T, dict *Dictionary, id ConceptID) int32 {
	t.Helper()
	i, ok := dict.Index(id)
	if !ok {
		t.Fatalf("no concept %s", id)
	}
	return int32(i)
}

func ids(dict *Dictionary, at []int32) []ConceptID {
	var found []ConceptID
	for _, i := range at {
		found = append(found, dict.At(int(i)).ID)
	}
	return found
}

func TestHierarchy(t *testing.T) {
	// A is above B and C, both above D; E is above A and below D: a cycle.
	dict := NewDictionary([]Concept{
		{ID: "A", Parents: []ConceptID{"E", "not there"}},
		{ID: "B", Parents: []ConceptID{"A"}},
		{ID: "C", Parents: []ConceptID{"A"}},
		{ID: "D", Parents: []ConceptID{"B", "C"}},
		{ID: "E", Parents: []ConceptID{"D"}},
	})
	h := NewHierarchy(dict)
	for _, tc := range []struct {
		id    ConceptID
		above []ConceptID
		below []ConceptID // within two steps
	}{
		{"D", []ConceptID{"B", "C", "A", "E"}, []ConceptID{"E", "A"}},
		{"A", []ConceptID{"E", "D", "B", "C"}, []ConceptID{"B", "C", "D"}},
	} {
		at := position(t, dict, tc.id)
		if diff := cmp.Diff(tc.above, ids(dict, h.Ancestors(at))); diff != "" {
			t.Errorf("ancestors of %s (-want +got):\n%s", tc.id, diff)
		}
		if diff := cmp.Diff(tc.below, ids(dict, h.Descendants(at, 2))); diff != "" {
			t.Errorf("descendants of %s within two steps (-want +got):\n%s", tc.id, diff)
		}
	}
	if h.Empty() {
		t.Error("Empty reports true for a dictionary with parents")
	}
	if !HasHierarchy(dict) || !h.Flat().Empty() {
		t.Error("HasHierarchy is false or Flat is not empty")
	}
	if flat := NewHierarchy(NewDictionary([]Concept{{ID: "A"}, {ID: "B"}})); !flat.Empty() {
		t.Error("Empty reports false for a dictionary without parents")
	}
}
