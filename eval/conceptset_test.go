package eval

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

func TestConceptSet(t *testing.T) {
	set := NewConceptSet(map[kb.ConceptID][]kb.ConceptID{
		"C535306":      {"C535306", "236792", "600721"},
		"MESH:D003924": {"OMIM:125853"},
		"X:1":          nil,
		"Y:1":          nil,
	})
	for _, tc := range []struct {
		id, want kb.ConceptID
	}{
		{"C535306", "C535306"},
		{"MESH:C535306", "C535306"}, // the set has no namespace
		{"OMIM:600721", "C535306"},
		{"D003924", "MESH:D003924"}, // the identifier has no namespace
		{"125853", "MESH:D003924"},
		{"X:1", "X:1"},
		{"1", ""}, // two concepts share it
		{"D999999", ""},
	} {
		got, ok := set.lookup(tc.id)
		if got != tc.want || ok != (tc.want != "") {
			t.Errorf("Lookup(%q) = %q, %v, want %q", tc.id, got, ok, tc.want)
		}
	}
	in, outside := set.split([]kb.ConceptID{"Y:1", "D999999", "OMIM:600721", "C535306"})
	must.Equal(t, in, []kb.ConceptID{"C535306", "Y:1"}, "in the set")
	must.Equal(t, outside, []kb.ConceptID{"D999999"}, "outside")
}

func TestConceptSetHoldOut(t *testing.T) {
	whole := NewConceptSet(map[kb.ConceptID][]kb.ConceptID{"A:1": {"OMIM:7"}, "B:2": {"OMIM:8"}})
	rest := whole.HoldOut(func(id kb.ConceptID) bool { return id == "A:1" })
	for _, tc := range []struct{ id, whole, rest kb.ConceptID }{
		{"A:1", "A:1", ""}, {"OMIM:7", "A:1", ""}, {"7", "A:1", ""}, {"1", "A:1", ""},
		{"B:2", "B:2", "B:2"}, {"8", "B:2", "B:2"},
	} {
		if got, _ := whole.lookup(tc.id); got != tc.whole {
			t.Errorf("%q names %q in the whole set, want %q", tc.id, got, tc.whole)
		}
		if got, _ := rest.lookup(tc.id); got != tc.rest {
			t.Errorf("%q names %q with A:1 held out, want %q", tc.id, got, tc.rest)
		}
	}
}
