package kbfile

import (
	"bufio"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
)

// readContent reads a dictionary in a file called file.
func readContent(content string, o Options) (*kb.Dictionary, *Report, error) {
	return read(bufio.NewReaderSize(strings.NewReader(content), 64<<10), "file", o)
}

// TestObjects reads lists of JSON objects, and objects with other names of members, as tables.
func TestObjects(t *testing.T) {
	river := kb.Concept{ID: "D1", Name: "river fever", Synonyms: []string{"bank fever"}}
	flood := kb.Concept{ID: "2", Name: "flood"}
	for _, c := range []struct {
		name, content string
		columns       []ColumnChoice
		want          []kb.Concept
		problem       string // the first malformed row, or the error
	}{
		{name: "a list", content: `[{"id": "D1", "name": "river fever", "synonyms": ["bank fever"]}, {"id": 2, "name": "flood"}]`,
			want: []kb.Concept{flood, river}},
		{name: "a member", content: `{"id": "v1", "count": 1, "terms": [{"code": 2, "label": "flood"}, {"code": "D1", "label": "river fever", "aliases": "bank fever"}]}`,
			want: []kb.Concept{flood, river}},
		{name: "synonyms by scope", content: `{"id": "D1", "name": "river fever", "synonyms": {"hasExactSynonym": ["bank fever"], "hasBroadSynonym": null}, "code": "x"}` + "\n",
			want: []kb.Concept{river}},
		{name: "names in objects", content: "{\"id\": 2, \"name\": \"flood\"}\n{\"id\": \"D1\", \"name\": \"a\", \"synonyms\": {\"en\": \"b\"}}\n", want: []kb.Concept{flood},
			problem: `file:2: want a list of strings in "en", got "\"b\""`},
		{name: "a member that is cut", content: `{"terms": [{"code": 2, "label": "flood"}`, problem: "file:1: want JSON, got an unfinished value"},
		{name: "on several lines", content: "[\n {\n  \"code\": \"D1\",\n  \"label\": \"river fever\",\n  \"aliases\": [\"bank fever\"]\n }\n]\n",
			want: []kb.Concept{river}},
		{name: "lines", content: "{\"code\": \"D1\", \"label\": \"river fever\", \"aliases\": [\"bank fever\"]}\n{\"code\": 2, \"label\": \"flood\"}\n",
			want: []kb.Concept{flood, river}},
		{name: "a later member", content: `[{"id": 2, "name": "flood"}, {"name": "river fever", "id": "D1", "synonyms": "bank fever"}]`,
			want: []kb.Concept{flood, river}},
		{name: "retired", content: `[{"id": 2, "name": "flood", "deprecated": false}, {"id": 3, "name": "deluge", "deprecated": true}]`,
			want: []kb.Concept{flood}},
		{name: "null", content: `[{"id": 2, "name": "flood", "synonyms": null, "parents": [], "note": {"a": 1}}]`, want: []kb.Concept{flood}},
		{name: "other case", content: `[{"id": 2, "Name": "deluge", "name": "flood"}]`, want: []kb.Concept{flood}},
		{name: "chosen members", content: `[{"a": 2, "b": "flood"}]`, columns: []ColumnChoice{{"id", "a"}, {"name", "b"}}, want: []kb.Concept{flood}},
		{name: "chosen members of lines", content: "{\"a\": 2, \"b\": \"flood\"}\n", columns: []ColumnChoice{{"id", "a"}, {"name", "b"}},
			want: []kb.Concept{flood}},
		{name: "unknown members", content: `[{"a": 2, "b": "flood"}]`, problem: `want a header that names a column of ids and one of names, got ["a" "b"]`},
		{name: "objects for names", content: "[{\"id\": 2, \"name\": \"flood\"},\n{\"id\": 3, \"name\": {\"en\": \"deluge\"}}]", want: []kb.Concept{flood},
			problem: `file:2: want a string or a list of strings in "name", got "{\"en\": \"deluge\"}"`},
		{name: "bars", content: `[{"id": 2, "name": "flood"}, {"id": 3, "name": "a", "synonyms": ["b|c"]}]`, want: []kb.Concept{flood},
			problem: `file:1: want strings without bars in "synonyms", got "\"b|c\""`},
		{name: "twice", content: `[{"id": 2, "name": "flood"}, {"id": 3, "id": 4, "name": "a"}]`, want: []kb.Concept{flood},
			problem: `file:1: want each member of an object once, got another "id"`},
		{name: "cut", content: `[{"id": 2, "name": "flood"}, {"id": 3,`, problem: "file:1: want JSON, got an unfinished value"},
		{name: "no object", content: `[{"id": 2, "name": "flood"}, "deluge"]`, want: []kb.Concept{flood},
			problem: `file:1: want an object, got "\"deluge\""`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, report, err := readContent(c.content, Options{Columns: c.columns})
			problem := ""
			switch {
			case err != nil:
				problem = err.Error()
			case len(report.Errors) > 0:
				problem = report.Errors[0].Error()
			}
			if !strings.Contains(problem, c.problem) || c.problem == "" && problem != "" {
				t.Errorf("problem %q, want %q", problem, c.problem)
			}
			var got []kb.Concept
			if err == nil {
				got = concepts(d)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestMissingValues: what pandas and databases write for no value is no name, no id and no synonym.
func TestMissingValues(t *testing.T) {
	d, report, err := readContent("id,name,synonyms,parent\nD1,river fever,nan,NULL\nD2,None,bank fever,\nnan,flood,,\nD3,Nan disease,N/A,D1\n",
		Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []kb.Concept{
		{ID: "D1", Name: "river fever"}, {ID: "D2", Synonyms: []string{"bank fever"}},
		{ID: "D3", Name: "Nan disease", Parents: []kb.ConceptID{"D1"}},
	}
	if diff := cmp.Diff(want, concepts(d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if report.EmptyNames != 1 || report.BadRows != 1 {
		t.Errorf("%d empty names and %d malformed rows, want 1 and 1", report.EmptyNames, report.BadRows)
	}
}

// TestJoinedTables: rows that are blank, or the header again, are none, and a header that cannot be read is an error:
// its columns are not guessed.
func TestJoinedTables(t *testing.T) {
	d, report, err := readContent("id,name,\nD1,river fever,\n,,\nid,name,\nD2,flood,\n, ,\n", Options{})
	if err != nil || d.Len() != 2 || report.BadRows != 0 {
		t.Errorf("%d concepts, %d malformed rows, %v; want 2 and none", d.Len(), report.BadRows, err)
	}
	_, _, err = readContent("K\xfcrzel;Bezeichnung\nD1;Flussfieber\nD2;Steinfieber\n", Options{})
	if err == nil || !strings.Contains(err.Error(), "file:1: want UTF-8, got byte 0xfc") {
		t.Errorf("a header in another encoding: %v", err)
	}
	for content, want := range map[string]string{
		"##gff-version 3\nchr1\tx\tgene\t1\t2\n": "got GFF", "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\n": "got VCF",
		"<Ontology><Declaration/></Ontology>":           "not as OWL/XML",
		"<ICD10CM.tabular><chapter/></ICD10CM.tabular>": "take the code or the order file of CMS",
	} {
		if _, _, err := readContent(content, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
	}
}

// TestDamagedIDs: ids that a program has changed, or that look like others, are read as they were or refused.
func TestDamagedIDs(t *testing.T) {
	d, _, err := readContent("id\tname\n\ufeffD1\u200b\triver fever\n", Options{})
	if err != nil || d.Lookup("D1") == nil {
		t.Errorf("a byte-order mark before an id: %v", err)
	}
	for content, want := range map[string]string{
		"id\tname\nD\u200b1\triver fever\n":                           `want an id without invisible characters, got "D\u200b1"`,
		"id,name\n38341003.0,river fever\n22298006.0,flood\n":         "want the id as it was, got 38341003.0, as pandas writes",
		"id,name\n38341003.0,river fever\n,stone\n22298006.0,flood\n": "want the id as it was, got 38341003.0, as pandas writes",
	} {
		if _, _, err := readContent(content, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
	}
	d, _, err = readContent("id,name\n1.0,chapter\n1.1,section\n2000.0,other\n", Options{}) // numbers of sections
	if err != nil || d.Len() != 3 {
		t.Errorf("numbers of sections: %v", err)
	}
	_, report, err := readContent("id,name,parent\nD1,river fever,\nD2,stone fever,river fever\n", Options{})
	if err != nil || report.ParentNotID != "river fever" {
		t.Errorf("a parent by its name: %q, %v", report.ParentNotID, err)
	}
	_, report, err = readContent("id\tname\nD1\tGaucher&#39;s disease\nD2\tAT&T\nD3\tC<sub>1</sub>\nD4\tp <i 5\n", Options{})
	if err != nil || report.Markup != 2 || report.MarkedUp != "Gaucher&#39;s disease" {
		t.Errorf("%d names with markup, %q, %v", report.Markup, report.MarkedUp, err)
	}
}
