package formats

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTableColumns reads tables by the names of their columns.
func TestTableColumns(t *testing.T) {
	for _, c := range []struct {
		name, content string
		columns       map[string]string
		texts         []string
		cells         []Column // of the first row
		warnings      []string
	}{
		{name: "title and abstract", content: "PMID,Title,Abstract\n1,River fever,A flood.\n2,Flood,\n3,,Stone fever.\n",
			texts: []string{"River fever A flood.", "Flood", "Stone fever."}, cells: []Column{{"PMID", "1"}, {"Title", "River fever"}, {"Abstract", "A flood."}}},
		{name: "title alone", content: "id;title\n1;A [ENT] flood [/ENT]\n", texts: []string{"A flood"}, cells: []Column{{"id", "1"}, {"title", "A [ENT] flood [/ENT]"}}},
		{name: "title and other columns", content: "id;Title;Summary\n1;Flood;Fever\n", texts: []string{"Flood"}, cells: []Column{{"id", "1"}, {"Title", "Flood"}, {"Summary", "Fever"}},
			warnings: []string{`file:1: column "Title" alone is read: no other is called text or abstract`}},
		{name: "of Zotero", content: "Key,Title,Abstract Note\nA,Flood,A fever.\n", texts: []string{"Flood A fever."},
			cells: []Column{{"Key", "A"}, {"Title", "Flood"}, {"Abstract Note", "A fever."}}},
		{name: "sep=", content: "\"sep=;\"\r\nNoteID;NoteText\r\n7;\"Flood; fever\"\r\n", texts: []string{"Flood; fever"},
			cells: []Column{{"NoteID", "7"}, {"NoteText", "Flood; fever"}}},
		{name: "offsets count from the text", content: "title\ttext\tstart\tend\nFlood\tA fever\t2\t7\n", texts: []string{"A fever"},
			cells: []Column{{"title", "Flood"}, {"text", "A fever"}, {"start", "2"}, {"end", "7"}}},
		{name: "title of a person", content: "title,mention\nMrs,flood\n", texts: []string{"flood"}, cells: []Column{{"title", "Mrs"}, {"mention", "flood"}}},
		{name: "quotes behind backslashes", content: "id,text\n1,\"a \\\"flood\\\", b\"\n", texts: []string{"a \"flood\", b"},
			cells: []Column{{"id", "1"}, {"text", "a \"flood\", b"}}},
		{name: "a text on several rows", content: "NOTE_ID,LINE,NOTE_TEXT\n10,1,river\n10,2,fever\n10,3,b\n", texts: []string{"river", "fever", "b"},
			cells:    []Column{{"NOTE_ID", "10"}, {"LINE", "1"}, {"NOTE_TEXT", "river"}},
			warnings: []string{`file:3: rows of one identifier, "10", are read as texts of their own: join those that LINE numbers first`}},
		{name: "named", content: "a,b\nFever,flood\n", columns: map[string]string{"title": "b", "text": "1"}, texts: []string{"flood Fever"},
			cells: []Column{{"a", "Fever"}, {"b", "flood"}}},
		{name: "the same name", content: "id,text,text,text_2\n1,A,B,C\n", texts: []string{"A"}, cells: []Column{{"id", "1"}, {"text", "A"}, {"text_3", "B"}, {"text_2", "C"}},
			warnings: []string{`file:1: columns 2 and 3 are both called "text": the first is read as that, the second is called "text_3"`}},
		{
			name: "no header", content: "7\tA\tRiver fever\n8\tB\tFlood\n", columns: map[string]string{"id": "1", "text": "3"},
			texts: []string{"River fever", "Flood"}, cells: []Column{{"id", "7"}, {"column_2", "A"}, {"text", "River fever"}},
			warnings: []string{"file:1: the first row is read as a row, not as the names of the columns: its id is 7"},
		},
		{
			name: "no header above a sentence", content: "a,He had a fever.\nb,Flood\n", columns: map[string]string{"text": "2"},
			texts: []string{"He had a fever.", "Flood"}, cells: []Column{{"column_1", "a"}, {"text", "He had a fever."}},
			warnings: []string{
				"file:1: the first row is read as a row, not as the names of the columns: its text ends in '.'",
			},
		},
		{
			name: "a header that is a number", content: "2024,No.\nA,fever\n", columns: map[string]string{"text": "No."},
			texts: []string{"fever"}, cells: []Column{{"2024", "A"}, {"No.", "fever"}},
		},
		{name: "Markdown", content: "|text|id|\n|:---|---:|\n|A flood|7|\n", texts: []string{"A flood"},
			cells: []Column{{"", ""}, {"text", "A flood"}, {"id", "7"}, {"_2", ""}}},
		{name: "of Web of Science", content: "PT\tAU\tTI\tAB\nJ\tA, B\tFlood\tA fever.\n", texts: []string{"Flood A fever."},
			cells: []Column{{"PT", "J"}, {"AU", "A, B"}, {"TI", "Flood"}, {"AB", "A fever."}}},
		{name: "joined files", content: "id,text\n1,Flood\n\ufeffid,text\nid,text\n2,Fever\n", texts: []string{"Flood", "Fever"},
			cells: []Column{{"id", "1"}, {"text", "Flood"}}, warnings: []string{
				"file:3: the names of the columns again, as where files were joined: it is no row",
				"file:4: the names of the columns again, as where files were joined: it is no row",
			}},
		{name: "another text", content: "Text,Note,,\nA,B,C,D\n", texts: []string{"A"}, cells: []Column{{"Text", "A"}, {"Note", "B"}, {"", "C"}, {"_2", "D"}},
			warnings: []string{`file:1: column "Note" is not read: column "Text" is the text`}},
		{name: "a number of notes", content: "NOTE,TEXT\n7,Flood\n", texts: []string{"Flood"}, cells: []Column{{"NOTE", "7"}, {"TEXT", "Flood"}},
			warnings: []string{`file:1: column "NOTE" is not read: column "TEXT" is the text`}},
		{name: "a title by another name", content: "Document Title,Publication Title,Abstract\nFlood,J Riv,A fever.\n", texts: []string{"Flood A fever."},
			cells: []Column{{"Document Title", "Flood"}, {"Publication Title", "J Riv"}, {"Abstract", "A fever."}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var warnings []string
			r := NewReader(strings.NewReader(c.content), "file", Options{Columns: c.columns, Warn: func(e *RecordError) { warnings = append(warnings, e.Error()) }})
			all := records(t, r)
			var texts []string
			for _, record := range all {
				texts = append(texts, record.Text)
			}
			if diff := cmp.Diff(c.texts, texts); diff != "" {
				t.Errorf("texts (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.cells, all[0].Columns); diff != "" {
				t.Errorf("cells (-want +got):\n%s", diff)
			}
			if !slices.Equal(warnings, c.warnings) {
				t.Errorf("warnings %q, want %q", warnings, c.warnings)
			}
		})
	}
}

// TestTitleAboveTable reads tables of CSV below a title, and none in which a row with several cells stands above.
func TestTitleAboveTable(t *testing.T) {
	const below = `file.csv:%d: the names of the columns are read here: the rows above have one cell, as a title has`
	for _, c := range []struct {
		content string
		want    string // the text, or the error
		header  int    // line
	}{
		{"\"Exported on 1 May, 2025\",,\nid,title,abstract\n1,Flood,A fever.\n", "Flood A fever.", 2},
		{"Notes; of May\n\nid;text\n1;A flood\n", "file.csv: want documents", 0},
		{"Notes of May\n\nid;text\n1;A flood\n", "A flood", 3},
		{"Notes,of May\nid,text\n1,A flood\n", "file.csv: want documents", 0},
	} {
		var warnings []string
		r := NewReader(strings.NewReader(c.content), "file.csv", Options{Warn: func(e *RecordError) { warnings = append(warnings, e.Error()) }})
		doc, err := r.Next()
		if err != nil {
			if !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%q: %v", c.content, err)
			}
			continue
		}
		if want := []string{fmt.Sprintf(below, c.header)}; doc.Text != c.want || !slices.Equal(warnings, want) {
			t.Errorf("%q is %q with warnings %q, want %q and %q", c.content, doc.Text, warnings, c.want, want)
		}
	}
}

