package kb

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNewDictionaryMergesEqualIDs(t *testing.T) {
	d := NewDictionary([]Concept{
		{ID: "D2", Name: "renal failure", Synonyms: []string{"kidney failure", ""}, Xrefs: []ConceptID{"K:2", "K:1"}},
		{ID: "D1", Synonyms: []string{" cancer ", "neoplasm"}, AltIDs: []ConceptID{"X1", "D1", "X1"}},
		{ID: "D2", Name: "failure, renal", Synonyms: []string{"kidney failure"}, Parents: []ConceptID{"D1"},
			Xrefs: []ConceptID{"K:1", "", "D2"}},
	})
	want := []Concept{
		{ID: "D1", Synonyms: []string{"cancer", "neoplasm"}, AltIDs: []ConceptID{"X1"}},
		{ID: "D2", Name: "renal failure", Synonyms: []string{"kidney failure", "failure, renal"}, Parents: []ConceptID{"D1"},
			Xrefs: []ConceptID{"K:1", "K:2"}},
	}
	var got []Concept
	for _, c := range d.All() {
		got = append(got, *c)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("concepts (-want +got):\n%s", diff)
	}
	if got, want := d.CountNames(), 2+3; got != want {
		t.Errorf("CountNames() = %d, want %d", got, want)
	}
}

