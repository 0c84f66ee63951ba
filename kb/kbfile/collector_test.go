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
		for range list.all() {
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
		if got, want := kb.CollectDictionary(list.all()), kb.NewDictionary(added); got.Hash() != want.Hash() {
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
	for i := range 3 * conceptBlock {
		list.add(kb.Concept{ID: "C1", Name: fmt.Sprint(i)})
	}
	if len(list.blocks) != 1 || len(list.blocks[0]) != 1 {
		t.Errorf("%d blocks, the first of %d concepts, want one of one", len(list.blocks), len(list.blocks[0]))
	}
}

// TestMarkup replaces the entities of names and removes their tags, but not in what Write writes.
func TestMarkup(t *testing.T) {
	text := "id\tname\tsynonyms\nD1\tWeil&apos;s fever\tWeil&#39;s fever|H<sub>2</sub>O &beta; &unknown;|AT&T;|a<b>c\n"
	d, report, err := Read(writeFile(t, "file", text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Weil's fever", "H2O β &unknown;", "AT&T;", "a<b>c"}
	if got := d.At(0).Names(); !slices.Equal(got, want) || report.Markup != 3 || report.MarkedUp != "Weil&apos;s fever" {
		t.Errorf("names %q, report %+v, want %q", got, report, want)
	}
	d, report, err = Read(writeFile(t, "file", `{"id": "D1", "name": "R&amp;D"}`), Options{})
	if err != nil || d.At(0).Name != "R&amp;D" || report.Markup != 0 {
		t.Errorf("JSON lines: %v, %+v, %v", d, report, err)
	}
}
