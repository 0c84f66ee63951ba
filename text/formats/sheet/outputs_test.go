package sheet

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/sssom"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// outputExample returns a document with a mention after a character of two bytes, a composite
// mention and one that is NIL.
func outputExample() (*formats.Record, *linked.Document) {
	const body = "Naïve RF; breast and ovarian cancer; no gout."
	to := func(ids ...kb.ConceptID) (candidates []linked.Candidate) {
		for _, id := range ids {
			candidates = append(candidates, linked.Candidate{Concept: id, Name: "name of " + string(id), MatchedName: "name", Score: 1, Probability: .9})
		}
		return candidates
	}
	mention := func(surface string, candidates []linked.Candidate) linked.Mention {
		start := strings.Index(body, surface)
		return linked.Mention{Span: text.Span{Start: start, End: start + len(surface)}, Text: surface, Type: "Disease", Candidates: candidates}
	}
	composite := mention("breast and ovarian cancer", to("D2", "D3"))
	composite.SubMentions = []linked.SubMention{{Text: "breast cancer", Candidates: to("D2")}, {Text: "ovarian cancer", Candidates: to("D3")}}
	doc := &linked.Document{ID: "7", Text: body, Mentions: []linked.Mention{mention("RF", to("D1")), composite, mention("gout", nil)}}
	record := formats.NewRecord(&text.Document{ID: doc.ID, Text: doc.Text})
	for _, m := range doc.Mentions {
		record.Mentions = append(record.Mentions, text.Mention{Span: m.Span, Type: m.Type})
	}
	return record, doc
}

// readMentions reads what a format of texts has, as "surface concepts".
func readMentions(format formats.Format) func(t *testing.T, written []byte) []string {
	return func(t *testing.T, written []byte) (found []string) {
		r := formats.NewReader(bytes.NewReader(written), "file", formats.Options{Format: format})
		doc, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		return mentionsOf(doc)
	}
}

func mentionsOf(doc *text.Document) (found []string) {
	for _, m := range doc.Mentions {
		ids := make([]string, len(m.Concepts))
		for i, id := range m.Concepts {
			ids[i] = string(id)
		}
		found = append(found, m.Of(doc.Text)+" "+strings.Join(ids, "|"))
	}
	return found
}

// readRows returns the columns text and id of a table.
func readRows(t *testing.T, rows [][]string) (found []string) {
	t.Helper()
	at := make(map[string]int)
	for i, name := range rows[0] {
		at[name] = i
	}
	for _, row := range rows[1:] {
		row = append(row, make([]string, len(rows[0]))...) // cells at the end of a row of a workbook may be missing
		found = append(found, row[at["text"]]+" "+row[at["id"]])
	}
	return found
}

func readCSV(delimiter rune) func(t *testing.T, written []byte) []string {
	return func(t *testing.T, written []byte) []string {
		r := csv.NewReader(bytes.NewReader(written))
		r.Comma = delimiter
		rows, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return readRows(t, rows)
	}
}

// joinedParts returns what a format has that writes the parts of the composite mention one by one.
func joinedParts(found []string) []string {
	if len(found) == 4 && found[1] == "breast cancer D2" && found[2] == "ovarian cancer D3" {
		return []string{found[0], "breast and ovarian cancer D2|D3", found[3]}
	}
	return found
}

