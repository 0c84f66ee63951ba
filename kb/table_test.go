package kb

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// randomConcepts returns concepts that use all fields.
func randomConcepts(r *rand.Rand, n int) []Concept {
	some := func(kind string) (words []ConceptID) {
		for range r.IntN(3) {
			words = append(words, ConceptID(fmt.Sprint(kind, r.IntN(n))))
		}
		return words
	}
	concepts := make([]Concept, n)
	for i := range concepts {
		c := &concepts[i]
		*c = Concept{ID: ConceptID(fmt.Sprint("C", r.IntN(n))), AltIDs: some("C"), Xrefs: some("X"), Parents: some("C"), NameHeldOut: r.IntN(3) == 0}
		c.AltIDs, c.Parents = append(c.AltIDs, some("A")...), append(c.Parents, some("A")...)
		for _, word := range some("é") {
			c.Types, c.Synonyms = append(c.Types, string(word)), append(c.Synonyms, string(word))
		}
		if r.IntN(2) == 0 {
			c.Name = fmt.Sprint("é", r.IntN(n))
		} else if r.IntN(2) == 0 {
			c.ShownName = "shown"
		}
	}
	return concepts
}

// TestOpen checks that a dictionary in a file has the same concepts, hierarchy and hash as the one that was written.
func TestOpen(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	path := filepath.Join(t.TempDir(), "concepts.idx")
	for _, n := range []int{0, 1, 30, 300} {
		want := NewDictionary(randomConcepts(r, n))
		must.Succeed(t, want.Write(path))
		got := must.Get(Open(path))
		for i, c := range want.All() {
			first := got.At(i)
			if diff := cmp.Diff(c, first); diff != "" || got.ID(i) != c.ID || first != got.At(i) ||
				!cmp.Equal(c.Names(), got.Names(i)) {
				t.Errorf("concept %d (-want +got):\n%s", i, diff)
			}
			for _, id := range append(c.AltIDs, c.ID, "X1") {
				at, known := want.Index(id)
				if i, found := got.Index(id); i != at || found != known {
					t.Errorf("%s is at %d, %v; want %d, %v", id, i, found, at, known)
				}
			}
		}
		if got.Len() != want.Len() || got.CountNames() != want.CountNames() || got.Hash() != want.Hash() {
			t.Errorf("%d concepts, %d names, hash %s; want %d, %d, %s", got.Len(), got.CountNames(), got.Hash(), want.Len(), want.CountNames(), want.Hash())
		}
		must.EqualBy(t, cmp.Exporter(func(reflect.Type) bool { return true }), NewHierarchy(got), NewHierarchy(want),
			"hierarchy")
		must.Succeed(t, got.Close())
	}
	whole := NewDictionary([]Concept{{ID: "A", Name: "a", Parents: []ConceptID{"B"}}, {ID: "B", Synonyms: []string{"b", "c"}}})
	for i, damage := range []func(*table){
		func(t *table) { t.nameEnds[1] = 2 }, func(t *table) { t.nameEnds[1] = 4 }, func(t *table) { t.nameEnds[0] = 0 },
		func(t *table) { t.nameEnds[0] = 7 }, func(t *table) { t.flags = t.flags[:1] }, func(t *table) { t.parents.Append() },
		func(t *table) { t.indexes = nil }, func(t *table) { t.ids.Append("C") },
	} {
		d := &Dictionary{table: newTable([]*Concept{whole.At(0), whole.At(1)})}
		damage(&d.table)
		must.Succeed(t, d.Write(path))
		_, err := Open(path)
		must.Fail(t, err, "", "damage", i, "is not noticed")
	}
	must.Succeed(t, os.WriteFile(path, []byte("{}"), 0o666))
	_, err := Open(path)
	must.Fail(t, err, "", "a file of another kind is opened")
}
