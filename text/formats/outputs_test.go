package formats

import (
	"bytes"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"

	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// TestAttributes writes what a text says of a mention, and by what it was found, behind the columns of every table.
func TestAttributes(t *testing.T) {
	doc := &linked.Document{ID: "7", Text: "RF", Mentions: []linked.Mention{{
		Span: text.Span{End: 2}, Text: "RF", Source: linked.SourceRecognized, RecognitionScore: .75,
		Assertion: linked.Assertion{Historical: true, OtherPerson: true},
	}}}
	docs := []*linkedTo{{NewRecord(&text.Document{ID: "7", Text: "RF"}), doc}}
	options := WriterOptions{Recognition: true, Assertion: true}
	const want = "best_evidence mention_source recognition_score negated uncertain historical hypothetical other_person"

	var written bytes.Buffer
	write(t, newXLSX(&written, options), docs...)
	workbook, err := excelize.OpenReader(&written)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := workbook.GetRows("mentions")
	if err != nil {
		t.Fatal(err)
	}
	said := strings.Join(rows[1][len(rows[1])-5:], " ")
	if names := strings.Join(rows[0], " "); !strings.HasSuffix(names, want) || said != "FALSE FALSE TRUE FALSE TRUE" {
		t.Errorf("xlsx: columns %s, cells %s", names, said)
	}

	written.Reset()
	write(t, newParquet(&written, options), docs...)
	file, err := parquet.OpenFile(bytes.NewReader(written.Bytes()), int64(written.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, column := range file.Root().Columns() {
		names = append(names, column.Name())
	}
	if got := strings.Join(names, " "); !strings.HasSuffix(got, strings.Replace(want, " ", " source ", 1)) {
		t.Errorf("parquet: columns %s", got)
	}
	cells, err := parquet.Read[struct {
		Negated     bool `parquet:"negated"`
		Historical  bool `parquet:"historical"`
		OtherPerson bool `parquet:"other_person"`
	}](bytes.NewReader(written.Bytes()), int64(written.Len()))
	if err != nil || cells[0].Negated || !cells[0].Historical || !cells[0].OtherPerson {
		t.Errorf("parquet: %+v, %v", cells, err)
	}
}

// A path names the one format that has its extension, and none if that may be another's.
func TestOfPath(t *testing.T) {
	for path, want := range map[string]Format{
		"a.jsonl": JSONL, "a.XML": BioC, "b/a.htm": HTML, "a.xlsx": XLSX, "a.parquet": Parquet,
		"a.json": "", "a.zip": "", "a": "", "a.docx": "", "jsonl": "", "a/links.SSSOM.tsv": SSSOM, "sssom.tsv": TSV,
	} {
		if got := Outputs().OfPath(path); got != want {
			t.Errorf("%s: format %q, want %q", path, got, want)
		}
	}
	for _, format := range Outputs() {
		if format.MIME == "" || len(format.Extensions) == 0 || format.Extensions[0][0] != '.' {
			t.Errorf("%s: extensions %q, content type %q", format.Name, format.Extensions, format.MIME)
		}
		empty := linkTo(NewRecord(&text.Document{ID: "1", Text: "gout"}), nil)
		if written(t, format.Name, empty) == "" {
			t.Errorf("%s: nothing is written of a document without mentions", format.Name)
		}
	}
}