// outputReaders read back what each format wrote. A new format needs its reader here.
var outputReaders = map[formats.Format]func(t *testing.T, written []byte) []string{
	formats.SSSOM: func(t *testing.T, written []byte) (found []string) {
		mappings, err := sssom.Read(bufio.NewReader(bytes.NewReader(written)), files.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mappings {
			found = append(found, m.Label+" "+string(m.Object))
		}
		return joinedParts(found)
	},
	formats.FHIR: func(t *testing.T, written []byte) (found []string) {
		var bundle struct {
			Entry []struct {
				Resource struct {
					Code struct {
						Text   string
						Coding []struct{ Code string }
					}
				}
			}
		}
		if err := json.Unmarshal(written, &bundle); err != nil {
			t.Fatal(err)
		}
		for _, e := range bundle.Entry[1:] { // the first is the document
			code := ""
			if len(e.Resource.Code.Coding) > 0 {
				code = e.Resource.Code.Coding[0].Code
			}
			found = append(found, e.Resource.Code.Text+" "+code)
		}
		return joinedParts(found)
	},
	formats.JSONL: func(t *testing.T, written []byte) (found []string) {
		var doc linked.Document
		if err := json.Unmarshal(written, &doc); err != nil {
			t.Fatal(err)
		}
		for i := range doc.Mentions {
			var ids []string
			for _, c := range doc.Mentions[i].Best() {
				if c != nil {
					ids = append(ids, string(c.Concept))
				}
			}
			found = append(found, doc.Mentions[i].Span.Of(doc.Text)+" "+strings.Join(ids, "|"))
		}
		return found
	},
	formats.PubTator: readMentions(formats.PubTator),
	formats.BioC:     readMentions(formats.BioC),
	formats.BioCJSON: readMentions(formats.BioCJSON),
	formats.CoNLL:    readMentions(formats.CoNLL),
	formats.TSV:      readCSV('\t'),
	formats.CSV:      readCSV(','),
	formats.BRAT: func(t *testing.T, written []byte) []string {
		archive, err := zip.NewReader(bytes.NewReader(written), int64(len(written)))
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := os.CopyFS(dir, archive); err != nil {
			t.Fatal(err)
		}
		r, err := formats.Open(filepath.Join(dir, "7.ann"), formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		doc, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		return mentionsOf(doc)
	},
	formats.HTML: func(t *testing.T, written []byte) (found []string) {
		for piece := range strings.SplitSeq(string(written), `<details class="m">`) {
			_, after, ok := strings.Cut(piece, ` title="`)
			if !ok {
				continue
			}
			title, after, _ := strings.Cut(after, `">`)
			surface, _, _ := strings.Cut(after, "</summary>")
			_, id, _ := strings.Cut(title, "(")
			found = append(found, surface+" "+strings.TrimSuffix(strings.TrimSuffix(id, ")"), "-"))
		}
		return found
	},
	XLSX.Name: func(t *testing.T, written []byte) []string {
		file, err := excelize.OpenReader(bytes.NewReader(written))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		rows, err := file.GetRows("mentions")
		if err != nil {
			t.Fatal(err)
		}
		return readRows(t, rows)
	},
	Parquet.Name: func(t *testing.T, written []byte) (found []string) {
		type row struct {
			Text string `parquet:"text"`
			ID   string `parquet:"id"`
		}
		r := parquet.NewGenericReader[row](bytes.NewReader(written))
		defer r.Close()
		rows := make([]row, 10)
		n, err := r.Read(rows)
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}
		for _, row := range rows[:n] {
			found = append(found, row.Text+" "+row.ID)
		}
		return found
	},
}

// TestOutputs writes one document in every format and reads it back: mentions, composites and NIL.
func TestOutputs(t *testing.T) {
	want := []string{"RF D1", "breast and ovarian cancer D2|D3", "gout "}
	for _, format := range Outputs() {
		if format.Name == formats.OMOP || format.Name == formats.Usagi {
			continue // it has no place for these identifiers, see write_omop_test.go and write_usagi_test.go of formats
		}
		t.Run(string(format.Name), func(t *testing.T) {
			read := outputReaders[format.Name]
			if read == nil {
				t.Fatal("outputReaders has no reader of this format")
			}
			var written bytes.Buffer
			w := format.New(&written, formats.WriterOptions{})
			if err := w.Write(outputExample()); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, read(t, written.Bytes())); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, written.Bytes())
			}
			if format.MIME == "" || len(format.Extensions) == 0 || format.Extensions[0][0] != '.' {
				t.Errorf("extensions %q, content type %q", format.Extensions, format.MIME)
			}
		})
	}
}

