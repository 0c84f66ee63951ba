package kbfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/kb"
)

// TestHeaderError names the columns that look like those of identifiers and names.
func TestHeaderError(t *testing.T) {
	_, _, err := Read(writeFile(t, "file", "Wort,Merkmal\nriver fever,D1\nstone fever,D2\n"), Options{})
	header, ok := errors.AsType[*HeaderError](err)
	if !ok || header.ID != 2 || header.Name != 1 || len(header.Rows) != 3 {
		t.Errorf("error %+v, want one with the ids in column 2 and the names in column 1", err)
	}
}

// TestParentsOfVocabularies reads hierarchies as their publishers distribute them.
func TestParentsOfVocabularies(t *testing.T) {
	for text, want := range map[string][]Edge{
		"id\teffectiveTime\tactive\tmoduleId\tsourceId\tdestinationId\trelationshipGroup\ttypeId\tcharacteristicTypeId\tmodifierId\n" +
			"1\t2020\t1\t9\t11\t12\t0\t116680003\t9\t9\n2\t2020\t0\t9\t11\t13\t0\t116680003\t9\t9\n3\t2020\t1\t9\t11\t14\t0\t363698007\t9\t9\n": {{"11", "12"}},
		"901\t|\t900\t|\tspecies\t|\tFR\t|\t1\t|\n900\t|\t1\t|\tgenus\t|\t\t|\t1\t|\n": {{"900", "1"}, {"901", "900"}},
		"concept_id_1\tconcept_id_2\trelationship_id\tvalid_start_date\tvalid_end_date\tinvalid_reason\n" +
			"1\t2\tIs a\t1\t2\t\n1\t3\tMaps to\t1\t2\t\n1\t4\tIs a\t1\t2\tD\n": {{"1", "2"}},
		"C0000901|A1|AUI|PAR|C0000902|A2|AUI||R1||MSH|MSH|||N||\nC0000902|A2|AUI|CHD|C0000901|A1|AUI||R2||MSH|MSH|||N||\n" +
			"C0000901|A1|AUI|PAR|C0000903|A3|AUI||R3||MSH|MSH|||O||\nC0000901|A1|AUI|PAR|C0000901|A4|AUI||R4||MSH|MSH|||N||\n": {{"C0000901", "C0000902"}},
	} {
		got, err := ReadParents(writeFile(t, "file", text), Options{}.Limits)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestWithoutRetired(t *testing.T) {
	d := kb.NewDictionary([]kb.Concept{{ID: "1", Name: "a"}, {ID: "2", Name: "b", AltIDs: ids{"3"}}})
	got, n := WithoutRetired(d, map[kb.ConceptID]bool{"1": true, "3": true})
	if n != 1 || got.Len() != 1 || got.At(0).ID != "2" {
		t.Errorf("%d left out of %v, want 1", n, concepts(got))
	}
}

// TestLanguageReferenceSet reads which descriptions of SNOMED CT are preferred, and names concepts by them.
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

// TestFewIDs tells a column that has hardly any other value from one of ids.
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
		rows(func(int) string { return "3" }):                           `1 ids for 120 names; another column than "REC_ID" may have the ids: DictionaryOptions.Columns says which`,
		rows(func(row int) string { return fmt.Sprintf("D%d", row/4) }): "",
	} {
		_, report, err := Read(writeFile(t, "file", text), Options{})
		if err != nil || want != strings.Join(report.Notes, "") {
			t.Errorf("%.30q: %q, %v, want %q", text, report.Notes, err, want)
		}
	}
}
