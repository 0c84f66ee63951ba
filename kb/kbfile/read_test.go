package kbfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

type ids = []kb.ConceptID

func concepts(d *kb.Dictionary) []kb.Concept {
	var all []kb.Concept
	for _, c := range d.All() {
		all = append(all, *c)
	}
	return all
}

func TestMaxErrorsLimitsListNotCount(t *testing.T) {
	_, report, err := Read(writeFile(t, "bad.csv", "id,name\nC1,a\n"+strings.Repeat(",b\n", 30)), Options{})
	must.Succeed(t, err)
	if len(report.Errors) != maxErrors || report.BadRows != 30 {
		t.Errorf("%d errors listed of %d malformed rows, want %d of 30", len(report.Errors), report.BadRows, maxErrors)
	}
}

// writeFile writes a file to a temporary folder and returns its path.
func writeFile(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Succeed(t, os.WriteFile(path, []byte(content), 0o644))
	return path
}

// TestOBOValues checks that values exclude qualifiers and comments, and that names keep braces.
func TestOBOValues(t *testing.T) {
	for value, want := range map[string]string{
		`X:2 {source="A \"b\" {c}", cardinality="1"} ! comment`: "X:2", `X:2 ! comment {x="y"}`: "X:2", `X:2 {x="y"}`: "X:2",
		`acid {bound} form`: "acid {bound} form", `acid {a=b}`: "acid {a=b}", `what! now`: "what! now", `a\{b\!c`: "a{b!c",
	} {
		if got := oboValue(value); got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "dictionary.d"), 0o755); err != nil { // not a dictionary
		t.Fatal(err)
	}
	for _, test := range []struct{ create, found, err string }{
		{"notes.txt", "", "no file called dictionary.*: file does not exist"},
		{"dictionary.tsv~", "", "no file called dictionary.*: file does not exist"}, // an editor's backup
		{"dictionary.obo.gz", "dictionary.obo.gz", ""},
		{"dictionary.tsv", "", "2 files called dictionary.*, want one: dictionary.obo.gz, dictionary.tsv"},
	} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, test.create), nil, 0o644))
		path, err := Find(dir)
		if test.err != "" && (err == nil || err.Error() != dir+": "+test.err) || test.err == "" && path != filepath.Join(dir, test.found) {
			t.Errorf("with %s: %q, %v, want %+v", test.create, path, err, test)
		}
	}
	if _, err := Find(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: got error %v", err)
	}
}

// TestDetect detects formats that the cases do not cover.
func TestDetect(t *testing.T) {
	tests := []struct {
		head string
		want Format
	}{
		{"", ""},
		{"\n \n", ""},
		{"one column\n", ""},
		{"\n\n# a comment\n\na\tb, c\n", TSV},
		{"! a comment\n\n[Term]\nid: A:1\n", "obo"},
		{`{"name": "a", "id": 7}`, JSONL},
		{`{"id": ["a name of the concept called id"]}`, formatJSON},
		{`{"types": ["T047"], "synonyms": ["` + strings.Repeat("long ", 20000), JSONL},
		{`{"xrefs": ["M:1"], "synonyms": ["` + strings.Repeat("long ", 20000), JSONL},
		{`{"A:1": ["` + strings.Repeat("long ", 20000), formatJSON},
		{"A:1||a name, with a comma|another", "biosyn"},
		{"a name, A:1||x", CSV},
		{"C0000001|ENG|P|L1|PF|S1|Y|A1||||SAB|TTY|CODE|a, name|0|N|", MRCONSO},
		{"C0000001|C0000002||a name", "biosyn"},
	}
	for _, test := range tests {
		if got := formatOf("", []byte(test.head)); got == nil && test.want != "" || got != nil && got.name != test.want {
			t.Errorf("%.60q: got %v, want %q", test.head, got, test.want)
		}
	}
}

func TestFormatOf(t *testing.T) {
	for _, format := range Formats() {
		if got := formatOf(Format(strings.ToUpper(string(format))), nil); got == nil || got.name != format {
			t.Errorf("%s: got %v", format, got)
		}
	}
	if formatOf("xls", nil) != nil {
		t.Error("xls: no error")
	}
}

