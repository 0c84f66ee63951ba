package formats

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
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
		if record.ID != want || record.Unnamed != (want == "1") {
			t.Errorf("%q: document %q, unnamed %t, want %q", line, record.ID, record.Unnamed, want)
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
	const content = "EU NNP B\nrejects VBZ O\n" // tags without types may be letters of a text
	for name, want := range map[string]Format{"a.conll": CoNLL, "a.iob2.gz": CoNLL, "a.txt": Text} {
		r := NewReader(strings.NewReader(content), name, Options{})
		docs, problems := readAll(t, r)
		if r.Format() != want || len(problems) > 0 || want == CoNLL && (len(docs) != 1 || len(docs[0].Mentions) != 1) {
			t.Errorf("%s: %s, %d documents, problems %q; want %s", name, r.Format(), len(docs), problems, want)
		}
	}
}

// TestOtherByName refuses a file that looks like text by its name.
func TestOtherByName(t *testing.T) {
	r := NewReader(strings.NewReader("- id: 1\n  text: He had river fever.\n"), "notes.YAML.gz", Options{})
	var unknown *UnknownError
	if _, err := r.Next(); !errors.As(err, &unknown) || unknown.Got != "YAML: want an object of JSON a line" {
		t.Errorf("%v, want that it is YAML", err)
	}
}

// TestCoNLLComments reads lines before sentences that begin with #, and writes them as they are.
func TestCoNLLComments(t *testing.T) {
	for _, c := range []struct {
		name, content string
		texts         []string
		mentions      []string
		problems      []string
		filled        string
	}{
		{"before each sentence", "# id 1 domain=train\nHe\tO\nriver\tB-D\nfever\tI-D\n\n# id 2\n# text = A flood\nA\tO\nflood\tB-D\n\n",
			[]string{"He river fever", "A flood"}, []string{"river fever", "flood"}, nil,
			"# id 1 domain=train\nHe\tO\t-\nriver\tB-D\tD1\nfever\tI-D\tD1\n\n# id 2\n# text = A flood\nA\tO\t-\nflood\tB-D\tD1\n\n"},
		{"before the first", "# made by hand\n\nHe\tO\nflood\tB-D\n", []string{"He flood"}, []string{"flood"}, nil,
			"# made by hand\n\nHe\tO\t-\nflood\tB-D\tD1\n\n"},
		{"with spaces", "# text = vitamin O\nvitamin B-D\nO I-D\n\n# O\nflood B-D\n", []string{"vitamin O", "# flood"}, []string{"vitamin O", "flood"}, nil,
			"# text = vitamin O\nvitamin B-D D1\nO I-D D1\n\n# O -\nflood B-D D1\n\n"},
		{"numbers before the tokens", "1\tHe\tO\n2\triver\tB-D\n3\tfever\tI-D\n\n1\tFlood\tB-D\n", []string{"He river fever", "Flood"},
			[]string{"river fever", "Flood"}, nil, "1\tHe\tO\t-\n2\triver\tB-D\tD1\n3\tfever\tI-D\tD1\n\n1\tFlood\tB-D\tD1\n\n"},
		{"tokens that are numbers", "1\tO\n2\tO\nflood\tB-D\n", []string{"1 2 flood"}, []string{"flood"}, nil, "1\tO\t-\n2\tO\t-\nflood\tB-D\tD1\n\n"},
		{"a token", "#\tO\n1\tO\nflood\tB-D\n", []string{"# 1 flood"}, []string{"flood"}, nil, "#\tO\t-\n1\tO\t-\nflood\tB-D\tD1\n\n"},
		{"in documents", "-DOCSTART- (a)\n\n# one\nflood\tB-D\n\n# two\nflood\tB-D\n", []string{"flood\nflood"}, []string{"flood", "flood"}, nil,
			"-DOCSTART- (a)\n\n# one\nflood\tB-D\tD1\n\n# two\nflood\tB-D\tD1\n\n"},
		{"within a sentence", "A\tO\n# no token\nflood\tB-D\n", []string{"A flood"}, []string{"flood"},
			[]string{`file:2: want a token and a tag like O, B or B-Disease, got "# no token"`}, "A\tO\t-\n# no token\nflood\tB-D\tD1\n\n"},
		{"a malformed first line", "made by hand\nA\tO\nflood\tB-D\n", []string{"A flood"}, []string{"flood"},
			[]string{`file:1: want a token and a tag like O, B or B-Disease, got "made by hand"`}, "made by hand\nA\tO\t-\nflood\tB-D\tD1\n\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := NewReader(strings.NewReader(c.content), "file", Options{Format: CoNLL})
			var texts, mentions, problems []string
			var docs []*linkedTo
			for {
				record, err := r.NextRecord()
				if err == io.EOF {
					break
				}
				if err != nil {
					problems = append(problems, err.Error())
					continue
				}
				texts = append(texts, record.Text)
				for _, m := range record.Mentions {
					mentions = append(mentions, m.Of(record.Text))
				}
				docs = append(docs, linkTo(record, func(int) kb.ConceptID { return "D1" }))
			}
			if !slices.Equal(texts, c.texts) || !slices.Equal(mentions, c.mentions) || !slices.Equal(problems, c.problems) {
				t.Errorf("texts %q, mentions %q, problems %q; want %q, %q, %q", texts, mentions, problems, c.texts, c.mentions, c.problems)
			}
			if diff := cmp.Diff(c.filled, written(t, CoNLL, docs...)); diff != "" {
				t.Errorf("written (-want +got):\n%s", diff)
			}
		})
	}
}
