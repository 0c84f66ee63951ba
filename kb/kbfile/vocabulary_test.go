package kbfile

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/kb"
)

// TestHeaderError checks which columns the error names as those with identifiers and names.
func TestHeaderError(t *testing.T) {
	_, _, err := Read(writeFile(t, "file", "Wort,Merkmal\nriver fever,D1\nstone fever,D2\n"), Options{})
	header, ok := errors.AsType[*HeaderError](err)
	if !ok || header.ID != 2 || header.Name != 1 || len(header.Rows) != 3 {
		t.Errorf("error %+v, want one with the ids in column 2 and the names in column 1", err)
	}
}

func TestWithoutRetired(t *testing.T) {
	d := kb.NewDictionary([]kb.Concept{{ID: "1", Name: "a"}, {ID: "2", Name: "b", AltIDs: ids{"3"}}})
	got, n := WithoutRetired(d, map[kb.ConceptID]bool{"1": true, "3": true})
	if n != 1 || got.Len() != 1 || got.At(0).ID != "2" {
		t.Errorf("%d left out of %v, want 1", n, concepts(got))
	}
	if same, n := WithoutRetired(got, map[kb.ConceptID]bool{"1": true, "3": true}); n != 0 || same != got {
		t.Errorf("%d left out of %v, want the dictionary itself", n, concepts(same))
	}
}

// TestLanguageReferenceSet reads the preferred descriptions of SNOMED CT, and names concepts by them.
func TestLanguageReferenceSet(t *testing.T) {
	set := writeFile(t, "set", "id\teffectiveTime\tactive\tmoduleId\trefsetId\treferencedComponentId\tacceptabilityId\n"+
		"a\t2020\t1\t9\t900000000000509007\t100014\t900000000000548007\nb\t2020\t1\t9\t900000000000509007\t100013\t900000000000549004\n"+
		"c\t2020\t0\t9\t900000000000509007\t100013\t900000000000548007\n")
	preferred, err := ReadLanguageReferenceSet(set, Options{}.Limits)
	if err != nil || len(preferred) != 1 || !preferred["100014"] {
		t.Fatalf("%v, %v, want 100014", preferred, err)
	}
	descriptions := ""
	for _, c := range readCases(t) {
		if c.name == "vocabularies.txtar/vocabularies-01" {
			descriptions = writeFile(t, "descriptions", c.text)
		}
	}
	if other, err := ReadLanguageReferenceSet(descriptions, Options{}.Limits); other != nil || err != nil {
		t.Errorf("of descriptions: %v, %v, want none", other, err)
	}
	d, _, err := Read(descriptions, Options{PreferredDescriptions: preferred})
	if err != nil {
		t.Fatal(err)
	}
	want := kb.Concept{ID: "2001003", Name: `Glass bone; brittle "bone"`, Synonyms: []string{"Glass bone state"}, Types: []string{"disorder"}}
	if diff := cmp.Diff(want, *d.Lookup("2001003"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestFewIDs distinguishes a column with hardly any distinct values from a column of ids.
func TestFewIDs(t *testing.T) {
	rows := func(id func(row int) string) string {
		var b strings.Builder
		b.WriteString("REC_ID,NAME\n")
		for i := range 120 {
			fmt.Fprintf(&b, "%s,river fever %d\n", id(i), i)
		}
		return b.String()
	}
	for text, want := range map[string]string{
		rows(func(int) string { return "3" }):                           `1 ids for 120 names; the ids may be in a column other than "REC_ID": set DictionaryOptions.Columns`,
		rows(func(row int) string { return fmt.Sprintf("D%d", row/4) }): "",
	} {
		_, report, err := Read(writeFile(t, "file", text), Options{})
		if err != nil || want != strings.Join(report.Notes, "") {
			t.Errorf("%.30q: %q, %v, want %q", text, report.Notes, err, want)
		}
	}
}

func TestWithReplaced(t *testing.T) {
	d := kb.NewDictionary([]kb.Concept{{ID: "A", Name: "gout"}, {ID: "B", Name: "asthma"}})
	got, n := withReplaced(d, map[kb.ConceptID]kb.ConceptID{
		"1": "A", "2": "3", "3": "1", // replaced by concepts that were replaced themselves
		"B": "A",           // in use itself
		"5": "6", "6": "5", // a cycle
		"7": "5",
		"8": "none",
		"9": "B", "4": "9", // B is in use, whatever replaced it
	})
	want := kb.NewDictionary([]kb.Concept{
		{ID: "A", Name: "gout", AltIDs: []kb.ConceptID{"1", "2", "3"}},
		{ID: "B", Name: "asthma", AltIDs: []kb.ConceptID{"4", "9"}},
	})
	if n != 5 || got.Hash() != want.Hash() {
		t.Errorf("%d are replaced: %+v and %+v", n, got.Lookup("A"), got.Lookup("B"))
	}
}

// TestLongReplacements checks that a chain and a cycle of replacements do not take quadratic time.
func TestLongReplacements(t *testing.T) {
	const long = 20_000
	begin := time.Now()
	replaced := make(map[kb.ConceptID]kb.ConceptID)
	for i := range long {
		replaced[kb.ConceptID(fmt.Sprint("C", i))] = kb.ConceptID(fmt.Sprint("C", i+1))
		replaced[kb.ConceptID(fmt.Sprint("R", i))] = kb.ConceptID(fmt.Sprint("R", (i+1)%long))
	}
	end := kb.ConceptID(fmt.Sprint("C", long))
	got, n := withReplaced(kb.NewDictionary([]kb.Concept{{ID: end, Name: "gout"}}), replaced)
	if n != long || got.Lookup("C7") != got.Lookup(end) || got.Lookup("R7") != nil {
		t.Errorf("%d identifiers are replaced", n)
	}
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}