// TestColumns determines the roles of columns from a header, or from the rows of a table without one.
func TestColumns(t *testing.T) {
	rolesByRows := func(text string) columns {
		var sample []row
		for line := range strings.SplitSeq(text, ";") {
			sample = append(sample, row{Cells: strings.Split(line, ",")})
		}
		return inferColumns(sample)
	}
	rolesByHeader := func(header string) columns { return rolesOf(strings.Split(header, ",")) }
	for _, test := range []struct {
		roles      func(string) columns
		text, want string
	}{
		{rolesByRows, "D1,diabetes,DM|sugar", "id,name,synonyms"},
		{rolesByRows, "diabetes,D1;cancer,D2", "name,id,preferred_name"},
		{rolesByRows, "diabetes,D1,x;cancer,D2,tumor|tumour", "name,id,synonyms"},
		{rolesByRows, "BRCA1,672;brca 2,675", "name,id,preferred_name"}, // names with digits
		{rolesByRows, "672,BRCA1;675,brca two", "id,name,synonyms"},
		{rolesByRows, "heart attack,MI;infarction,MI", "name,id,preferred_name"}, // no digits; the second column repeats
		{rolesByRows, "MI,heart attack;HF,heart failure", "id,name,synonyms"},
		{rolesByRows, "MI;HF", "name,id,preferred_name"},
		{rolesByHeader, "id,name,synonyms", "id,name,synonyms"},
		{rolesByHeader, "MESH_ID,MESH_NAME,PARENT_MESH_ID,PARENT_MESH_CATEGORY,LEVEL", "id,name,parents,,"},
		{rolesByHeader, "ChemicalName,ChemicalID,CasRN,PubChemCID,Definition,ParentIDs", "name,id,,,,parents"},
		{rolesByHeader, "ChemicalID,TreeNumbers,ParentTreeNumbers,CTDCuratedSynonyms", "id,tree_numbers,,synonyms"},
		{rolesByHeader, "GeneSymbol,GeneName,GeneID,AltGeneIDs,Synonyms", "synonyms,name,id,alt_ids,synonyms"},
		{rolesByHeader, "Preferred Label,ICD-10 code", "name,id"},
		{rolesByHeader, "tax_id,GeneID,name", ",id,name"},
		{rolesByHeader, "geneId,geneSymbol,diseaseId,diseaseName", "id,synonyms,,"},
		{rolesByHeader, "MESH_ID,source_name,MESHSynonyms", "id,,synonyms"},
		{rolesByHeader, "GeneID,HGNC_ID,HGNC_symbol", "id,,synonyms"}, // the only name
		{rolesByHeader, "tax_id,name", "id,name"},
		{rolesByHeader, "id,concept_id,language_id,term", ",id,,name"},
		{rolesByHeader, "liquid,solid", ","},
	} {
		var got []string
		for _, role := range test.roles(test.text) {
			got = append(got, string(role))
		}
		if strings.Join(got, ",") != test.want {
			t.Errorf("%s: %q, want %s", test.text, got, test.want)
		}
	}
}

func TestSniffDelimiter(t *testing.T) {
	for text, want := range map[string]string{
		"id,name\nD1,a;b\n":                        ",",
		"id;name\nD1;cancer, breast\n":             ";", // by the header
		"id|name|synonyms\nD1|a|b\n":               "|",
		"D1,a;b\nD2,c\nD3,d;e;f\n":                 ",", // commas give all rows two cells
		"D1;a, b\nD2;c\n":                          ";",
		"D1;\"a;b\"\nD2;c\n":                       ";", // quoted
		"D1;a\n":                                   ";",
		"D1|a, b\n":                                ",", // bars without a header separate names
		"one column\n":                             ",",
		"D1;a, b\nD2;c, d\n":                       "", // both are equally likely
		"D1;a, b\nD2;c, d, e\nD3;f;g\n":            "",
		"D1;a, b\nD2;c\nD3;incomplete, last, line": ";",
	} {
		got, err := sniffDelimiter([]byte(text))
		switch {
		case want == "" && !errors.Is(err, ErrDelimiter):
			t.Errorf("%q: got %q and error %v, want ErrDelimiter", text, got, err)
		case want != "" && (err != nil || string(got) != want):
			t.Errorf("%q: got %q and error %v, want %q", text, got, err, want)
		}
	}
}
