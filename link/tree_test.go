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

func TestContentWords(t *testing.T) {
	for _, tc := range []struct {
		name string
		want []string
	}{
		{"Cancers of the Breast", []string{"breast", "cancer"}},
		{"breast cancer", []string{"breast", "cancer"}},
		{"anemias, sickle-cell", []string{"anemia", "cell", "sickle"}},
		{"lupus; sepsis and hearing loss", []string{"hearing", "loss", "lupus", "sepsis"}},
		{"biopsies abscesses", []string{"abscess", "biopsy"}},
		{"of the", nil},
	} {
		if diff := cmp.Diff(tc.want, contentWords(tc.name)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestWordIndex(t *testing.T) {
	x := newWordIndex([]string{"breast cancer", "", "cancer of the breast", "male breast cancer", "lung cancer"})
	if diff := cmp.Diff([]int32{0, 2, 3}, x.holding([]string{"breast", "cancer"})); diff != "" {
		t.Errorf("holding breast and cancer (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int32{0, 2}, x.same([]string{"breast", "cancer"})); diff != "" {
		t.Errorf("the same words (-want +got):\n%s", diff)
	}
	if got := x.holding([]string{"cancer", "toe"}); len(got) != 0 {
		t.Errorf("holding a word that no name has: %v", got)
	}
	if got := x.same(nil); got != nil {
		t.Errorf("no words: %v", got)
	}
}
