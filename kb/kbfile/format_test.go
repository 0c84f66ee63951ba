package kbfile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDetect(t *testing.T) {
	tests := []struct {
		head string
		want Format
	}{
		{"", ""},
		{"\n \n", ""},
		{"one column\n", ""},
		{"a\tb", TSV},
		{"a,b", CSV},
		{"\n\n# a comment\n\na\tb, c\n", TSV},
		{"# DiseaseName\tDiseaseID\nx\tMESH:1\n", formatCTD},
		{"DiseaseName,DiseaseID\nx,MESH:1\n", formatCTD},
		{"[Term]\nid: A:1\n", formatOBO},
		{"! a comment\n\n[Term]\nid: A:1\n", formatOBO},
		{"[\"name\", [\"A:1\"]]\n", JSONL},
		{`{"id": "A:1", "name": "a"}`, JSONL},
		{`{"name": "a", "id": 7}`, JSONL},
		{`{"A:1": ["a"]}`, formatJSON},
		{`{"id": ["a name of the concept called id"]}`, formatJSON},
		{"{\n  \"A:1\": [\"a\"]\n}", formatJSON},
		{`{"types": ["T047"], "synonyms": ["` + strings.Repeat("long ", 20000), JSONL},
		{`{"xrefs": ["M:1"], "synonyms": ["` + strings.Repeat("long ", 20000), JSONL},
		{`{"A:1": ["` + strings.Repeat("long ", 20000), formatJSON},
		{"A:1||a name, with a comma|another", formatBioSyn},
		{"A:1|A:2|A:3||a name", formatBioSyn},
		{"a name, A:1||x", CSV},
		{"C0000001|ENG|P|L1|PF|S1|Y|A1||||SAB|TTY|CODE|a, name|0|N|", MRCONSO},
		{"C0000001|C0000002||a name", formatBioSyn},
	}
	for _, test := range tests {
		if got := detect([]byte(test.head)); got != test.want {
			t.Errorf("%.60q: got %q, want %q", test.head, got, test.want)
		}
	}
}

func TestParseFormat(t *testing.T) {
	for _, format := range Formats() {
		if got, err := ParseFormat(strings.ToUpper(string(format))); got != format || err != nil {
			t.Errorf("%s: got %q, %v", format, got, err)
		}
	}
	if got, err := ParseFormat(""); got != "" || err != nil {
		t.Errorf("empty: got %q, %v", got, err)
	}
	if _, err := ParseFormat("xls"); err == nil {
		t.Error("xls: no error")
	}
}

func TestColumnsWithoutAHeader(t *testing.T) {
	tests := map[string]struct {
		rows []string // cells separated by slashes
		want columns
	}{
		"id first":                    {[]string{"D1/diabetes/DM|sugar"}, columns{roleID, roleName, roleSynonyms}},
		"id second":                   {[]string{"diabetes/D1", "cancer/D2"}, columns{roleName, roleID, rolePreferred}},
		"id second, a bar behind":     {[]string{"diabetes/D1/x", "cancer/D2/tumor|tumour"}, columns{roleName, roleID, roleSynonyms}},
		"names with digits":           {[]string{"BRCA1/672", "brca 2/675"}, columns{roleName, roleID, rolePreferred}},
		"numbers first":               {[]string{"672/BRCA1", "675/brca two"}, columns{roleID, roleName, roleSynonyms}},
		"no digits, the second again": {[]string{"heart attack/MI", "infarction/MI"}, columns{roleName, roleID, rolePreferred}},
		"no digits, nothing again":    {[]string{"MI/heart attack", "HF/heart failure"}, columns{roleID, roleName, roleSynonyms}},
		"one column":                  {[]string{"MI", "HF"}, columns{roleName, roleID, rolePreferred}},
	}
	for name, test := range tests {
		var sample []row
		for i, text := range test.rows {
			sample = append(sample, row{Cells: strings.Split(text, "/"), Line: i + 1})
		}
		if diff := cmp.Diff(test.want, inferColumns(sample)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestColumnsByHeader(t *testing.T) {
	tests := []struct {
		header string
		want   columns
	}{
		{"id,name,synonyms", columns{roleID, roleName, roleSynonyms}},
		{"MESH_ID,MESH_NAME,PARENT_MESH_ID,PARENT_MESH_CATEGORY,LEVEL", columns{roleID, roleName, roleParents, roleUnused, roleUnused}},
		{"ChemicalName,ChemicalID,CasRN,PubChemCID,Definition,ParentIDs,TreeNumbers,ParentTreeNumbers,MESHSynonyms,CTDCuratedSynonyms",
			columns{roleName, roleID, roleUnused, roleUnused, roleUnused, roleParents, roleTreeNumbers, roleUnused, roleSynonyms, roleSynonyms}},
		{"GeneSymbol,GeneName,GeneID,AltGeneIDs,Synonyms", columns{roleSynonyms, roleName, roleID, roleAltIDs, roleSynonyms}},
		{"Preferred Label,ICD-10 code", columns{roleName, roleID}},
		{"tax_id,GeneID,name", columns{roleUnused, roleID, roleName}},
		{"geneId,geneSymbol,diseaseId,diseaseName", columns{roleID, roleSynonyms, roleUnused, roleUnused}},
		{"MESH_ID,source_name,MESHSynonyms", columns{roleID, roleUnused, roleSynonyms}},
		{"GeneID,HGNC_ID,HGNC_symbol", columns{roleID, roleUnused, roleSynonyms}}, // its one name
		{"tax_id,name", columns{roleID, roleName}},
		{"id,concept_id,language_id,term", columns{roleUnused, roleID, roleUnused, roleName}},
		{"liquid,solid", columns{roleUnused, roleUnused}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, rolesOf(strings.Split(test.header, ","))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.header, diff)
		}
	}
}
