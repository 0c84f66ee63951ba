package kb

import (
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

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
	above, below := map[string][]int32{"D": {1, 2, 0, 4}, "A": {4, 3, 1, 2}}, map[string][]int32{"D": {4, 0}, "A": {1, 2, 3}}
	for i, c := range dict.All() {
		if want := above[string(c.ID)]; want != nil && !slices.Equal(h.Ancestors(int32(i)), want) {
			t.Errorf("ancestors of %s: %v, want %v", c.ID, h.Ancestors(int32(i)), want)
		}
		if got, want := h.Descendants(int32(i), 2), below[string(c.ID)]; want != nil && !slices.Equal(got, want) {
			t.Errorf("descendants of %s within two steps: %v, want %v", c.ID, got, want)
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

// TestLargeHierarchy checks that neither a chain nor a node with many children takes quadratic time or memory.
func TestLargeHierarchy(t *testing.T) {
	const n = 20_000
	chain, star := make([][]int32, n), make([][]int32, n)
	for i := int32(1); i < n; i++ {
		chain[i], star[i] = []int32{i - 1}, []int32{0}
	}
	above := hierarchyOf(chain).Ancestors(n - 1)
	if len(above) != 1000 || above[0] != n-2 || above[999] != n-1001 {
		t.Errorf("%d ancestors from %d to %d, want the nearest 1,000", len(above), above[0], above[len(above)-1])
	}
	below := hierarchyOf(star).Descendants(0, 2)
	for i, node := range below {
		if node != int32(i)+1 {
			t.Fatalf("descendant %d is %d, want %d", i, node, i+1)
		}
	}
	must.Equal(t, len(below), n-1, "descendants")
}

// TestRoots checks that the roots reach all nodes, and that no root is below another.
func TestRoots(t *testing.T) {
	for _, c := range []struct {
		name    string
		parents [][]int32
		want    []int32
	}{
		{"a tree and a node alone", [][]int32{{2}, {2}, {}, {}}, []int32{2, 3}},
		{"a cycle", [][]int32{{1}, {0}}, []int32{0}},
		{"a cycle with a node below it, which comes first", [][]int32{{1}, {2}, {1}}, []int32{1}},
		{"a cycle below a root", [][]int32{{}, {0, 2}, {1}}, []int32{0}},
		{"a cycle below a cycle", [][]int32{{1, 3}, {0}, {3}, {2}}, []int32{2}},
		{"its own parent", [][]int32{{0}}, []int32{0}},
	} {
		must.Equal(t, hierarchyOf(c.parents).Roots(), c.want, c.name)
	}
}

// hierarchyOf returns the hierarchy of nodes, given the parents of each.
func hierarchyOf(parents [][]int32) *Hierarchy {
	return newHierarchy(len(parents), func(dst []int32, node int) []int32 { return append(dst, parents[node]...) })
}
