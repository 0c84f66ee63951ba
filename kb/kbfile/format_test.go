package kbfile

import (
	"strings"
	"testing"
)

// TestDetect tells the formats of beginnings that cases do not have.
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
		if got := detect([]byte(test.head)); got != test.want {
			t.Errorf("%.60q: got %q, want %q", test.head, got, test.want)
		}
	}
}

func TestParseFormat(t *testing.T) {
	for _, format := range append(Formats(), "") {
		if got, err := ParseFormat(strings.ToUpper(string(format))); got != format || err != nil {
			t.Errorf("%s: got %q, %v", format, got, err)
		}
	}
	if _, err := ParseFormat("xls"); err == nil {
		t.Error("xls: no error")
	}
}

// TestColumns tells the roles of columns by a header, or by the rows of a table without one.
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
		{rolesByRows, "heart attack,MI;infarction,MI", "name,id,preferred_name"}, // no digits, the second again
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
		{rolesByHeader, "GeneID,HGNC_ID,HGNC_symbol", "id,,synonyms"}, // its one name
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
