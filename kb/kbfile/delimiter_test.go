package kbfile

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
)

func TestSniffDelimiter(t *testing.T) {
	for text, want := range map[string]string{
		"id,name\nD1,a;b\n":                        ",",
		"id;name\nD1;cancer, breast\n":             ";", // by the header
		"id|name|synonyms\nD1|a|b\n":               "|",
		"D1,a;b\nD2,c\nD3,d;e;f\n":                 ",", // all rows have two cells by commas
		"D1;a, b\nD2;c\n":                          ";",
		"D1;\"a;b\"\nD2;c\n":                       ";", // quoted
		"D1;a\n":                                   ";",
		"D1|a, b\n":                                ",", // bars without a header separate names
		"one column\n":                             ",",
		"D1;a, b\nD2;c, d\n":                       "", // as well the one as the other
		"D1;a, b\nD2;c, d, e\nD3;f;g\n":            "",
		"D1;a, b\nD2;c\nD3;incomplete, last, line": ";",
	} {
		got, err := sniffDelimiter([]byte(text))
		var uncertain *DelimiterError
		switch {
		case want == "" && !errors.As(err, &uncertain):
			t.Errorf("%q: got %q and error %v, want a DelimiterError", text, got, err)
		case want != "" && (err != nil || string(got) != want):
			t.Errorf("%q: got %q and error %v, want %q", text, got, err, want)
		}
	}
}

