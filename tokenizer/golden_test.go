package tokenizer

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
)

// golden is the content of testdata/golden.json, which is written by testdata/make_golden.py.
type golden struct {
	Cases []goldenCase
	IDs   map[string][][]int32 // by vocabulary, parallel to Cases
}

type goldenCase struct {
	Text    string
	Mention [2]int
	Others  [][2]int
}

func readGolden(t testing.TB) golden {
	t.Helper()
	data := must.Get(os.ReadFile(filepath.Join("testdata", "golden.json")))
	var g golden
	must.Succeed(t, json.Unmarshal(data, &g))
	if len(g.Cases) < 30 || len(g.IDs) != 4 {
		t.Fatalf("golden.json has %d cases of %d vocabularies, want 30 or more of 4", len(g.Cases), len(g.IDs))
	}
	return g
}

func (c goldenCase) query() *text.Query {
	span := func(s [2]int) text.Mention { return text.Mention{Span: text.Span{Start: s[0], End: s[1]}} }
	doc := &text.Document{ID: "golden", Text: c.Text}
	for _, s := range c.Others {
		doc.Mentions = append(doc.Mentions, span(s))
	}
	return &text.Query{Document: doc, Mention: span(c.Mention), Sentence: text.Span{Start: 0, End: len(c.Text)}}
}

func TestGolden(t *testing.T) {
	g := readGolden(t)
	for name, want := range g.IDs {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join("testdata", name)
			if name != "tiny" {
				dir = filepath.Dir(fixtures.RealFile(t, "tokenizers/"+name+"/vocab.txt"))
			}
			tok := openTokenizer(t, dir)
			if len(want) != len(g.Cases) {
				t.Fatalf("%d rows of ids for %d cases", len(want), len(g.Cases))
			}
			for i, c := range g.Cases {
				in, err := tok.Encode(c.query(), 1000, true)
				if err != nil {
					t.Errorf("%q: %v", c.Text, err)
					continue
				}
				must.Equal(t, in.IDs, want[i], c.Text, "python")
				must.Equal(t, len(in.Others), len(c.Others), c.Text, "other mentions marked")
				checkInput(t, tok, c.query(), in)
			}
		})
	}
}

// TestVocabularyOnly checks that two folders with the same vocabulary, one with tokenizer.json and one with only
// vocab.txt, give the same tokenizer.
func TestVocabularyOnly(t *testing.T) {
	source := filepath.Dir(fixtures.RealFile(t, "tokenizers/pubmedbert-abstract-tokenizer/vocab.txt"))
	only := t.TempDir()
	for _, name := range []string{vocabularyFile, configFile} {
		copyFile(t, filepath.Join(source, name), filepath.Join(only, name))
	}
	whole, made := openTokenizer(t, source), openTokenizer(t, only)
	must.Equal(t, whole.Hash(), made.Hash(), "hash from vocab.txt")
	if got, want := made.Size(), 28895+2; got != want { // the lines of vocab.txt and two markers
		t.Errorf("size %d, want %d", got, want)
	}
}

func openTokenizer(t testing.TB, dir string) *Tokenizer {
	t.Helper()
	tok := must.Get(Open(dir))
	t.Cleanup(func() { tok.Close() })
	return tok
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	data := must.Get(os.ReadFile(from))
	writeFile(t, to, string(data))
}

func writeFile(t testing.TB, path, content string) {
	t.Helper()
	must.Succeed(t, os.WriteFile(path, []byte(content), 0o644))
}
