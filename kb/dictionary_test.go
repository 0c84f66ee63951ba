package kb

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
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
	must.Equal(t, got, want, "concepts")
	must.Equal(t, d.CountNames(), 2+3, "CountNames")
}

func TestFindInAnySpelling(t *testing.T) {
	d := NewDictionary([]Concept{
		{ID: "HP:0001250"}, {ID: "Orphanet:524"}, {ID: "MESH:D003920", AltIDs: []ConceptID{"DO:DOID:9351"}}, {ID: "DOID:9352"},
		{ID: "OMIM:610549"}, {ID: "NCBITaxon:9606"}, {ID: "data:0006"}, {ID: "SNOMEDCT_US:73211009"}, {ID: "D000001"},
		{ID: "UMLS:C0011849"}, {ID: "X:7"}, {ID: "Y:7"}, {ID: "5"}, {ID: "http://v.example/bone/1"}, {ID: "a-b:1"}, {ID: "ab:1"},
		{ID: "FOOD:apple"}, {ID: "X:pear"}, {ID: "Y:pear"},
	})
	for want, spellings := range map[ConceptID][]ConceptID{
		"HP:0001250": {"HP:0001250", "hp:0001250", "Hp:0001250", "HP_0001250", "0001250", "HPO:0001250", "HP: 0001250",
			"http://purl.obolibrary.org/obo/HP_0001250", "https://purl.obolibrary.org/obo/HP_0001250",
			"https://identifiers.org/HP:0001250", "https://identifiers.org/hp/HP:0001250", "https://bioregistry.io/hp:0001250"},
		"Orphanet:524": {"ORPHA:524", "orphanet:524", "524", "Orphanet_524", "ORPHA524", "ORPHA 524",
			"http://www.orpha.net/ORDO/Orphanet_524"},
		"MESH:D003920": {"mesh:D003920", "MSH:D003920", "D003920", "http://id.nlm.nih.gov/mesh/D003920", "MESH_D003920",
			"http://purl.bioontology.org/ontology/MESH/D003920", "DOID:9351", "DOID_9351"},
		"OMIM:610549":    {"OMIM 610549", "MIM:610549", "MIM #610549", "https://www.omim.org/entry/610549", "omim610549"},
		"NCBITaxon:9606": {"NCBI:txid9606", "NCBITaxon_9606", "taxid:9606", "http://purl.obolibrary.org/obo/NCBITaxon_9606"},
		"data:0006":      {"data_0006", "http://edamontology.org/data_0006"},
		"SNOMEDCT_US:73211009": {"SNOMED:73211009", "SCTID: 73211009", "SNOMEDCT_US_2023_03_01:73211009",
			"http://snomed.info/id/73211009"},
		"D000001":                 {"MESH:D000001", "mesh:D000001", "MESH D000001"},
		"UMLS:C0011849":           {"UMLS_CUI:C0011849", "C0011849"},
		"X:7":                     {"x:7", "X_7"},
		"FOOD:apple":              {"apple", "food:apple"},
		"5":                       {"EX:5"},
		"http://v.example/bone/1": {"https://v.example/bone/1"},
		"": {"HGNC:9352", "format:0006", "format_0006", "7", "Z:7", "EX_5", "EX 5", "A_B:1", "http://v.example/skull/1", "OMIM:524",
			"ICD10:610549", "D999999", "pear", "mesh:d003920", "http://v.example/HP_0001250", "OMIM:PS610549", "", ":", "_", "http://"},
	} {
		for _, id := range spellings {
			got := ConceptID("")
			if c := d.Lookup(id); c != nil {
				got = c.ID
			}
			must.Equal(t, got, want, id)
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
		{"shared", "A"}, // of A and B; the first by ID counts
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
		must.Equal(t, sample.Len(), d.Len(), "concepts of Fraction", f)
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
		must.Equal(t, upper, lower, name, "names kept in mixed case and in lower case")
	}
}

func TestDictionaryHash(t *testing.T) {
	concepts := []Concept{{ID: "A", Name: "a", Synonyms: []string{"b"}}, {ID: "B", Name: "c"}}
	d := NewDictionary(concepts)
	must.Equal(t, NewDictionary([]Concept{concepts[1], concepts[0]}).Hash(), d.Hash(),
		"the order of concepts changes the hash")
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

// TestFractionKeepsPreferredNames checks that a name outside the sample is still shown, but not used for linking.
func TestFractionKeepsPreferredNames(t *testing.T) {
	sample := manyNames(100).Fraction(.5, 7)
	heldOut := 0
	for i, c := range sample.All() {
		must.Equal(t, c.PreferredName(), fmt.Sprintf("name %d", i), c.ID, "shown as")
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
	must.Equal(t, sample.Fraction(.25, 7).At(0).PreferredName(), "name 0", "a fraction of a fraction shows")
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
		must.Equal(t, concept.PreferredName(), want, concept, "shown as")
	}
}