// TestHeader names the columns of a table that was an output before.
func TestHeader(t *testing.T) {
	h := NewTable(&WriterOptions{})
	got := h.Names(&Row{Source: []Column{{"source_text", "a"}, {"text", "b"}, {"id", "1"}, {"case", "2"}}})
	if want := append([]string{"source_text", "source_source_text", "source_id", "case"}, RowColumns()...); !slices.Equal(got, want) {
		t.Errorf("columns %q, want %q", got, want)
	}
}

// TestLinkedTable reads a table that a Writer wrote: an end that it lacks is that of the text, and an apostrophe is left
// out before a formula alone.
func TestLinkedTable(t *testing.T) {
	const table = "document\tstart\tend\ttext\tid\tpreferred_name\n" +
		"d1\t4\t\tgôut\tC1\tgout\n" + "d1\t10\t14\tague\t\t\n" + "d2\t\t\t'=1\tC2|C3\t\n" + "d3\t\t\t'tis\t\t\n" + "d4\t\t\t\t\t\n"
	r := NewReader(strings.NewReader(table), "test", Options{Format: TSV, Candidates: true, Unit: CodePoints})
	type row struct {
		ID, Text   string
		Start, End int
		Concepts   ids
	}
	var got []row
	for {
		record, err := r.NextRecord()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		next := row{ID: record.ID, Text: record.Text}
		for i, m := range record.Mentions {
			next.Start, next.End, next.Concepts = record.Annotations[i].Start, record.Annotations[i].End, m.Concepts
		}
		got = append(got, next)
	}
	want := []row{{"d1", "gôut", 4, 8, ids{"C1"}}, {"d1", "ague", 10, 14, nil}, {"d2", "=1", 0, 2, ids{"C2", "C3"}},
		{"d3", "'tis", 0, 4, nil}, {ID: "d4"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// TestTableOffsets reads mentions of a table by offsets. What is read although the file may mean something else
// is a warning.
func TestTableOffsets(t *testing.T) {
	const content = "text\tstart\tend\tmention\n" +
		"é asthma, asthma\t3\t9\tasthma\n" + // bytes
		"β-cell\t0\t6\tb-cell\n" +
		"asthma, asthma\t8\t\tasthma\n" + // the second one
		"asthma\t\t6\tasthma\n" +
		"asthma\t2\t\t\n"
	var warnings []string
	r := NewReader(strings.NewReader(content), "file", Options{Warn: func(e *RecordError) { warnings = append(warnings, e.Error()) }})
	docs, problems := readAll(t, r)
	var got []string
	for _, doc := range docs {
		for _, m := range doc.Mentions {
			got = append(got, fmt.Sprint(m.Start, " ", m.Of(doc.Text)))
		}
	}
	if want := []string{"3 asthma", "0 β-cell", "8 asthma"}; !slices.Equal(got, want) {
		t.Errorf("mentions %q, want %q", got, want)
	}
	if want := []string{
		`file:2: mention at 3-9: "asthma" is there if offsets count bytes`,
		`file:3: mention at 0-6: the mention says "b-cell", the text "β-cell"; it is taken to be normalized`,
	}; !slices.Equal(warnings, want) {
		t.Errorf("warnings %q, want %q", warnings, want)
	}
	if want := []string{
		`file:5: want a start with the end 6, or neither, got none`,
		`file:6: want an end or a mention with the start 2, got none`,
	}; !slices.Equal(problems, want) {
		t.Errorf("problems %q, want %q", problems, want)
	}
}
