package kbfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/kb"
)

type ids = []kb.ConceptID

func concepts(d *kb.Dictionary) []kb.Concept {
	var all []kb.Concept
	for i := range d.Len() {
		all = append(all, *d.At(i))
	}
	return all
}

func messages(rows []*RowError) []string {
	var all []string
	for _, row := range rows {
		all = append(all, row.Error())
	}
	return all
}

// withRoles returns columns of the roles, "" for one that is not used.
func withRoles(roles ...string) []Column {
	columns := make([]Column, len(roles))
	for i, role := range roles {
		columns[i].Role = role
	}
	return columns
}

// readTests are the files under testdata with the expected concepts and reports. The results
// are the same whether the format is detected or given.
var readTests = []struct {
	file     string
	concepts []kb.Concept
	report   Report
	errors   []string
}{
	{
		file: "header.tsv",
		concepts: []kb.Concept{
			{ID: "MESH:D003920", Name: "Diabetes Mellitus", Synonyms: []string{"diabetes", "DM"}},
			{ID: "MESH:D003924", Name: "Diabetes Mellitus, Type 2", Synonyms: []string{"NIDDM"}, Parents: ids{"MESH:D003920"}},
		},
		report: Report{Format: TSV, Columns: withRoles("id", "name", "synonyms", "parents"), Rows: 2, Concepts: 2, Names: 5},
	},
	{
		file: "positions.tsv", // byte-order mark, CRLF
		concepts: []kb.Concept{
			{ID: "MESH:D003920", Name: "Diabetes Mellitus", Synonyms: []string{"diabetes", "DM"}},
			{ID: "MESH:D003924", Name: "Diabetes Mellitus, Type 2", Synonyms: []string{"NIDDM"}},
		},
		report: Report{Format: TSV, Columns: withRoles("id", "name", "synonyms"), Rows: 2, Concepts: 2, Names: 5},
	},
	{
		file: "names.tsv",
		concepts: []kb.Concept{
			{ID: "D003920", Synonyms: []string{"diabetes mellitus", "diabetes"}},
			{ID: "D003924", Synonyms: []string{"t2d", "niddm", "NIDDM"}},
		},
		report: Report{Format: TSV, Columns: withRoles("name", "id"), Rows: 6, Concepts: 2, Names: 5, DuplicateNames: 1},
	},
	{
		file: "quoted.tsv",
		concepts: []kb.Concept{
			{ID: "D003920", Name: `Diabetes "mellitus"`},
			{ID: "D003924", Name: "Type 2"},
		},
		report: Report{Format: TSV, Columns: withRoles("id", "", "name"), Rows: 2, Concepts: 2, Names: 2},
	},
	{
		file: "preferred.csv",
		concepts: []kb.Concept{
			{ID: "R05,R093", Name: "咳，喀痰", Synonyms: []string{"咳痰"}},
			{ID: "R529", Name: "疼痛", Synonyms: []string{"圧痛"}},
		},
		// 1 duplicate: 疼痛 is its own preferred name. 圧痛 has no preferred name.
		report: Report{Format: CSV, Columns: withRoles("name", "id", "preferred_name"), Rows: 4, Concepts: 2, Names: 4, DuplicateNames: 1, NoID: 1},
	},
	{
		file: "shuffled.csv",
		concepts: []kb.Concept{
			{ID: "E11", Name: "Diabetes Mellitus, Type 2", Synonyms: []string{"NIDDM"}},
			{ID: "E14", Name: "Diabetes Mellitus", Synonyms: []string{"diabetes", "DM"}},
		},
		report: Report{Format: CSV, Columns: withRoles("synonyms", "name", "id", ""), Rows: 2, Concepts: 2, Names: 5},
	},
	{
		file: "ctd_diseases.tsv",
		concepts: []kb.Concept{
			{ID: "MESH:D003920", Name: "Diabetes Mellitus", Synonyms: []string{"diabetes", "DM"}, Parents: ids{"MESH:D004700", "MESH:D044882"}},
			{ID: "MESH:D003924", Name: "Diabetes Mellitus, Type 2", Synonyms: []string{"NIDDM"}, AltIDs: ids{"DO:DOID:9352", "OMIM:125853"}, Parents: ids{"MESH:D003920"}},
		},
		report: Report{
			Format: CTD, Rows: 2, Concepts: 2, Names: 5, AltIDs: 2,
			Columns: withRoles("name", "id", "alt_ids", "", "parents", "tree_numbers", "", "synonyms", ""),
		},
	},
	{
		file: "ctd_chemicals.csv",
		concepts: []kb.Concept{
			{ID: "MESH:D001241", Name: "Aspirin", Synonyms: []string{"Acetylsalicylic Acid", "2-(Acetyloxy)benzoic Acid"}, Parents: ids{"MESH:D012459"}},
		},
		report: Report{
			Format: CTD, Rows: 1, Concepts: 1, Names: 3,
			Columns: withRoles("name", "id", "", "", "parents", "tree_numbers", "", "synonyms"),
		},
	},
	{
		file: "terms.obo",
		concepts: []kb.Concept{
			{ID: "DOID:9351", Name: "diabetes mellitus", Synonyms: []string{`diabetes "sweet"`, "DM", "sugar disease"}, AltIDs: ids{"DOID:9350"}, Xrefs: ids{"MESH:D003920"}, Parents: ids{"DOID:4194"}},
			{ID: "DOID:9352", Name: "type 2: diabetes", Synonyms: []string{"NIDDM"}, Parents: ids{"DOID:9351"}},
		},
		report: Report{Format: OBO, Rows: 4, Concepts: 2, Names: 6, AltIDs: 1, Xrefs: 1, Obsolete: 1, OtherScope: 2, BadRows: 1},
		errors: []string{"testdata/terms.obo:27: want an id in the [Term] stanza, got none"},
	},
	{
		file: "MRCONSO.RRF",
		concepts: []kb.Concept{
			{ID: "C0011849", Name: "Diabetes Mellitus", Synonyms: []string{"diabetes"}, Xrefs: ids{"MSH:D003920"}},
			{ID: "C0011860", Synonyms: []string{"NIDDM"}, Xrefs: ids{"MSH:D003924"}},
		},
		report: Report{Format: MRCONSO, Rows: 6, Concepts: 2, Names: 3, Xrefs: 2, Obsolete: 1, OtherLanguages: map[string]int{"FRE": 1}, BadRows: 1},
		errors: []string{`testdata/MRCONSO.RRF:6: want at least 17 columns, got 2: "broken\trow"`},
	},
	{
		file: "biosyn.txt",
		concepts: []kb.Concept{
			{ID: "D003920", Name: "Diabetes Mellitus", Synonyms: []string{"diabetes", "DM"}},
			{ID: "D003924", Name: "Diabetes Mellitus, Type 2", Synonyms: []string{"NIDDM"}, AltIDs: ids{"125853", "C567890"}},
		},
		report: Report{Format: BioSyn, Rows: 3, Concepts: 2, Names: 5, AltIDs: 2, BadRows: 1},
		errors: []string{`testdata/biosyn.txt:3: want "id|altid||name|synonym", got "no bars at all"`},
	},
	{
		file: "rows.jsonl",
		concepts: []kb.Concept{
			{ID: "222100", Name: "iddm"},
			{ID: "D003920", Synonyms: []string{"diabetes mellitus", "dm"}},
			{ID: "D003924", Synonyms: []string{"niddm", "t2d"}, AltIDs: ids{"125853"}},
			{ID: "D009223", Synonyms: []string{"dm", "myotonic dystrophy"}},
		},
		report: Report{Format: JSONL, Rows: 9, Concepts: 4, Names: 7, AltIDs: 1, EmptyNames: 1, NoID: 1, BadRows: 1},
		errors: []string{`testdata/rows.jsonl:8: want [name, [ids]], got "[\"half a row\"]"`},
	},
	{
		file: "objects.jsonl",
		concepts: []kb.Concept{
			{ID: "A:1", Name: "first", Synonyms: []string{"one", "the < first"}, AltIDs: ids{"A:01"}, Parents: ids{"A:2"}},
			{ID: "A:2"},
			{ID: "A:3", Synonyms: []string{"only a synonym"}},
		},
		report: Report{Format: JSONL, Rows: 3, Concepts: 3, Names: 4, AltIDs: 1},
	},
	{
		file: "names.json",
		concepts: []kb.Concept{
			{ID: "D003920", Synonyms: []string{"diabetes mellitus", "diabetes"}},
			{ID: "D003924", Synonyms: []string{"niddm"}},
		},
		report: Report{Format: JSON, Rows: 3, Concepts: 2, Names: 3, DuplicateNames: 1, EmptyNames: 1, BadRows: 1},
		errors: []string{`testdata/names.json:4: want "id": ["name", …], got "D009223": "\"a string\""`},
	},
	{
		file: "descriptors.xml",
		concepts: []kb.Concept{
			{ID: "D003920", Name: "Diabetes Mellitus", Synonyms: []string{"Diabetes & sugar"}, Types: []string{"T047"}},
			{ID: "D003924", Name: "Diabetes Mellitus, Type 2", Synonyms: []string{"NIDDM"}, Parents: ids{"D003920"}},
		},
		report: Report{Format: MeSH, Rows: 3, Concepts: 2, Names: 4, DuplicateNames: 1, BadRows: 1},
		errors: []string{"testdata/descriptors.xml:25: want a DescriptorUI or a SupplementalRecordUI, got none"},
	},
	{
		file: "supplementary.xml",
		concepts: []kb.Concept{
			{ID: "C538288", Name: "Chromosome 10, monosomy 10p", Synonyms: []string{"10p deletion syndrome"}, Parents: ids{"D025063"}},
		},
		report: Report{Format: MeSH, Rows: 1, Concepts: 1, Names: 2},
	},
	{
		file: "classes.owl",
		concepts: []kb.Concept{
			{ID: "DOID:9351", Name: "diabetes mellitus", Synonyms: []string{"sugar disease"}, AltIDs: ids{"DOID:9350"}},
			{ID: "DOID:9352", Name: "type 2 diabetes", Parents: ids{"DOID:9351"}},
		},
		report: Report{Format: RDF, Rows: 3, Concepts: 2, Names: 3, AltIDs: 1, Obsolete: 1, OtherScope: 1},
	},
	{
		file: "concepts.rdf",
		concepts: []kb.Concept{
			{ID: "I21", Name: "heart attack", Synonyms: []string{"cardiac infarct"}, AltIDs: ids{"http://example.org/c/1"}},
			{ID: "http://example.org/c/2", Name: "silent infarct", Parents: ids{"http://example.org/c/1"}},
		},
		report: Report{Format: RDF, Rows: 2, Concepts: 2, Names: 3, AltIDs: 1, OtherLanguages: map[string]int{"de": 1}},
	},
	{
		file: "nested.rdf",
		concepts: []kb.Concept{
			{ID: "http://example.org/c#attack", Name: "heart attack", Synonyms: []string{"cardiac infarct"}, Parents: ids{"http://example.org/c#heart"}},
			{ID: "http://example.org/c#class", Name: "a class", Parents: ids{"http://example.org/c#heart"}},
			{ID: "http://example.org/c#heart", Name: "heart disease"},
			{ID: "http://example.org/c#silent", Name: "silent infarct", Synonyms: []string{"silent attack"}, Parents: ids{"http://example.org/c#attack"}},
		},
		report: Report{Format: RDF, Rows: 5, Concepts: 4, Names: 6, Obsolete: 1, OtherLanguages: map[string]int{"de": 1}},
	},
	{
		file: "triples.rdf",
		concepts: []kb.Concept{
			{ID: "I21", Name: "heart attack", Synonyms: []string{"cardiac infarct"}, AltIDs: ids{"http://example.org/c/1"}},
			{ID: "http://example.org/c/2", Name: "silent infarct", Parents: ids{"http://example.org/c/1"}},
		},
		report: Report{Format: RDF, Rows: 2, Concepts: 2, Names: 3, AltIDs: 1, OtherLanguages: map[string]int{"de": 1}},
	},
	{
		file: "entities.owl",
		concepts: []kb.Concept{
			{ID: "DOID:9351", Name: "diabetes & more"},
			{ID: "DOID:9352", Name: "type 2 diabetes", Parents: ids{"DOID:9351"}},
		},
		report: Report{Format: RDF, Rows: 2, Concepts: 2, Names: 2},
	},
	{
		file: "graph.json",
		concepts: []kb.Concept{
			{ID: "DOID:9351", Name: "diabetes mellitus", Synonyms: []string{"sugar disease"}, AltIDs: ids{"DOID:9350"}},
			{ID: "DOID:9352", Name: "type 2 diabetes", Parents: ids{"DOID:9351"}},
		},
		report: Report{Format: OBOGraph, Rows: 3, Concepts: 2, Names: 3, AltIDs: 1, Obsolete: 1, OtherScope: 1},
	},
	{
		file: "scispacy.jsonl",
		concepts: []kb.Concept{
			{ID: "C0011849", Name: "Diabetes Mellitus", Synonyms: []string{"diabetes", "DM"}, Types: []string{"T047"}},
			{ID: "C0011860", Name: "NIDDM"},
		},
		report: Report{Format: ScispaCy, Rows: 3, Concepts: 2, Names: 4, BadRows: 1},
		errors: []string{`testdata/scispacy.jsonl:2: want an object with a "concept_id", got "{\"canonical_name\": \"no id\"}"`},
	},
	{
		file: "codesystem.json",
		concepts: []kb.Concept{
			{ID: "E08-E13", Name: "Diabetes"},
			{ID: "E11", Name: "Type 2 diabetes", Synonyms: []string{"NIDDM"}, Parents: ids{"E08-E13"}},
			{ID: "E13", Name: "Other diabetes", Parents: ids{"E08-E13"}, Types: []string{"disease"}},
		},
		report: Report{Format: FHIR, Rows: 4, Concepts: 3, Names: 4, Obsolete: 1, OtherLanguages: map[string]int{"de": 1}},
	},
	{
		file:     "bad.csv",
		concepts: []kb.Concept{{ID: "D2", Name: "plain"}},
		report:   Report{Format: CSV, Columns: withRoles("id", "name"), Rows: 5, Concepts: 1, Names: 1, BadRows: 4},
		errors: []string{
			"testdata/bad.csv:2: want UTF-8, got byte 0xef at offset 5 (is the file Latin-1 or Shift-JIS?)",
			`testdata/bad.csv:4: want a quote at the end of the cell that begins with one, got "D3,\"a b"`,
			`testdata/bad.csv:5: want an id in column 1, got "\tnone"`,
			`testdata/bad.csv:6: want at least 2 columns, got 1: "D4"`,
		},
	},
}