func TestPartsOfIDs(t *testing.T) {
	for id, want := range map[ConceptID][2]string{
		"MESH:D003924": {"MESH", "D003924"}, "D003924": {"", "D003924"}, "a:b:c": {"a", "b:c"}, ":x": {"", "x"},
	} {
		if got := [2]string{id.Namespace(), id.Local()}; got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

func TestLookupByAlternativeID(t *testing.T) {
	d := NewDictionary([]Concept{
		{ID: "B", Name: "b", AltIDs: []ConceptID{"A", "shared"}},
		{ID: "A", Name: "a", AltIDs: []ConceptID{"shared", "own"}},
	})
	for _, tc := range []struct{ id, want ConceptID }{
		{"A", "A"},      // the ID of A has priority over the alternative ID of B
		{"shared", "A"}, // of A and B, the first by ID
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

// manyNames returns a dictionary of concepts with three names each.
func manyNames(concepts int) *Dictionary {
	var b Builder
	for i := range concepts {
		b.Add(&Concept{ID: ConceptID(fmt.Sprintf("C%04d", i)), Name: fmt.Sprintf("name %d", i),
			Synonyms: []string{fmt.Sprintf("Other %d", i), fmt.Sprintf("third %d", i)}})
	}
	return b.Dictionary()
}

func TestFractionIsNestedAndKeepsConcepts(t *testing.T) {
	d := manyNames(1000)
	previous := map[string]bool{}
	for _, f := range []float64{0, .25, .5, .75, 1} {
		sample := d.Fraction(f, 7)
		if sample.Len() != d.Len() {
			t.Errorf("Fraction(%g) has %d concepts, want all %d", f, sample.Len(), d.Len())
		}
		names := map[string]bool{}
		for _, c := range sample.All() {
			for _, name := range c.Names() {
				names[name] = true
			}
		}
		for name := range previous {
			if !names[name] {
				t.Errorf("Fraction(%[2]g) drops %[1]q, which a smaller fraction keeps", name, f)
			}
		}
		// 3000 names: the standard deviation of the proportion is sqrt(f(1-f)/3000) < .0092; allow five.
		if got := float64(len(names)) / 3000; got < f-.046 || got > f+.046 {
			t.Errorf("Fraction(%g) keeps %.3f of the names, want %g ± .046", f, got, f)
		}
		previous = names
	}
}

func TestFractionOutOfRange(t *testing.T) {
	d := NewDictionary([]Concept{{ID: "A", Name: "a", Synonyms: []string{"b"}}})
	for f, names := range map[float64]int{
		.5: d.Fraction(.5, 1).CountNames(), 1: 2, 0: 0, -1: 0, 1.5: 2, math.NaN(): 0, math.Inf(1): 2, math.Inf(-1): 0,
	} {
		if sample := d.Fraction(f, 1); sample.Len() != 1 || sample.CountNames() != names {
			t.Errorf("Fraction(%g) has %d concepts and %d names, want 1 and %d", f, sample.Len(), sample.CountNames(), names)
		}
	}
}

func TestFractionIgnoresCase(t *testing.T) {
	for i := range 100 {
		name := fmt.Sprintf("Name %d", i)
		upper := NewDictionary([]Concept{{ID: "A", Name: name}}).Fraction(.5, 1).CountNames()
		lower := NewDictionary([]Concept{{ID: "B", Name: "name " + fmt.Sprint(i)}}).Fraction(.5, 1).CountNames()
		if upper != lower {
			t.Errorf("%q: %d names kept in mixed case, %d in lower case", name, upper, lower)
		}
	}
}

func TestDictionaryHash(t *testing.T) {
	concepts := []Concept{{ID: "A", Name: "a", Synonyms: []string{"b"}}, {ID: "B", Name: "c"}}
	d := NewDictionary(concepts)
	if got := NewDictionary([]Concept{concepts[1], concepts[0]}).Hash(); got != d.Hash() {
		t.Error("the order of concepts changes the hash")
	}
	for what, other := range map[string][]Concept{
		"a name moved to the next concept": {{ID: "A", Name: "a"}, {ID: "B", Name: "b", Synonyms: []string{"c"}}},
		"an alternative ID":                {{ID: "A", Name: "a", Synonyms: []string{"b"}, AltIDs: []ConceptID{"X"}}, {ID: "B", Name: "c"}},
		"a type":                           {{ID: "A", Name: "a", Synonyms: []string{"b"}, Types: []string{"X"}}, {ID: "B", Name: "c"}},
		"a preferred name held out":        {{ID: "A", Name: "a", Synonyms: []string{"b"}}, {ID: "B", Name: "d", NameHeldOut: true, Synonyms: []string{"c"}}},
		"a parent":                         {{ID: "A", Name: "a", Synonyms: []string{"b"}, Parents: []ConceptID{"X"}}, {ID: "B", Name: "c"}},
	} {
		if NewDictionary(other).Hash() == d.Hash() {
			t.Errorf("%s does not change the hash", what)
		}
	}
}

// TestFractionKeepsPreferredNames checks that a name which is left out of the sample is
// still shown, but not linked by.
func TestFractionKeepsPreferredNames(t *testing.T) {
	sample := manyNames(100).Fraction(.5, 7)
	heldOut := 0
	for i, c := range sample.All() {
		if want := fmt.Sprintf("name %d", i); c.PreferredName() != want {
			t.Errorf("%s is shown as %q, want %q", c.ID, c.PreferredName(), want)
		}
		if linked := slices.Contains(c.Names(), c.Name); linked == c.NameHeldOut {
			t.Errorf("%s: held out %t, among the names %t", c.ID, c.NameHeldOut, linked)
		}
		if c.NameHeldOut {
			heldOut++
		}
	}
	if heldOut < 30 || heldOut > 70 {
		t.Errorf("%d of 100 preferred names are held out at fraction .5", heldOut)
	}
	if again := sample.Fraction(.25, 7); again.At(0).PreferredName() != "name 0" {
		t.Errorf("a fraction of a fraction shows %q", again.At(0).PreferredName())
	}
}

func TestPreferredNameIsNeverEmpty(t *testing.T) {
	for want, concept := range map[string]Concept{
		"first":  {ID: "A", Name: "first", Synonyms: []string{"second"}},
		"second": {ID: "A", Synonyms: []string{"second"}},
		"third":  {ID: "A", Synonyms: []string{"first, inverted", "third"}},
		"a, b":   {ID: "A", Synonyms: []string{"a, b", "c, d"}},
		"b, a":   {ID: "A", Name: "b, a", Synonyms: []string{"a b"}},
		"A":      {ID: "A"},
	} {
		if got := concept.PreferredName(); got != want {
			t.Errorf("%+v is shown as %q, want %q", concept, got, want)
		}
	}
}
