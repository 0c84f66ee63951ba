package kbfile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

// TestReadParents reads the edges of a workbook, and refuses files without parents or with malformed rows.
func TestReadParents(t *testing.T) {
	sheet := workbook(t, map[string]rows{"tree": {{"Code", "Parent"}, {"A1", "A"}, nil, {"B", "A|C"}, {"A", nil}}}, "tree")
	edges, _, err := ReadParents(sheet, files.Limits{})
	if diff := cmp.Diff([]Edge{{"A1", "A"}, {"B", "A"}, {"B", "C"}}, edges); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for content, want := range map[string]string{
		"D1||a\n":                       "FILE: the file has no parents",
		"id\tparent\nD1\tD2\n\tD3\n":    `FILE:3: want an id in column 1, got "\tD3"`,
		"{\"D1\": [],\n\"D2\": \"D2\"}": `FILE:2: want "concept": ["id", …], got "D2": "\"D2\""`,
	} {
		path := writeFile(t, "file", content)
		_, _, err := ReadParents(path, files.Limits{})
		if strings.HasPrefix(content, "{") {
			_, err = ReadConceptMap(path, files.Limits{})
		}
		if want = strings.ReplaceAll(want, "FILE", path); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", content, err, want)
		}
	}
}

func TestWithParents(t *testing.T) {
	d := kb.NewDictionary([]kb.Concept{
		{ID: "MESH:D003920", Name: "diabetes", Parents: ids{"MESH:D000000"}},
		{ID: "MESH:D003924", Name: "type 2", AltIDs: ids{"OMIM:125853"}},
		{ID: "E14", Name: "unspecified"},
		{ID: "MESH:7", Name: "seven of one"},
		{ID: "OMIM:7", Name: "seven of another"},
	})
	edges := []Edge{
		{"D003924", "MESH:D003920"}, // the namespace is missing in the edge; an exact match
		{"125853", "ICD10:E14"},     // an alternative id; a namespace that the dictionary does not have
		{"MESH:D003920", "D004700"}, // the parent is not in the dictionary
		{"D003924", "D004700"},      // likewise
		{"X:D003924", "E14"},        // another namespace is another concept
		{"7", "E14"},                // ambiguous without a namespace
	}
	got, report := WithParents(d, edges)
	want := map[kb.ConceptID]ids{
		"MESH:D003920": {"MESH:D000000"}, // existing parents are kept
		"MESH:D003924": {"E14", "MESH:D003920"},
	}
	for _, c := range concepts(got) {
		if diff := cmp.Diff(want[c.ID], c.Parents); diff != "" {
			t.Errorf("parents of %s (-want +got):\n%s", c.ID, diff)
		}
	}
	wantReport := ParentsReport{Edges: 6, Kept: 2, UnknownChild: 2, UnknownParent: 2, MissingParents: 1}
	must.Equal(t, report, wantReport, "report")
	if parents := d.Lookup("MESH:D003924").Parents; parents != nil {
		t.Errorf("WithParents changed its argument: %v", parents)
	}
}

func TestConceptMap(t *testing.T) {
	path := writeFile(t, "map.json", `{"D1": ["D1", "100"], "D2": ["200", 201, "100"], "D3": []}`)
	m := must.Get(ReadConceptMap(path, files.Limits{}))
	wantMap := map[kb.ConceptID][]kb.ConceptID{"D1": {"D1", "100"}, "D2": {"200", "201", "100"}, "D3": nil}
	must.Equal(t, m, wantMap, "map")
	d := kb.NewDictionary([]kb.Concept{
		{ID: "100", Name: "one", Parents: ids{"201"}},
		{ID: "D1", Name: "first", Synonyms: []string{"one"}},
		{ID: "200", Name: "two"},
		{ID: "X", Name: "another", Parents: ids{"100"}},
	})
	want := []kb.Concept{
		{ID: "D1", Name: "one", Synonyms: []string{"first"}, AltIDs: ids{"100"}, Parents: ids{"D2"}},
		{ID: "D2", Name: "two", AltIDs: ids{"100", "200", "201"}},
		{ID: "D3"},
		{ID: "X", Name: "another", Parents: ids{"D1"}},
	}
	must.EqualBy(t, cmpopts.EquateEmpty(), concepts(WithConceptMap(d, m)), want, "concepts")
}

func TestJoin(t *testing.T) {
	first := kb.NewDictionary([]kb.Concept{
		{ID: "MESH:D1", Synonyms: []string{"heart attack"}, AltIDs: ids{"OMIM:7"}},
		{ID: "MESH:D2", Name: "asthma"},
	})
	second := kb.NewDictionary([]kb.Concept{
		{ID: "D1", Name: "Myocardial Infarction", Synonyms: []string{"heart attack", "MI"}, Parents: ids{"D2", "D9"}}, // without the namespace
		{ID: "OMIM:7", Synonyms: []string{"cardiac infarct"}},                                                         // by the alternative id
		{ID: "MESH:D2", Name: "Asthma, Bronchial"},
		{ID: "D9", Name: "new"},
	})
	got, report := Join(first, second)
	want := []kb.Concept{
		{ID: "D9", Name: "new"},
		{ID: "MESH:D1", Name: "Myocardial Infarction", Synonyms: []string{"heart attack", "MI", "cardiac infarct"}, AltIDs: ids{"D1", "OMIM:7"}, Parents: ids{"D9", "MESH:D2"}},
		{ID: "MESH:D2", Name: "asthma", Synonyms: []string{"Asthma, Bronchial"}},
	}
	must.EqualBy(t, cmpopts.EquateEmpty(), concepts(got), want, "concepts")
	// New names: Myocardial Infarction, MI, cardiac infarct, Asthma, Bronchial and new.
	must.Equal(t, report, JoinReport{Joined: 3, Added: 1, Names: 5}, "report")
}

func TestJoinWithItselfChangesNothing(t *testing.T) {
	d, _, err := Read("testdata/terms.obo", Options{})
	must.Succeed(t, err)
	if joined, report := Join(d, d); joined.Hash() != d.Hash() || report.Added != 0 || report.Names != 0 {
		t.Errorf("joined with itself: %+v", report)
	}
}
