package formats

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestFloods reads endless documents. Each reader stops, or skips the document, with an error that names the place and
// the limit, and reads little more than the limit.
func TestFloods(t *testing.T) {
	limits := files.Limits{Line: 1 << 18, Record: 1 << 18, Mentions: 100}
	const size = 2 << 20 // length of the data in bytes
	const biocJSON = `{"documents":[{"id":"1","passages":[{`
	const bioc = "<?xml version='1.0'?><collection><document><id>1</id>"
	tests := []struct {
		name, head, unit, want string
		final                  bool   // the error ends reading
		format                 Format // unless it is detected
	}{
		{"BioC, text", bioc + "<passage><offset>0</offset><text>", "asthma ", "(Limits.Record)", true, ""},
		{"BioC, comment", "<?xml version='1.0'?><collection><!--", "x", "(Limits.Record)", true, ""},
		{"BioC, attribute", "<?xml version='1.0'?><collection a='", "x", "(Limits.Record)", true, BioC},
		{"BioC, open tags", "<?xml version='1.0'?><collection>", "<a>", "more than 1000 elements within each other", false, ""},
		{"BioC, DOCTYPE", "<!DOCTYPE x [", "<!ENTITY a 'b'>", "(Limits.Record)", true, BioC},
		{"PubTator, mentions", "1|t|asthma\n", "1\t0\t6\tasthma\tDisease\tD1\n", "(Limits.Mentions)", true, ""},
		{"PubTator, abstracts", "1|t|asthma\n", "1|a|x\n", "(Limits.Record)", true, ""},
		{"PubTator, title", "1|t|", "asthma ", "(Limits.Line)", false, ""},
		{"JSONL, line", `{"text":"`, "x", "(Limits.Line)", false, ""},
		{"text", "", "asthma ", "(Limits.Line)", false, ""},
		{"BioC JSON, text", biocJSON + `"offset":0,"text":"`, "x", "(Limits.Record)", true, ""},
		{"BioC JSON, members of the collection", `{"source":""`, `,"a":{"documents":1}`, "(Limits.Record)", true, BioCJSON},
		{"BioC JSON, nesting", `{"documents":[{"passages":`, `[`, "exceeded max depth", false, ""},
		{"BioC JSON, spaces", `{"documents":[{"id":"1",`, "\n", "(Limits.Record)", true, ""},
		{"BioC JSON, lists", "", "[", "want a collection", false, BioCJSON},
		{"BioC JSON, collections", "", `{"documents":[`, "want ", false, BioCJSON},
		{"BioC JSON, lists of documents", "{", `"documents":[],"documents":[],`, "want one list", false, BioCJSON},
		{"CoNLL, mentions", "-DOCSTART-\n", "asthma\tB-Disease\n", "(Limits.Record)", true, ""},
		{"CoNLL, bad lines", "a\tO\n", "a\n", "(Limits.Record)", true, ""},
		{"CoNLL, blank lines", "-DOCSTART-\n", "\n", "(Limits.Record)", true, ""},
		{"CoNLL, line", "a\tO\n", "x", "(Limits.Line)", false, ""},
		{"table, quoted cell", "id,text\n1,\"", "x", "(Limits.Line)", false, ""},
		{"table, quoted lines", "id,text\n1,\"", "x\n", "a quote at the end of the cell", false, ""},
		{"table, header", "id,text", ",x", "(Limits.Line)", true, ""},
		{"PubMed, title", "<?xml version='1.0'?><PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>", "a", "(Limits.Record)", false, ""},
		{"JATS, text", "<article><body><p>", "x", "(Limits.Record)", true, ""},
		{"JATS, between articles", "<pmc-articleset>", "<a>b</a>", "(Limits.Record)", true, ""},
		{"JATS, attribute", "<article a='", "x", "(Limits.Record)", true, JATS},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			source := &countingReader{r: strings.NewReader(test.head + strings.Repeat(test.unit, size/len(test.unit)))}
			_, err := NewReader(source, "f.txt", Options{Format: test.format, Limits: limits}).Next()
			if err == nil || !strings.HasPrefix(err.Error(), "f.txt:") || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error %v, want one that names the file and says %s", err, test.want)
			}
			var record *RecordError
			if final := !errors.As(err, &record); final != test.final {
				t.Errorf("the error is final: %v, want %v", final, test.final)
			}
			if (test.final && test.want == "(Limits.Record)" || strings.HasPrefix(test.want, "want ")) && source.n > 1<<20 { // a long line is read to its end
				t.Errorf("%d bytes were read, want at most 1 MiB", source.n)
			}
		})
	}
}

