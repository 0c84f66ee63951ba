package ctxnorm

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNewDictionaryJoinsEqualIDs(t *testing.T) {
	d := NewDictionary([]Concept{
		{ID: "D2", Name: "renal failure", Synonyms: []string{"kidney failure", ""}},
		{ID: "D1", Synonyms: []string{" cancer ", "neoplasm"}, AltIDs: []ConceptID{"X1", "D1", "X1"}},
		{ID: "D2", Name: "failure, renal", Synonyms: []string{"kidney failure"}, Parents: []ConceptID{"D1"}},
	})
	want := []Concept{
		{ID: "D1", Synonyms: []string{"cancer", "neoplasm"}, AltIDs: []ConceptID{"X1"}},
		{ID: "D2", Name: "renal failure", Synonyms: []string{"kidney failure", "failure, renal"}, Parents: []ConceptID{"D1"}},
	}
	var got []Concept
	for i := range d.Len() {
		got = append(got, *d.At(i))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("concepts (-want +got):\n%s", diff)
	}
	if got, want := d.CountNames(), 2+3; got != want {
		t.Errorf("CountNames() = %d, want %d", got, want)
	}
}

func TestLookupByAlternativeID(t *testing.T) {
	d := NewDictionary([]Concept{
		{ID: "B", Name: "b", AltIDs: []ConceptID{"A", "shared"}},
		{ID: "A", Name: "a", AltIDs: []ConceptID{"shared", "own"}},
	})
	for _, tc := range []struct{ id, want ConceptID }{
		{"A", "A"},      // its own ID wins over B's alternative
		{"shared", "A"}, // the first by ID of those that claim it
		{"own", "A"},
		{"B", "B"},
	} {
		if c := d.Lookup(tc.id); c == nil || c.ID != tc.want {
			t.Errorf("Lookup(%q) = %v, want %q", tc.id, c, tc.want)
		}
	}
	if c := d.Lookup("none"); c != nil {
		t.Errorf("Lookup of an unknown ID = %v, want nil", c)
	}
}

func TestFractionIsNestedAndKeepsConcepts(t *testing.T) {
	var concepts []Concept
	for i := range 1000 {
		concepts = append(concepts, Concept{
			ID:       ConceptID(fmt.Sprintf("C%04d", i)),
			Name:     fmt.Sprintf("name %d", i),
			Synonyms: []string{fmt.Sprintf("Other %d", i), fmt.Sprintf("third %d", i)},
		})
	}
	d := NewDictionary(concepts)
	previous := map[string]bool{}
	for _, f := range []float64{0, .25, .5, .75, 1} {
		part := d.Fraction(f, 7)
		if part.Len() != d.Len() {
			t.Errorf("Fraction(%g) has %d concepts, want all %d", f, part.Len(), d.Len())
		}
		names := map[string]bool{}
		for i := range part.Len() {
			for _, name := range part.At(i).Names() {
				names[name] = true
			}
		}
		for name := range previous {
			if !names[name] {
				t.Errorf("%q is kept at a smaller fraction but not at %g", name, f)
			}
		}
		// 3000 names: the standard deviation of the share is sqrt(f(1-f)/3000) < .0092; five of them.
		if got := float64(len(names)) / 3000; got < f-.046 || got > f+.046 {
			t.Errorf("Fraction(%g) keeps %.3f of the names", f, got)
		}
		previous = names
	}
}

func TestFractionIgnoresCase(t *testing.T) {
	for i := range 100 {
		name := fmt.Sprintf("Name %d", i)
		upper := NewDictionary([]Concept{{ID: "A", Name: name}}).Fraction(.5, 1).CountNames()
		lower := NewDictionary([]Concept{{ID: "B", Name: "name " + fmt.Sprint(i)}}).Fraction(.5, 1).CountNames()
		if upper != lower {
			t.Errorf("%q: kept %d in one case, %d in the other", name, upper, lower)
		}
	}
}

func TestDictionaryHash(t *testing.T) {
	base := []Concept{{ID: "A", Name: "a", Synonyms: []string{"b"}}, {ID: "B", Name: "c"}}
	d := NewDictionary(base)
	if got := NewDictionary([]Concept{base[1], base[0]}).Hash(); got != d.Hash() {
		t.Error("the order of concepts changes the hash")
	}
	for what, other := range map[string][]Concept{
		"a name moved to the next concept": {{ID: "A", Name: "a"}, {ID: "B", Name: "b", Synonyms: []string{"c"}}},
		"an alternative ID":                {{ID: "A", Name: "a", Synonyms: []string{"b"}, AltIDs: []ConceptID{"X"}}, {ID: "B", Name: "c"}},
		"a parent":                         {{ID: "A", Name: "a", Synonyms: []string{"b"}, Parents: []ConceptID{"X"}}, {ID: "B", Name: "c"}},
	} {
		if NewDictionary(other).Hash() == d.Hash() {
			t.Errorf("%s does not change the hash", what)
		}
	}
}
