package kbfile

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
)

// The dictionary of a conceptList is that of the concepts as they were added, whatever
// the list joins. Concepts share the arrays of their names, as those of one row may.
func TestConceptListJoins(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 1))
	some := func(of ...string) []string {
		n := r.IntN(len(of) + 1)
		return of[:n] // with the capacity of all
	}
	joined := 0
	for range 2000 {
		names := []string{"a", " b", "", "c", "a "}
		var list conceptList
		var added []kb.Concept
		for range 1 + r.IntN(8) {
			c := kb.Concept{
				ID:       kb.ConceptID(fmt.Sprint(r.IntN(2))),
				Name:     []string{"", " ", "a", "b", "d"}[r.IntN(5)],
				Synonyms: some(names...),
				AltIDs:   []kb.ConceptID{kb.ConceptID(fmt.Sprint(r.IntN(4)))},
				Types:    some("T2", "T1"),
			}
			list.add(c)
			added = append(added, c)
		}
		stored := 0
		for range list.concepts {
			stored++
		}
		joined += len(added) - stored
		ids := make(map[kb.ConceptID]int)
		for _, c := range added {
			ids[c.ID]++
		}
		if got := list.repeated(); got != (len(added) > len(ids)) {
			t.Fatalf("seed %d: repeated is %v for %+v", seed, got, added)
		}
		if got, want := kb.CollectDictionary(slices.Values(list.concepts)), kb.NewDictionary(added); got.Hash() != want.Hash() {
			t.Fatalf("seed %d: the dictionary of %+v differs", seed, added)
		}
	}
	if joined == 0 {
		t.Error("no concept was joined to the one before")
	}
}

// A table of one concept keeps one concept for all of its rows.
func TestConceptListIsSmall(t *testing.T) {
	var list conceptList
	for i := range 3000 {
		list.add(kb.Concept{ID: "C1", Name: fmt.Sprint(i)})
	}
	if len(list.concepts) != 1 {
		t.Errorf("%d concepts, want one", len(list.concepts))
	}
}
