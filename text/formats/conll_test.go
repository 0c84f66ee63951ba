package formats

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// TestCoNLLDocumentIDs: the line that begins a document names it between parentheses, whatever
// columns follow.
func TestCoNLLDocumentIDs(t *testing.T) {
	for line, want := range map[string]string{
		"-DOCSTART- (d1)":                 "d1",
		"-DOCSTART- (d1)\tO\t-":           "d1",
		"-DOCSTART- (d1) O":               "d1",
		"-DOCSTART- (947testa CRICKET)":   "947testa CRICKET",
		"-DOCSTART- (7 RUGBY (UNION))\tO": "7 RUGBY (UNION)",
		"-DOCSTART- (open\tO":             "open",
		"-DOCSTART- ()":                   "1",
		"-DOCSTART- -X- -X- O":            "1",
		"-DOCSTART-":                      "1",
	} {
		record, err := NewReader(strings.NewReader(line+"\n\nlung\tB-D\n"), "file", Options{Format: CoNLL}).NextRecord()
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if record.ID != want {
			t.Errorf("%q: document %q, want %q", line, record.ID, want)
		}
	}
}

// TestCoNLLWriteAndRead: the document that a writer of CoNLL names is read under that name.
func TestCoNLLWriteAndRead(t *testing.T) {
	var b bytes.Buffer
	w, err := NewWriter(&b, CoNLL)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(NewRecord(&text.Document{ID: "d 1", Text: "No pain."}), &linked.Document{ID: "d 1", Text: "No pain."}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	record, err := NewReader(&b, "file", Options{Format: CoNLL}).NextRecord()
	if err != nil {
		t.Fatal(err)
	}
	if record.ID != "d 1" {
		t.Errorf("document %q, want the one that was written", record.ID)
	}
}

// TestCoNLLTags reads the notations of tags, with types and without.
func TestCoNLLTags(t *testing.T) {
	for name, test := range map[string]struct {
		lines []string
		want  []mention
	}{
		"BIO without types":    {[]string{"Lung\tB", "cancer\tI", "and\tO", "gout\tB", "pain\tB"}, []mention{{Text: "Lung cancer"}, {Text: "gout"}, {Text: "pain"}}},
		"IOB1 without types":   {[]string{"In\tO", "lung\tI", "cancer\tI", "gout\tB"}, []mention{{Text: "lung cancer"}, {Text: "gout"}}},
		"a column of concepts": {[]string{"In\tO\t-", "lung\tB\tD1", "cancer\tI\tD1"}, []mention{{Text: "lung cancer", Concepts: ids{"D1"}}}},
		"IOBES":                {[]string{"In\tO", "small\tB-D", "cell\tI-D", "cancer\tE-D", "gout\tS-D", "pain\tS-D"}, []mention{{Text: "small cell cancer", Type: "D"}, {Text: "gout", Type: "D"}, {Text: "pain", Type: "D"}}},
		"BILOU without types":  {[]string{"In\tO", "small\tB", "cell\tI", "cancer\tL", "gout\tU"}, []mention{{Text: "small cell cancer"}, {Text: "gout"}}},
		"BMES":                 {[]string{"small\tB-D", "cell\tM-D", "lung\tM-D", "cancer\tE-D", "gout\tS-D"}, []mention{{Text: "small cell lung cancer", Type: "D"}, {Text: "gout", Type: "D"}}},
		"BMEWO":                {[]string{"In\tO", "lung\tB-D", "cancer\tE-D", "gout\tW-D"}, []mention{{Text: "lung cancer", Type: "D"}, {Text: "gout", Type: "D"}}},
	} {
		docs, problems := readText(t, strings.Join(test.lines, "\n")+"\n", "")
		if len(docs) != 1 || len(problems) > 0 {
			t.Errorf("%s: %d documents, problems %q", name, len(docs), problems)
			continue
		}
		if diff := cmp.Diff(test.want, mentionsOf(docs[0])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for _, tag := range []string{"D-B", "Disease", "b", "X-D", "B-", "BI"} {
		_, problems := readText(t, "Gout\tO\nlung\t"+tag+"\n", CoNLL)
		if want := "file:2: want a token and a tag like O, B or B-Disease, got \"lung\\t" + tag + "\""; !slices.Equal(problems, []string{want}) {
			t.Errorf("%s: problems %q, want %q", tag, problems, want)
		}
	}
}

// TestCoNLLByName recognizes a file whose columns are separated by spaces by its name.
func TestCoNLLByName(t *testing.T) {
	const content = "EU NNP B-ORG\nrejects VBZ O\n"
	for name, want := range map[string]Format{"a.conll": CoNLL, "a.iob2.gz": CoNLL, "a.txt": Text} {
		r := NewReader(strings.NewReader(content), name, Options{})
		docs, problems := readAll(t, r)
		if r.Format() != want || len(problems) > 0 || want == CoNLL && (len(docs) != 1 || len(docs[0].Mentions) != 1) {
			t.Errorf("%s: %s, %d documents, problems %q; want %s", name, r.Format(), len(docs), problems, want)
		}
	}
}
