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

// TestReadParents reads hierarchies of files of testdata, of vocabularies as their publishers distribute them, of other
// dictionaries, and of a workbook.
func TestReadParents(t *testing.T) {
	sheet := workbook(t, map[string]rows{"tree": {{"Code", "Parent"}, {"A1", "A"}, nil, {"B", "A|C"}, {"A", nil}}}, "tree")
	for file, want := range map[string][]Edge{
		"testdata/tree.tsv": {{"D003920", "D044882"}, {"D003924", "D003920"}},
		// D044882 is at C18.452.394; no row has C19 or C18.452.
		"testdata/numbers.csv": {{"D003920", "D044882"}, {"D003924", "D003920"}},
		"testdata/edges.tsv":   {{"D003920", "D004700"}, {"D003920", "D044882"}, {"D003924", "D003920"}},
		"testdata/ctd_diseases.tsv": {{"MESH:D003920", "MESH:D004700"}, {"MESH:D003920", "MESH:D044882"},
			{"MESH:D003924", "MESH:D003920"}},
		"testdata/objects.jsonl": {{"A:1", "A:2"}},
		sheet:                    {{"A1", "A"}, {"B", "A"}, {"B", "C"}},
		"id\teffectiveTime\tactive\tmoduleId\tsourceId\tdestinationId\trelationshipGroup\ttypeId\n" +
			"1\t2020\t1\t9\t11\t12\t0\t116680003\n2\t2020\t0\t9\t11\t13\t0\t116680003\n3\t2020\t1\t9\t11\t14\t0\t363698007\n": {{"11", "12"}},
		"901\t|\t900\t|\tspecies\t|\tFR\t|\t1\t|\n900\t|\t1\t|\tgenus\t|\t\t|\t1\t|\n":                                {{"900", "1"}, {"901", "900"}},
		"concept_id_1\tconcept_id_2\trelationship_id\tinvalid_reason\n1\t2\tIs a\t\n1\t3\tMaps to\t\n1\t4\tIs a\tD\n": {{"1", "2"}},
		"C0000901|A1|AUI|PAR|C0000902|A2|AUI||R1||MSH|MSH|||N||\nC0000902|A2|AUI|CHD|C0000901|A1|AUI||R2||MSH|MSH|||N||\n" +
			"C0000901|A1|AUI|PAR|C0000903|A3|AUI||R3||MSH|MSH|||O||\nC0000901|A1|AUI|PAR|C0000901|A4|AUI||R4||MSH|MSH|||N||\n": {
			{"C0000901", "C0000902"}},
		`<ClaML><Class code="A00" kind="category"/><Class code="A00.0" kind="category"><SuperClass code="A00"/></Class></ClaML>`: {
			{"A00.0", "A00"}},
		"A00     Cholera\nA000    Cholera due to Vibrio cholerae 01\n":      {{"A000", "A00"}},
		`[{"id": "A:1", "name": "river fever", "parents": ["A:2"]}]` + "\n": {{"A:1", "A:2"}},
	} {
		path := file
		if strings.Contains(file, "\n") || strings.HasPrefix(file, "<") {
			path = writeFile(t, "file", file)
		}
		got, _, err := ReadParents(path, files.Limits{})
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%.60q: %v (-want +got):\n%s", file, err, diff)
		}
	}
}

func TestParentsAndConceptMapErrors(t *testing.T) {
	tests := map[string]struct{ content, want string }{
		"no parents":  {"id\tname\nD1\ta\n", "FILE: want a header with a column of ids and one of parents or tree numbers, or two columns: child, parent"},
		"names only":  {"{\"id\": \"D1\"}\n", "FILE: the file has no parents"},
		"other":       {"D1||a\n", "FILE: the file has no parents"},
		"no child":    {"id\tparent\nD1\tD2\n\tD3\n", `FILE:3: want an id in column 1, got "\tD3"`},
		"not UTF-8":   {"id\tparent\nD\xe9\tD2\n", "FILE:2: want UTF-8, got byte 0xe9 at offset 1 (is the file Latin-1 or Shift-JIS?)"},
		"concept map": {"{\"D1\": [\"D1\"],\n\"D2\": \"D2\"}", `FILE:2: want "concept": ["id", …], got "D2": "\"D2\""`},
		"bad concept": {"{\"id\": \"D1\", \"parents\": 3}\n", "FILE:1: want a list in parents, got number"},
	}
	for name, test := range tests {
		path := writeFile(t, "file", test.content)
		_, _, err := ReadParents(path, files.Limits{})
		if name == "concept map" {
			_, err = ReadConceptMap(path, files.Limits{})
		}
		if want := strings.ReplaceAll(test.want, "FILE", path); err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", name, err, want)
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
	if diff := cmp.Diff(wantReport, report); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	if parents := d.Lookup("MESH:D003924").Parents; parents != nil {
		t.Errorf("WithParents changed its argument: %v", parents)
	}
}

func TestConceptMap(t *testing.T) {
	path := writeFile(t, "map.json", `{"D1": ["D1", "100"], "D2": ["200", 201, "100"], "D3": []}`)
	m := must.Get(ReadConceptMap(path, files.Limits{}))
	wantMap := map[kb.ConceptID][]kb.ConceptID{"D1": {"D1", "100"}, "D2": {"200", "201", "100"}, "D3": nil}
	if diff := cmp.Diff(wantMap, m); diff != "" {
		t.Errorf("map (-want +got):\n%s", diff)
	}
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
	if diff := cmp.Diff(want, concepts(WithConceptMap(d, m)), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("concepts (-want +got):\n%s", diff)
	}
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
	if diff := cmp.Diff(want, concepts(got), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("concepts (-want +got):\n%s", diff)
	}
	// New names: Myocardial Infarction, MI, cardiac infarct, Asthma, Bronchial and new.
	if diff := cmp.Diff(JoinReport{Joined: 3, Added: 1, Names: 5}, report); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestJoinWithItselfChangesNothing(t *testing.T) {
	d, _, err := Read("testdata/terms.obo", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if joined, report := Join(d, d); joined.Hash() != d.Hash() || report.Added != 0 || report.Names != 0 {
		t.Errorf("joined with itself: %+v", report)
	}
}