// TestTables reads tables as they come from spreadsheets and databases.
func TestTables(t *testing.T) {
	for name, test := range map[string]struct {
		text    string
		opts    Options
		want    []kb.Concept
		columns []Column
	}{
		"numbered synonyms": {
			text:    "id,name,syn1,Synonym 2,name2\nD1,a,b,c,d\nD2,e,,,\n",
			want:    []kb.Concept{{ID: "D1", Name: "a", Synonyms: []string{"b", "c", "d"}}, {ID: "D2", Name: "e"}},
			columns: []Column{{"id", "id", ""}, {"name", "name", ""}, {"syn1", "synonyms", ""}, {"Synonym 2", "synonyms", ""}, {"name2", "synonyms", ""}},
		},
		"semicolons in a cell": {
			text:    "id\tname\tsynonyms\nD1\ta; b\tc; d;e\nD2\tf\tR&amp;D; g\n",
			want:    []kb.Concept{{ID: "D1", Name: "a; b", Synonyms: []string{"c", "d", "e"}}, {ID: "D2", Name: "f", Synonyms: []string{"R&D", "g"}}},
			columns: []Column{{"id", "id", ""}, {"name", "name", ""}, {"synonyms", "synonyms", ";"}},
		},
		"bars come before semicolons": {
			text:    "id\tname\tsynonyms\nD1\ta\tb;c|d\nD2\te\tf;g\n",
			want:    []kb.Concept{{ID: "D1", Name: "a", Synonyms: []string{"b;c", "d"}}, {ID: "D2", Name: "e", Synonyms: []string{"f;g"}}},
			columns: []Column{{"id", "id", ""}, {"name", "name", ""}, {"synonyms", "synonyms", "|"}},
		},
		"line breaks in a cell": {
			text:    "id,name,synonyms\nD1,a,\"b\nc\"\n",
			want:    []kb.Concept{{ID: "D1", Name: "a", Synonyms: []string{"b", "c"}}},
			columns: []Column{{"id", "id", ""}, {"name", "name", ""}, {"synonyms", "synonyms", "\n"}},
		},
		"names by language": {
			text:    "code,label_en,Label (fr),altLabel_de,note_id\nD1,a,b,c,d\n",
			want:    []kb.Concept{{ID: "D1", Name: "a", Synonyms: []string{"b", "c"}}},
			columns: []Column{{"code", "id", ""}, {"label_en", "name", ""}, {"Label (fr)", "synonyms", ""}, {"altLabel_de", "synonyms", ""}, {"note_id", "", ""}},
		},
		"quotes behind backslashes, and texts as formulas": {
			text:    "id,name,synonyms\n=\"007\",\"a \\\"b\\\", c\",\"d\"\n",
			want:    []kb.Concept{{ID: "007", Name: "a \"b\", c", Synonyms: []string{"d"}}},
			columns: []Column{{"id", "id", ""}, {"name", "name", ""}, {"synonyms", "synonyms", ""}},
		},
		"a line break in quotes beside tabs": {
			text:    "id\tname\nD1\t\"river\nfever\"\nD2\t\"flood\n",
			want:    []kb.Concept{{ID: "D1", Name: "river\nfever"}, {ID: "D2", Name: "\"flood"}},
			columns: []Column{{"id", "id", ""}, {"name", "name", ""}},
		},
		"a quotation in a cell": {
			text:    "id,name\nD1,river \"old\" fever\n",
			want:    []kb.Concept{{ID: "D1", Name: "river \"old\" fever"}},
			columns: []Column{{"id", "id", ""}, {"name", "name", ""}},
		},
		"separator given": {
			text:    "id\tname\nD1\ta, b\n",
			opts:    Options{Separator: ","},
			want:    []kb.Concept{{ID: "D1", Name: "a", Synonyms: []string{"b"}}},
			columns: []Column{{"id", "id", ""}, {"name", "name", ","}},
		},
		"header of unknown names, chosen by number": {
			text:    "Merkmal;Wort\nD1;a\nD2;b\n",
			opts:    Options{Columns: []ColumnChoice{{"id", "1"}, {"name", "2"}}},
			want:    []kb.Concept{{ID: "D1", Name: "a"}, {ID: "D2", Name: "b"}},
			columns: []Column{{"Merkmal", "id", ""}, {"Wort", "name", ""}},
		},
		"types": {
			text:    "CUI|STR|STY\nC1|a|Disease\n",
			want:    []kb.Concept{{ID: "C1", Name: "a", Types: []string{"Disease"}}},
			columns: []Column{{"CUI", "id", ""}, {"STR", "name", ""}, {"STY", "types", ""}},
		},
		"one name a row": {
			text:    "id,name,x\nD1,a,1\nD1,b,2\n",
			want:    []kb.Concept{{ID: "D1", Synonyms: []string{"a", "b"}}},
			columns: []Column{{"id", "id", ""}, {"name", "name", ""}, {"x", "", ""}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := writeFile(t, "table", test.text)
			d, report, err := Read(path, test.opts)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, concepts(d)); diff != "" {
				t.Errorf("concepts (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.columns, report.Columns); diff != "" {
				t.Errorf("columns (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCellsBehindTheLastColumnAreCounted(t *testing.T) {
	_, report, err := Read(writeFile(t, "table", "id,name,synonyms\nD1,a,b,c,d\nD2,e,f,\n"), Options{})
	if err != nil || report.ExtraCells != 2 {
		t.Errorf("%d extra cells (error %v), want 2: c and d", report.ExtraCells, err)
	}
}

// TestTextsCutByDelimiters: a name with a comma and no quotes is no shorter name.
func TestTextsCutByDelimiters(t *testing.T) {
	for _, test := range []struct {
		name, text string
		concepts   int
		problem    string // the first malformed row
	}{
		{"a name", "id,name\nD1,Fever, river\nD2,Flood\n", 1, `:2: want quotes around a cell with the delimiter in it, got 3 cells: "D1,Fever, river"`},
		{"a name of chemistry", "id,name\nD1,1,2-ethane\nD2,Flood\n", 1, `:2: want quotes around a cell with the delimiter in it, got 3 cells: "D1,1,2-ethane"`},
		{"before a column that is not used", "id;name;date\nD1;Fever; river;2020\nD2;Flood;2021\n", 1,
			`:2: want quotes around a cell with the delimiter in it, got 4 cells: "D1;Fever; river;2020"`},
		{"before synonyms", "id,name,synonyms\nD1,Fever, river,Deluge\nD2,Flood,\n", 1,
			`:2: want quotes around a cell with the delimiter in it, got 4 cells: "D1,Fever, river,Deluge"`},
		{"without a header", "D1,Fever, river\nD2,Flood\nD3,Stone\n", 2, `:1: want quotes around a cell with the delimiter in it, got 3 cells: "D1,Fever, river"`},
		{"more synonyms", "id,name,synonyms\nD1,Fever,a,b\n", 1, ""},
		{"empty cells", "id,name\nD1,Fever,,\n", 1, ""},
		{"spaces everywhere", "D1, Fever, River fever\nD2, Flood, Deluge\n", 2, ""},
		{"tabs", "id\tname\nD1\tFever\t river\n", 1, ""},
	} {
		d, report, err := Read(writeFile(t, "table", test.text), Options{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		problem := ""
		if len(report.Errors) > 0 {
			problem = report.Errors[0].Error()
		}
		if d.Len() != test.concepts || !strings.HasSuffix(problem, test.problem) || (problem == "") != (test.problem == "") {
			t.Errorf("%s: %d concepts and problem %q, want %d and %q", test.name, d.Len(), problem, test.concepts, test.problem)
		}
	}
}

func TestRowsTakenOut(t *testing.T) {
	for text, want := range map[string]int{
		"#id\tname\nD1\tFlood\n#D2\tFever\n":      1,
		"id,name\n#1,Flood\n#2,Fever\n":           2, // ids
		"name,id\nFlood,D1\n#hashtag,D2\n":        2, // names
		"id,name\nD1,Flood\n# Fever and others\n": 1,
	} {
		d, report, err := Read(writeFile(t, "table", text), Options{})
		if err != nil || d.Len() != want || len(report.Errors) > 0 {
			t.Errorf("%q: %v, %d malformed rows, error %v, want %d concepts", text, d, len(report.Errors), err, want)
		}
	}
}

func TestRowsInQuotes(t *testing.T) {
	_, _, err := Read(writeFile(t, "table", "\"id;name\"\n\"D1;Flood\"\n"), Options{})
	if err == nil || !strings.HasSuffix(err.Error(), `want each cell in quotes, or none, got "id;name": each row is in quotes as one cell`) {
		t.Errorf("error %v", err)
	}
}

func TestMarkdownTable(t *testing.T) {
	d, report, err := Read(writeFile(t, "table", "| id | name |\n|----|:-----|\n| D1 | Flood |\n| D2 | Fever |\n"), Options{})
	if err != nil || d.Len() != 2 || len(report.Errors) > 0 {
		t.Errorf("%d concepts, %d malformed rows, error %v, want 2 and none", d.Len(), len(report.Errors), err)
	}
}

func TestEncoding(t *testing.T) {
	path := writeFile(t, "cp1252.csv", "id,name\nD1,M\xe9ni\xe8re\x92s disease\n")
	d, _, err := Read(path, Options{Encoding: "cp1252"})
	if err != nil || d.At(0).Name != "Ménière’s disease" {
		t.Errorf("got %v and error %v", d, err)
	}
	_, _, err = Read(path, Options{Strict: true})
	if err == nil || !strings.HasSuffix(err.Error(), "cp1252.csv:2: want UTF-8, got byte 0xe9 at offset 4 (is the file Latin-1 or Shift-JIS?)") {
		t.Errorf("without the encoding: %v", err)
	}
	// A header that is not known is no concept where no row below it can be read.
	_, _, err = Read(writeFile(t, "table", "cle;libelle_court;libelle_long\nA00;Fi\xe8vre;Fi\xe8vre du fleuve\n"), Options{})
	if err == nil || !strings.HasSuffix(err.Error(), "table:2: want UTF-8, got byte 0xe8 at offset 6 (is the file Latin-1 or Shift-JIS?)") {
		t.Errorf("without the encoding, below a header: %v", err)
	}
	if err := CheckEncoding("klingon"); err == nil {
		t.Error("klingon: no error")
	}
}
