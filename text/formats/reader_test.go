package formats

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

// TestDetect detects the format of the texts in testdata/detect.yaml, or checks the reason why they are refused.
func TestDetect(t *testing.T) {
	for _, test := range readYAML[[2]string](t, "testdata/detect.yaml") {
		format, got := detect([]byte(test[0]), true)
		if format == "" {
			format = Format("refused as " + got)
		}
		if string(format) != test[1] {
			t.Errorf("%q: %s, want %s", test[0], format, test[1])
		}
	}
}

// TestDetectAnyPrefix truncates files. A prefix is either inconclusive or has the same format as the whole file, so it
// does not matter how a pipe splits its data.
func TestDetectAnyPrefix(t *testing.T) {
	for _, test := range readYAML[[2]string](t, "testdata/detect.yaml") {
		want, refused := detect([]byte(test[0]), true)
		for n := range len(test[0]) {
			if format, got := detect([]byte(test[0][:n]), false); refused == "" && (got != "" || format != "" && format != want) {
				t.Errorf("%q: got %q, %q; want %q", test[0][:n], format, got, want)
			}
		}
	}
}

// gzipped returns content compressed with gzip.
func gzipped(t testing.TB, content string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	must.Get(io.WriteString(w, content))
	must.Succeed(t, w.Close())
	return b.Bytes()
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "documents.gz")
	compressed := gzipped(t, strings.Repeat("{\"text\": \"one\"}\n", 1000))
	must.Succeed(t, os.WriteFile(path, compressed, 0o644))
	r := must.Get(Open(path, Options{}))
	docs, problems := readAll(t, r)
	if len(docs) != 1000 || len(problems) > 0 {
		t.Errorf("%d documents, problems %q", len(docs), problems)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	long := NewReader(strings.NewReader(strings.Repeat("- Flood\n", 9000)), "long.txt", Options{}) // too long for one note
	if docs, _ := readAll(t, long); len(docs) != 9000 {
		t.Errorf("%d documents of a long list, want 9000", len(docs))
	}
	if _, err := Open(filepath.Join(t.TempDir(), "missing"), Options{}); !os.IsNotExist(err) {
		t.Errorf("missing file: %v", err)
	}
	if _, err := Open(path, Options{Format: "pdf"}); err == nil || !strings.HasPrefix(err.Error(), path+": ") {
		t.Errorf("unknown format: %v", err)
	}
}

func TestTruncatedGzipIsFinal(t *testing.T) {
	compressed := gzipped(t, "{\"text\": \"one\"}\n")
	r := NewReader(bytes.NewReader(compressed[:len(compressed)-4]), "file", Options{Format: JSONL})
	var err error
	for err == nil {
		_, err = r.Next()
	}
	if err == io.EOF || !strings.HasPrefix(err.Error(), "file: ") {
		t.Errorf("got error %v, want one that names the file", err)
	}
	if _, again := r.Next(); again != err {
		t.Errorf("then %v, want the same error", again)
	}
}