// TestAttributes writes what a text says of its mentions, and by what they were found, in every format that has a place
// for it.
func TestAttributes(t *testing.T) {
	want := map[formats.Format]string{
		formats.JSONL:    `"text":"RF","source":"recognized","recognition_score":0.75,"type":"Disease","historical":true,"other_person":true,`,
		formats.BioC:     `<infon key="historical">true</infon><infon key="other_person">true</infon><infon key="recognized">true</infon>`,
		formats.BioCJSON: `"historical":"true","other_person":"true","recognized":"true"`,
		formats.BRAT:     "A1\tHistorical T1\nA2\tOtherPerson T1\nA3\tRecognized T1\nT2",
		formats.FHIR:     `"note":[{"text":"historical, other person, recognized"}]`,
		formats.HTML:     `<span class="of">historical, other person, recognized</span>`,
		formats.TSV:      "\trecognized\t0.75\tfalse\tfalse\ttrue\tfalse\ttrue\n7\t10",
		formats.CSV:      ",recognized,0.75,false,false,true,false,true\n7,10",
		"xlsx":           "best_evidence mention_source recognition_score negated uncertain historical hypothetical other_person",
		"parquet":        "best_evidence source mention_source recognition_score negated uncertain historical hypothetical other_person",
	}
	for _, format := range Outputs() {
		if slices.Contains([]formats.Format{formats.PubTator, formats.CoNLL, formats.OMOP, formats.Usagi}, format.Name) {
			continue // they have none
		}
		var written bytes.Buffer
		w := format.New(&written, formats.WriterOptions{Recognition: true, Assertion: true})
		record, doc := outputExample()
		doc.Mentions[0].Source, doc.Mentions[0].RecognitionScore = linked.SourceRecognized, .75
		doc.Mentions[0].Assertion = linked.Assertion{Historical: true, OtherPerson: true}
		if err := w.Write(record, doc); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got := written.String()
		switch format.Name {
		case formats.BRAT:
			archive, err := zip.NewReader(bytes.NewReader(written.Bytes()), int64(written.Len()))
			if err != nil {
				t.Fatal(err)
			}
			annotations, err := fs.ReadFile(archive, "7.ann")
			if err != nil {
				t.Fatal(err)
			}
			got = string(annotations)
		case XLSX.Name:
			workbook, err := excelize.OpenReader(&written)
			if err != nil {
				t.Fatal(err)
			}
			rows, err := workbook.GetRows("mentions")
			if err != nil {
				t.Fatal(err)
			}
			got = strings.Join(rows[0], " ")
			if said := strings.Join(rows[1][len(rows[1])-5:], " "); said != "FALSE FALSE TRUE FALSE TRUE" {
				t.Errorf("xlsx: %s", said)
			}
		case Parquet.Name:
			file, err := parquet.OpenFile(bytes.NewReader(written.Bytes()), int64(written.Len()))
			if err != nil {
				t.Fatal(err)
			}
			got = ""
			for _, column := range file.Root().Columns() {
				got += " " + column.Name()
			}
			rows, err := parquet.Read[struct {
				Text         string `parquet:"text"`
				Negated      bool   `parquet:"negated"`
				Uncertain    bool   `parquet:"uncertain"`
				Historical   bool   `parquet:"historical"`
				Hypothetical bool   `parquet:"hypothetical"`
				OtherPerson  bool   `parquet:"other_person"`
			}](bytes.NewReader(written.Bytes()), int64(written.Len()))
			if err != nil {
				t.Fatal(err)
			}
			if r := rows[0]; r.Text != "RF" || r.Negated || r.Uncertain || !r.Historical || r.Hypothetical || !r.OtherPerson {
				t.Errorf("parquet: %+v", r)
			}
		}
		if !strings.Contains(got, want[format.Name]) {
			t.Errorf("%s has no %q:\n%s", format.Name, want[format.Name], got)
		}
	}
}

// A path names the one format that has its extension, and none if that may be another's.
func TestOfPath(t *testing.T) {
	for path, want := range map[string]formats.Format{
		"a.jsonl": formats.JSONL, "a.XML": formats.BioC, "b/a.htm": formats.HTML, "a.xlsx": XLSX.Name, "a.parquet": Parquet.Name,
		"a.json": "", "a.zip": "", "a": "", "a.docx": "", "jsonl": "", "a/links.SSSOM.tsv": formats.SSSOM, "sssom.tsv": formats.TSV,
	} {
		if got := Outputs().OfPath(path); got != want {
			t.Errorf("%s: format %q, want %q", path, got, want)
		}
	}
}
