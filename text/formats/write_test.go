package formats

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// linkTo returns the record with each mention linked to the concept that to returns; "" means NIL.
func linkTo(r *Record, to func(i int) kb.ConceptID) *linkedTo {
	d := &linked.Document{ID: r.ID, Text: r.Text}
	for i, m := range r.Mentions {
		mention := linked.Mention{Span: m.Span, Text: m.Of(r.Text), Type: m.Type}
		if id := to(i); id != "" {
			mention.Candidates = []linked.Candidate{{Concept: id, Name: "name of " + string(id), MatchedName: "name", Probability: .9}}
		}
		d.Mentions = append(d.Mentions, mention)
	}
	return &linkedTo{r, d}
}

// linkedTo is a record with its linked document.
type linkedTo struct {
	Record *Record
	*linked.Document
}

// records reads all records of a file, without an error.
func records(t testing.TB, r *Reader) []*Record {
	t.Helper()
	all, problems := readAll(t, r)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return all
}

// written returns the documents in a format with a single file.
func written(t testing.TB, format Format, docs ...*linkedTo) string {
	t.Helper()
	var b strings.Builder
	w := must.Get(NewWriter(&b, format))
	write(t, w, docs...)
	return b.String()
}

// write writes documents and closes the file.
func write(t testing.TB, w Writer, docs ...*linkedTo) {
	t.Helper()
	for _, doc := range docs {
		must.Succeed(t, w.Write(doc.Record, doc.Document))
	}
	must.Succeed(t, w.Close())
}

// reread writes documents and reads them.
func reread(t *testing.T, format Format, docs []*linkedTo) []*Record {
	t.Helper()
	if format != BRAT {
		return records(t, NewReader(strings.NewReader(written(t, format, docs...)), "file", Options{Format: format}))
	}
	dir := t.TempDir()
	w := NewBRATWriter(func(name, content string) error {
		return os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666)
	}, WriterOptions{})
	var read []*Record
	for _, doc := range docs {
		must.Succeed(t, w.Write(doc.Record, doc.Document))
		r := must.Get(Open(filepath.Join(dir, doc.Record.ID+".ann"), Options{}))
		read = append(read, records(t, r)...)
		r.Close()
	}
	return read
}

func TestIsFormula(t *testing.T) {
	for cell, want := range map[string]bool{
		"=1+1": true, "@SUM(A1)": true, "+49 30 1234": true, "-OH": true, "-2+3+cmd|' /C calc'!A0": true, "\tx": true, "\rx": true, "-": true,
		"": false, "-5": false, "+1.5e3": false, "5-FU": false, "2,4-D": false, "'=1": false, "β-cell": false, "α": false,
	} {
		if got := isFormula(cell); got != want {
			t.Errorf("isFormula(%q) = %t, want %t", cell, got, want)
		}
	}
}

// TestAttributes writes the assertion and the source of mentions, in the last columns of every table.
func TestAttributes(t *testing.T) {
	doc := &linked.Document{ID: "7", Text: "RF", Mentions: []linked.Mention{{
		Span: text.Span{End: 2}, Text: "RF", Source: linked.SourceRecognized, RecognitionScore: .75,
		Assertion: linked.Assertion{Historical: true, OtherPerson: true},
	}}}
	docs := []*linkedTo{{NewRecord(&text.Document{ID: "7", Text: "RF"}), doc}}
	options := WriterOptions{Recognition: true, Assertion: true}
	const want = "review mention_source recognition_score negated uncertain historical hypothetical other_person"

	var written bytes.Buffer
	write(t, newXLSX(&written, options), docs...)
	_, rows := openSheet(t, &written)
	said := strings.Join(rows[1][len(rows[1])-5:], " ")
	if names := strings.Join(rows[0], " "); !strings.HasSuffix(names, want) || said != "FALSE FALSE TRUE FALSE TRUE" {
		t.Errorf("xlsx: columns %s, cells %s", names, said)
	}

	written.Reset()
	write(t, newParquet(&written, options), docs...)
	file := must.Get(parquet.OpenFile(bytes.NewReader(written.Bytes()), int64(written.Len())))
	var names []string
	for _, column := range file.Root().Columns() {
		names = append(names, column.Name())
	}
	if got := strings.Join(names, " "); !strings.HasSuffix(got, "source "+want) {
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

// TestOfPath checks that a path yields the format with its extension, or none if the extension is ambiguous.
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

// TestWriteJSONL reads the written documents.
func TestWriteJSONL(t *testing.T) {
	want := []*text.Document{
		{ID: "12", Text: "日本 ïs <AD>", Group: "AD", Mentions: []text.Mention{
			{Span: text.Span{Start: 0, End: 6}, Type: "Disease", Concepts: ids{"D1", "D2"}, Composite: true},
			{Span: text.Span{Start: 12, End: 14}, Sense: &text.Sense{LongForm: "Alzheimer disease", Records: 3}},
		}},
		{ID: "b", Text: "none"},
	}
	var out strings.Builder
	must.Succeed(t, WriteJSONL(&out, want))
	var docs []*text.Document
	for _, record := range records(t, NewReader(strings.NewReader(out.String()), "file", Options{})) {
		docs = append(docs, record.Document)
	}
	if diff := cmp.Diff(want, docs); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, out.String())
	}
	if !strings.Contains(out.String(), `"ids":[],"sense":`) {
		t.Errorf("no empty list of ids in %s", out.String())
	}
}
