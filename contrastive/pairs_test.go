package contrastive

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

func TestNewPairMasks(t *testing.T) {
	ids := func(ids ...kb.ConceptID) []kb.ConceptID { return ids }
	a, b := LabelOf(ids("a")), LabelOf(ids("b"))
	ab, bc, unknown := LabelOf(ids("a", "b")), LabelOf(ids("b", "c")), LabelOf(nil)
	abAsA, abAsB := Label{"a", ids("a", "b")}, Label{"b", ids("a", "b")}
	const positive, negative, neither = "positive", "negative", "neither"
	tests := []struct {
		name string
		x, y Label
		want string
	}{
		{"one concept", a, LabelOf(ids("a")), positive},
		{"two concepts", a, b, negative},
		{"an ambiguous name that may mean the concept", a, ab, neither},
		{"an ambiguous name that does not mean the concept", a, bc, negative},
		{"two ambiguous names with a meaning in common", ab, bc, neither},
		{"two of the same ambiguous name", ab, ab, neither},
		{"an ambiguous name sampled for the concept", a, abAsA, positive},
		{"an ambiguous name sampled for the other concept", a, abAsB, neither},
		{"an ambiguous name sampled for each concept", abAsA, abAsB, neither},
		{"an ambiguous name sampled twice for a concept", abAsA, abAsA, positive},
		{"sampled for one, and a name of neither", abAsA, LabelOf(ids("c")), negative},
		{"only the sampled concept is known", Label{Concept: "a"}, ab, neither},
		{"a mention of no known concept", a, unknown, neither},
		{"two of no known concept", unknown, unknown, neither},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, labels := range [][]Label{{test.x, test.y}, {test.y, test.x}} {
				p := NewPairMasks(labels)
				for _, ij := range []int{1, 2} { // row 0 with 1, and 1 with 0
					got := neither
					switch {
					case p.Positive[ij] && p.Negative[ij]:
						got = "both"
					case p.Positive[ij]:
						got = positive
					case p.Negative[ij]:
						got = negative
					}
					must.Equal(t, got, test.want, labels)
				}
				if p.Positive[0] || p.Positive[3] || p.Negative[0] || p.Negative[3] {
					t.Error("a row is in a pair with itself")
				}
			}
		})
	}
}