// FuzzReader reads arbitrary content in every format. Documents must satisfy their invariant, and the reader must reach
// the end.
func FuzzReader(f *testing.F) {
	seeds := []string{
		"1|t|Naïve tum\n1|a|and\n1\t0\t5\tNaïve\tDisease\tD1|D2\n\n1|t|x\n",
		`<collection><document><id>1</id><passage><offset>0</offset><text>Naïve</text><annotation><infon key="MESH">D1</infon>` +
			`<location offset="0" length="5"/><text>Naïve</text></annotation></passage></document></collection>`,
		`{"id": 1, "text": "日本 ïs", "mentions": [{"start": 3, "end": 5, "text": "ïs", "ids": ["D1"]}]}` + "\n",
		"a [ENT] ï [/ENT] b\nna\xefve\n[ENT]",
		"ï\tO\nx\tB-D\tD1\n\n-DOCSTART- (a)\n\ny\tI-D\n",
		"id,text,start,end\n1,naïve,0,5\n2,\"a\nb\"\n",
		`{"documents":[{"id":"1","passages":[{"offset":3,"text":"ïx","annotations":[{"id":"1","infons":{"type":"D"},"text":"x","locations":[{"offset":4,"length":1}]}]}]}]}`,
		"<article><body><p>ï</p></body></article>",
	}
	for _, seed := range seeds {
		for i := range len(Formats()) + 1 {
			f.Add(seed, uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, content string, which uint8) {
		formats := append(Formats(), "")
		r := NewReader(strings.NewReader(content), "file", Options{Format: formats[int(which)%len(formats)]})
		var linkedDocs []*linkedTo
		for calls := 0; ; calls++ {
			if calls > 2*len(content)+2 { // at most one document and one error per byte
				t.Fatalf("no end after %d calls for %d bytes", calls, len(content))
			}
			record, err := r.Next()
			if _, bad := err.(*RecordError); bad {
				continue
			}
			if err != nil {
				for _, format := range []Format{JSONL, PubTator, BioC, BioCJSON, CoNLL, TSV, HTML} {
					written(t, format, linkedDocs...)
				}
				return
			}
			doc := record.Document
			linkedDocs = append(linkedDocs, linkTo(record, func(int) kb.ConceptID { return "D1" }))
			before := -1
			for _, m := range doc.Mentions {
				if m.Start < before || m.Start >= m.End || m.End > len(doc.Text) {
					t.Fatalf("mention %+v in %q after one at %d", m, doc.Text, before)
				}
				for _, edge := range []int{m.Start, m.End} {
					if edge < len(doc.Text) && !utf8.RuneStart(doc.Text[edge]) {
						t.Fatalf("mention %+v splits a character of %q", m, doc.Text)
					}
				}
				before = m.Start
			}
		}
	})
}

// TestExpandAnnotations passes BRAT's annotations together with their texts, as a shell does for folder/*: each
// document must be read once, by its text.
func TestExpandAnnotations(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"a.ann", "a.txt", "b.ann", "b.txt", "alone.ann", "c/annotation.conf", "c/.hidden", "c/d.txt"} {
		must.Succeed(t, errors.Join(os.MkdirAll(filepath.Dir(at(name)), 0o777), os.WriteFile(at(name), nil, 0o666)))
	}
	files, err := Expand([]string{at("a.ann"), at("a.txt"), at("b.ann"), dir + "/./b.ann", at("c")}, nil)
	if want := []string{at("a.txt"), at("b.txt"), at("c/d.txt")}; err != nil || !slices.Equal(files, want) {
		t.Errorf("%q, %v; want %q", files, err, want)
	}
	_, err = Expand([]string{at("a.txt"), at("alone.ann")}, nil)
	if want := at("alone.ann") + ": there is no text beside these annotations, want " + at("alone.txt"); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// A link to a folder is read like the folder.
func TestExpandLink(t *testing.T) {
	dir, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	must.Succeed(t, os.WriteFile(filepath.Join(dir, "a.txt"), nil, 0o666))
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	files, err := Expand([]string{link}, nil)
	if want := []string{filepath.Join(link, "a.txt")}; err != nil || !slices.Equal(files, want) {
		t.Errorf("%q, %v; want %q", files, err, want)
	}
}

func TestShortNames(t *testing.T) {
	for _, c := range []struct{ paths, want []string }{
		{[]string{"x/a.txt", "y/b.txt"}, []string{"a.txt", "b.txt"}},
		{[]string{"x/a.txt", "y/a.txt", "y/b.txt"}, []string{"x/a.txt", "y/a.txt", "b.txt"}},
		{[]string{"1/x/a.txt", "2/x/a.txt"}, []string{"1/x/a.txt", "2/x/a.txt"}},
		{[]string{"a.txt", "x/a.txt", "./a.txt"}, []string{"a.txt", "x/a.txt", "a.txt"}},
		{nil, []string{}},
	} {
		if diff := cmp.Diff(c.want, ShortNames(c.paths)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.paths, diff)
		}
	}
}

// TestSignatures checks that the signatures have no unknown key or format, which would be ignored.
func TestSignatures(t *testing.T) {
	for _, s := range signatures {
		if s.format != "" && !slices.Contains(Formats(), s.format) || len(s.words)+len(s.patterns) > 0 && s.format == "" && s.got == "" {
			t.Errorf("%+v, want a format that is read, or what the files are", s)
		}
	}
	defer func() {
		if reason := recover(); !strings.Contains(fmt.Sprint(reason), `"fist: ^x"`) {
			t.Errorf("a misspelled key is %v, want a panic", reason)
		}
	}()
	parseSignatures("format csv\nfist: ^x")
}