func TestRead(t *testing.T) {
	for _, test := range readTests {
		t.Run(test.file, func(t *testing.T) {
			path := filepath.Join("testdata", test.file)
			for _, format := range []Format{"", test.report.Format} {
				d, report, err := Read(path, Options{Format: format})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(test.concepts, concepts(d)); diff != "" {
					t.Errorf("concepts (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(&test.report, report, cmpopts.IgnoreFields(Report{}, "Errors", "Delimiter", "Memory"), cmpopts.IgnoreFields(Column{}, "Name", "Separator")); diff != "" {
					t.Errorf("report (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(test.errors, messages(report.Errors)); diff != "" {
					t.Errorf("errors (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestStrictStopsAtFirstMalformedRow(t *testing.T) {
	for _, test := range readTests {
		path := filepath.Join("testdata", test.file)
		_, report, err := Read(path, Options{Strict: true})
		if len(test.errors) == 0 {
			if err != nil {
				t.Errorf("%s: %v", path, err)
			}
			continue
		}
		var row *RowError
		if !errors.As(err, &row) || err.Error() != test.errors[0] {
			t.Errorf("%s: got error %v, want %s", path, err, test.errors[0])
		}
		if report.BadRows != 1 {
			t.Errorf("%s: %d bad rows read, want 1", path, report.BadRows)
		}
	}
}

func TestMaxErrorsLimitsListNotCount(t *testing.T) {
	_, report, err := Read("testdata/bad.csv", Options{MaxErrors: 2})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Errors) != 2 || report.BadRows != 4 {
		t.Errorf("%d errors listed of %d malformed rows, want 2 of 4", len(report.Errors), report.BadRows)
	}
}

func TestLanguage(t *testing.T) {
	// The English names are "Diabetes Mellitus", "diabetes" and "NIDDM", the
	// French one is "Diabète"; "DM" is always suppressed.
	for language, want := range map[string]int{"": 3, "ENG": 3, "FRE": 1, "*": 4, "eng, FRE": 4} {
		_, report, err := Read("testdata/MRCONSO.RRF", Options{Language: language})
		if err != nil {
			t.Fatal(err)
		}
		if report.Names != want {
			t.Errorf("language %q: %d names, want %d", language, report.Names, want)
		}
	}
}

// TestOtherMembers notes members of objects that are not used.
func TestOtherMembers(t *testing.T) {
	content := `{"id":"D1","name":"asthma","label":"asthma","aliases":["x"]}` + "\n" + `{"id":"D2","name":"gout","label":"gout","Name":"flu"}` + "\n"
	d, report, err := Read(writeFile(t, "d.jsonl", content), Options{})
	if want := []string{"Name", "aliases", "label"}; err != nil || !slices.Equal(report.OtherMembers, want) {
		t.Errorf("members %q, error %v, want %q", report.OtherMembers, err, want)
	}
	if name := d.Lookup("D2").Name; name != "gout" {
		t.Errorf("the name of D2 is %q, want that of the member name", name)
	}
}

func TestReadErrors(t *testing.T) {
	tests := map[string]struct {
		content string
		format  Format
		want    string
	}{
		"CR alone":        {"id,name\rD1,asthma\r", "", ": want lines that end with LF or CRLF, got CR alone"},
		"CR alone, tabs":  {"id\tname\rD1\tasthma\r", "", ": want lines that end with LF or CRLF, got CR alone"},
		"empty":           {"", "", ": the file is empty"},
		"blank":           {"\n\n", TSV, ": no concept in 0 rows of tsv"},
		"prose":           {"Just a text.\n", "", `: format not recognized by its first line "Just a text.": want one of ` + fmt.Sprint(Formats())},
		"unknown format":  {"a\tb\n", "xls", `: dictionary format "xls": want one of ` + fmt.Sprint(Formats())},
		"no usable row":   {"a\nb\n", TSV, `: no concept in 2 rows of tsv; the first malformed row is FILE:1: want at least 2 columns, got 1: "a"`},
		"CTD no header":   {"# a comment\na\tb\n", CTD, `: the file has no header line such as "# DiseaseName\tDiseaseID\tAltDiseaseIDs"`},
		"broken JSON":     {"{\"D1\": [\"a\"],\n \"D2\": [\"b\"\n", "", `:3: want JSON, got an unfinished value`},
		"JSON and more":   {"{\"D1\": [\"a\"]}\n{\"D2\": [\"a\"]}\n", "", `:2: want one object, got more after it`},
		"Latin-1 in JSON": {"{\"D1\": [\"a\"],\n \"D2\": [\"na\xefve\"]}\n", "", `:2: want UTF-8, got byte 0xef at offset 11 (is the file Latin-1 or Shift-JIS?)`},
		"JATS":            {"<?xml version=\"1.0\"?>\n<article/>", "", `: the XML has the root element <article>, want <DescriptorRecordSet> or <SupplementalRecordSet> of MeSH, <JDBOR> of Orphanet, <ClaML>, or <rdf:RDF> of OWL or SKOS`},
		"broken MeSH":     {"<DescriptorRecordSet>\n<DescriptorRecord></x>", "", `:2: want XML, got element <DescriptorRecord> closed by </x>`},
		"external entity": {"<?xml version=\"1.0\"?>\n<!DOCTYPE a [<!ENTITY b SYSTEM \"c\">]>\n<rdf:RDF xmlns=\"&b;\"/>", "", `:2: want entities with their text, got the external entity "b"`},
		"unknown entity":  {"<rdf:RDF>\n<a b=\"&c;\"/></rdf:RDF>", "", `:2: want XML, got invalid character entity &c;`},
		"ValueSet":        {`{"resourceType": "ValueSet", "compose": {"include": [{"filter": []}]}}`, "", `: no concept in 0 rows of fhir`},
		"cut OBO graph":   {`{"graphs": [{"nodes": [{"id": "a", "lbl": "b"}`, "", `:1: want JSON, got an unfinished value`},
		"list as JSON":    {`["D1"]`, JSON, `:1: want an object, got "["`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			path := writeFile(t, "file", test.content)
			_, report, err := Read(path, Options{Format: test.format})
			if err == nil {
				t.Fatal("no error")
			}
			if report == nil {
				t.Error("no report")
			}
			want := path + replaceFile(test.want, path)
			if err.Error() != want {
				t.Errorf("got  %s\nwant %s", err, want)
			}
		})
	}
	if _, report, err := Read(filepath.Join(t.TempDir(), "missing"), Options{}); err == nil || report == nil {
		t.Errorf("missing file: report %v, error %v", report, err)
	}
}

// writeFile writes a file to a temporary folder and returns its path.
func writeFile(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// replaceFile replaces FILE in an expected message by path.
func replaceFile(message, path string) string {
	return strings.ReplaceAll(message, "FILE", path)
}

// TestControlCharacters: rows with NUL bytes, and with ids that a document with concepts could not hold, are
// malformed; names may have any character else.
func TestControlCharacters(t *testing.T) {
	const badID = "want an id without control characters, got "
	for content, want := range map[string][]string{
		"id,name\n\"A\t1\",gout\n\"B\n\",flu\nC,\"as\tthma\"\n":                                                                                        {`f:2: ` + badID + `"A\t1"`},
		"id,name,parents\nA,gout,\"B\x7f|C\"\nD,flu,A\n":                                                                                               {`f:2: ` + badID + `"B\x7f"`},
		"{\"id\":\"A\\nB\",\"name\":\"gout\"}\n{\"id\":\"C\",\"name\":\"flu\"}\n":                                                                      {`f:1: ` + badID + `"A\nB"`},
		`{"resourceType":"CodeSystem","content":"complete","concept":[{"code":"A\u0015","display":"gout"},{"code":"C","display":"flu"}]}`:              {`f: ` + badID + `"A\x15"`},
		`{"resourceType":"ValueSet","compose":{"include":[{"system":"s","concept":[{"code":"A\tB","display":"gout"},{"code":"C","display":"flu"}]}]}}`: {`f: ` + badID + `"A\tB"`},
		`{"graphs":[{"nodes":[{"id":"http://purl.obolibrary.org/obo/X_1","lbl":"gout","type":"CLASS","meta":{"xrefs":[{"val":"M:\u0007"}]}},{"id":"http://purl.obolibrary.org/obo/X_2","lbl":"flu","type":"CLASS"}]}]}`:                                                                                                                        {`f: ` + badID + `"M:\a"`},
		`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#"><owl:Class rdf:about="http://x/A&#10;B"><rdfs:label>gout</rdfs:label></owl:Class><owl:Class rdf:about="http://x/C"><rdfs:label>flu</rdfs:label></owl:Class></rdf:RDF>`: {`f: ` + badID + `"http://x/A\nB"`},
		"A\x13||gout\nC||flu\n": {`f:1: ` + badID + `"A\x13"`},
		"C0000003|ENG|P||PF||Y|A1||||MSH|MH|D3|flu|0|N||\nC0000001\x15|ENG|P||PF||Y|A2||||MSH|MH|D1|gout|0|N||\nC0000002|ENG|P||PF||Y|A3||||MSH|MH|D2\t|ache|0|N||\n": {
			`f:2: ` + badID + `"C0000001\x15"`},
		"format-version: 1.4\n[Term]\nid: A\tB\nname: gout\n\n[Term]\nid: C\nname: flu\n": {`f:2: ` + badID + `"A\tB"`},
		"[\"gout\",[\"A\\tB\"]]\n[\"flu\",[\"C\"]]\n":                                     {`f:1: ` + badID + `"A\tB"`},
		"id\tname\nA\tg\x00out\nC\tflu\n":                                                 {`f:2: want UTF-8, without NUL bytes, got "g\x00out"`},
		"id,name\nA,g\x00out\nC,flu\n":                                                    {`f:2: want UTF-8, without NUL bytes, got "g\x00out"`},
	} {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		dict, report, err := Read(path, Options{})
		if err != nil {
			t.Errorf("%q: %v", content, err)
			continue
		}
		for i := range want {
			want[i] = filepath.Dir(path) + "/" + want[i]
		}
		if diff := cmp.Diff(want, messages(report.Errors)); diff != "" {
			t.Errorf("%q: malformed rows (-want +got):\n%s", content, diff)
		}
		if dict.Len() == 0 {
			t.Errorf("%q: no concept is left", content)
		}
	}
}
