package biosyn

import (
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
)

func TestMergeCandidates(t *testing.T) {
	rows := func(rows ...int32) []int32 { return rows }
	tests := []struct {
		name          string
		k             int
		ratio         float64
		sparse, dense []int32
		want          []int32
	}{
		{"half each", 4, .5, rows(1, 2, 3, 4), rows(5, 6, 7, 8), rows(1, 2, 5, 6)},
		{"more dense for those that overlap", 4, .5, rows(1, 2, 3, 4), rows(2, 1, 7, 8), rows(1, 2, 7, 8)},
		{"only the sparse ones that are kept overlap", 4, .5, rows(1, 2, 3, 4), rows(3, 4, 7, 8), rows(1, 2, 3, 4)},
		{"floor(.5 * 5) = 2 dense", 5, .5, rows(1, 2, 3, 4, 5), rows(6, 7, 8, 9, 10), rows(1, 2, 3, 6, 7)},
		{"alpha 1", 3, 1, rows(1, 2, 3), rows(9, 8, 1), rows(9, 8, 1)},
		{"alpha 0", 3, 0, rows(1, 2, 3), rows(9, 8, 1), rows(1, 2, 3)},
		{"fewer names than k", 4, .5, rows(0, 1, 2), rows(2, 1, 0), rows(0, 1, 2)},
		{"no names", 4, .5, nil, nil, nil},
	}
	for _, test := range tests {
		got := candidateSettings{PerMention: test.k, DenseRatio: test.ratio}.merge(test.sparse, test.dense)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
	if got := (candidateSettings{PerMention: 100, DenseRatio: .29}).sparse(); got != 71 {
		t.Errorf("k 100, alpha .29: %d sparse candidates, want 71", got)
	}
}

func TestSharesConcept(t *testing.T) {
	ids := func(ids ...kb.ConceptID) []kb.ConceptID { return ids }
	for _, test := range []struct {
		mention, name []kb.ConceptID
		want          bool
	}{
		{ids("D1"), ids("D1"), true},
		{ids("D1"), ids("D2", "D1"), true}, // an ambiguous name
		{ids("D1"), ids("D2"), false},
		{nil, ids("D2"), false},
		{nil, nil, false},
	} {
		if got := sharesConcept(test.mention, test.name); got != test.want {
			t.Errorf("%v, %v: %t, want %t", test.mention, test.name, got, test.want)
		}
	}
}
