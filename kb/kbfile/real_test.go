package kbfile

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

// TestReadRealDictionaries compares counts with the descriptions of the files, or with counts by grep and a few lines
// of Python.
func TestReadRealDictionaries(t *testing.T) {
	tests := []struct {
		file    string
		want    Report
		concept kb.Concept // one of its concepts, with its first names
	}{
		{
			"dict/biocom_half.jsonl.gz",
			Report{Format: JSONL, Rows: 39960, Concepts: 10984, Names: 39960, Counts: map[string]int{"alternative ids": 14972 - 10984}},
			kb.Concept{ID: "C535484", Synonyms: []string{"deletion 13q", "orbeli syndrome", "orbeli's syndrome", "13q deletion syndrome", "chromosome 13q deletion"}},
		},
		{
			// D021823 is an alternative id of one concept and the id of another.
			"dict/medic_2012.txt.gz",
			Report{Format: "biosyn", Rows: 11915, Concepts: 11915, Names: 76238, Counts: map[string]int{"alternative ids": 3028, markupNames: 1156}},
			kb.Concept{ID: "C567755", Name: "Tooth Agenesis, Selective, 6", Synonyms: []string{"STHAG6"}, AltIDs: ids{"613097"}},
		},
		{
			"dict/medic_union.json.gz",
			Report{Format: formatJSON, Rows: 13035, Concepts: 13035, Names: 83943 - 1046 + 1, Counts: map[string]int{"repeated names": 1046, markupNames: 1145}},
			kb.Concept{ID: "D065008", Synonyms: []string{"scorpion sting", "scorpion stings", "scorpionism", "scorpionisms", "sting, scorpion", "stings, scorpion"}},
		},
		{
			"dict/chemicals_mesh.tsv.gz",
			Report{Format: TSV, Columns: []Column{{Role: "name"}, {Role: "id"}}, Rows: 81472, Concepts: 9749, Names: 81474},
			kb.Concept{ID: "D020155", Synonyms: []string{"(+ -)-3-hydroxybutyric acid"}},
		},
		{
			// 8,948 terms, 2,374 of them obsolete; the others have 31,682 lines of xref.
			"dict/doid_2016.obo.gz",
			Report{Format: "obo", Rows: 8948, Concepts: 8948 - 2374, Counts: map[string]int{obsoleteTerms: 2374, "ids of other vocabularies": 31682}},
			kb.Concept{ID: "DOID:9352", Name: "type 2 diabetes mellitus"},
		},
		{
			// 8,726 codes: two are duplicates with a trailing space, and one is "-1", for
			// 14,175 names without a code.
			"dict/manbyo_ja.csv.gz",
			Report{Format: CSV, Columns: []Column{{Role: "name"}, {Role: "id"}, {Role: "preferred_name"}}, Rows: 73342, Concepts: 8726 - 2 - 1, Counts: map[string]int{rowsWithoutID: 14175}},
			kb.Concept{ID: "R529", Name: "疼痛", Synonyms: []string{"圧痛"}},
		},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			d, got, err := Read(fixtures.RealFile(t, test.file), Options{Strict: true})
			must.Succeed(t, err)
			t.Logf("%+v", *got)
			ignored := []string{"Delimiter", "Notes", "Memory"}
			if test.want.Names == 0 { // not in the file's description
				ignored = append(ignored, "Names")
				maps.DeleteFunc(got.Counts, func(what string, _ int) bool { return test.want.Counts[what] == 0 })
			}
			if diff := cmp.Diff(&test.want, got, cmpopts.IgnoreFields(Report{}, ignored...), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
			c := d.Lookup(test.concept.ID)
			if c == nil {
				t.Fatalf("no concept %s", test.concept.ID)
			}
			first := kb.Concept{ID: c.ID, Name: c.Name, Synonyms: c.Synonyms[:min(len(test.concept.Synonyms), len(c.Synonyms))]}
			if test.concept.AltIDs != nil {
				first.AltIDs = c.AltIDs
			}
			must.EqualBy(t, cmpopts.EquateEmpty(), first, test.concept)
		})
	}
}

// TestConceptMapOfHalf merges the concepts of the published half of MEDIC with the concept map made for it.
func TestConceptMapOfHalf(t *testing.T) {
	d, _, err := Read(fixtures.RealFile(t, "dict/biocom_half.jsonl.gz"), Options{})
	must.Succeed(t, err)
	m := must.Get(ReadConceptMap(fixtures.RealFile(t, "dict/biocom_concept_map.json.gz"), files.Limits{}))
	ids := 0
	for _, conceptIDs := range m {
		ids += len(conceptIDs)
	}
	if len(m) != 13063 || ids != 17118 {
		t.Errorf("map of %d concepts and %d ids, want 13063 and 17118", len(m), ids)
	}
	mapped := WithConceptMap(d, m)
	named := 0
	for _, c := range concepts(mapped) {
		if len(c.Names()) > 0 {
			named++
		}
	}
	if mapped.Len() != 13063 || named != 10984 || mapped.CountNames() != 39960 {
		t.Errorf("%d concepts, %d with %d names, want 13063, 10984 with 39960", mapped.Len(), named, mapped.CountNames())
	}
}

func TestParentsOfMEDIC(t *testing.T) {
	edges, _, err := ReadParents(fixtures.RealFile(t, "dict/mesh_descriptors_c_f_tree.tsv.gz"), files.Limits{})
	must.Succeed(t, err)
	if len(edges) != 7623 { // from 12,062 rows, one per tree number; 27 concepts are below themselves
		t.Errorf("%d edges, want 7623", len(edges))
	}
	d, _, err := Read(fixtures.RealFile(t, "dict/medic_2012.txt.gz"), Options{})
	must.Succeed(t, err)
	d, report := WithParents(d, edges)
	t.Logf("%+v", report)
	if report.Edges != 7623 || report.Kept == 0 || report.Edges != report.Kept+report.UnknownChild+report.UnknownParent {
		t.Errorf("report %+v", report)
	}
	// Type 2 diabetes is a kind of diabetes mellitus.
	if c := d.Lookup("D003924"); c == nil || !cmp.Equal(c.Parents, ids{"D003920"}) {
		t.Errorf("D003924: %+v", c)
	}
}