// TestManyDocuments reads files of short documents that together exceed the limit of a document, and skips bad ones.
func TestManyDocuments(t *testing.T) {
	limits := files.Limits{Record: 250, Mentions: 2}
	word := "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n"
	for _, test := range []struct {
		name, unit string
		format     Format
		bad        bool
	}{
		{"Medline, without a title", "PMID- 1\nAU  - A\n\n", medline, true},
		{"RIS, without a title", "TY  - JOUR\nID  - 1\nER  - \n\n", ris, true},
		{"EndNote, without a title", "%0 Book\n%M 1\n\n", endNote, true},
		{"WoS, without a title", "PT J\nUT 1\nER\n\n", wos, true},
		{"CoNLL, without a tag", "asthma\tx\n\n", CoNLL, true},
		{"CoNLL, too many mentions", strings.Repeat("asthma\tB-Disease\n", 3) + "\n", CoNLL, true},
		{"PubTator", "1|t|asthma\n\n", PubTator, false},
		{"CoNLL-U, bad sentences", "1\ta\n\n", conllu, true},
		{"CoNLL-U, long first sentences", "# newdoc\n" + strings.Repeat(word, 8) + "\n" + word + "\n", conllu, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := strings.NewReader(strings.Repeat(test.unit, 100))
			docs, problems := readAll(t, NewReader(file, "f", Options{Format: test.format, Limits: limits}))
			if test.bad && len(problems) != 100 || !test.bad && (len(docs) == 0 || len(problems) > 0) {
				t.Errorf("%d documents, %d problems %.200q", len(docs), len(problems), problems)
			}
		})
	}
	long := "# newdoc\n" + word + "\n# newdoc\n" + strings.Repeat(word, 6) + "\n" + strings.Repeat(word, 6) + "\n"
	r := NewReader(strings.NewReader(long), "f", Options{Format: conllu, Limits: limits})
	if _, err := r.Next(); err != nil {
		t.Error(err)
	}
	if doc, err := r.Next(); err == nil || !strings.Contains(err.Error(), "(Limits.Record)") {
		t.Errorf("document %v, error %v, want one that names Limits.Record", doc, err)
	}
}

// TestFloodsOfFiles reads files with one document that exceeds the limit of a record.
func TestFloodsOfFiles(t *testing.T) {
	limits := files.Limits{Line: 1 << 10, Record: 1 << 10, Mentions: 10}
	long := strings.Repeat("asthma\n", 1000)
	tests := []struct {
		name, text, annotations, field string
		format                         Format
	}{
		{"plain", long, "", "Record", Plain},
		{"plain, mentions", strings.Repeat("[ENT]a[/ENT]", 11), "", "Mentions", Plain},
		{"BRAT, text", long, "T1\tDisease 0 6\tasthma\n", "Record", BRAT},
		{"BRAT, relations", "asthma", strings.Repeat("R1\tx Arg1:T1 Arg2:T1\n", 1000), "Record", BRAT},
		{"BRAT, mentions", "asthma", strings.Repeat("T1\tDisease 0 6\tasthma\n", 11), "Mentions", BRAT},
		{"BRAT, line", "asthma", "T1\tDisease 0 6\t" + strings.Repeat("a", 2000), "Line", BRAT},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "note")
			for extension, content := range map[string]string{txtExtension: test.text, annExtension: test.annotations} {
				must.Succeed(t, os.WriteFile(path+extension, []byte(content), 0o666))
			}
			r, err := Open(path+txtExtension, Options{Format: test.format, Limits: limits})
			if err == nil {
				defer r.Close()
				_, err = r.Next()
			}
			if err == nil || !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), "(Limits."+test.field+")") {
				t.Errorf("error %v, want one that names the file and Limits.%s", err, test.field)
			}
		})
	}
}

func TestMentionLimit(t *testing.T) {
	limits := files.Limits{Mentions: 2}
	mention := `{"start":0,"end":6}`
	marked := "[ENT] a [/ENT] "
	annotation := `<annotation><location offset="0" length="6"/><text>asthma</text></annotation>`
	for name, file := range map[string]string{
		"JSONL": `{"text":"asthma","mentions":[` + mention + "," + mention + "," + mention + "]}\n",
		"text":  strings.Repeat(marked, 3) + "\n",
		"table": "id,text\n1," + strings.Repeat(marked, 3) + "\n",
		"CoNLL": strings.Repeat("asthma\tB-Disease\n", 3),
		"BioC JSON": `{"documents":[{"id":"1","passages":[{"offset":0,"text":"asthma","annotations":[` +
			strings.Repeat(`{"locations":[{"offset":0,"length":6}]},`, 2) + `{"locations":[{"offset":0,"length":6}]}]}]}]}`,
		"BioC": "<collection><document><id>1</id><passage><offset>0</offset><text>asthma</text>" + strings.Repeat(annotation, 3) + "</passage></document></collection>",
	} {
		_, err := NewReader(strings.NewReader(file), "f", Options{Limits: limits}).Next()
		var record *RecordError
		if !errors.As(err, &record) || !strings.Contains(err.Error(), "want a document of at most 2 mentions (Limits.Mentions)") {
			t.Errorf("%s: error %v, want one of the record that names Limits.Mentions", name, err)
		}
	}
}

// countingReader counts the bytes read.
type countingReader struct {
	r io.Reader
	n int
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}
