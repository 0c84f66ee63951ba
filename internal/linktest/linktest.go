// Package linktest holds fixtures for the tests of model folders, linking and
// calibration: an encoder whose vectors can be computed by hand, a dictionary of gut
// diseases with contexts, and queries from marked text.
package linktest

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

// BagOfWords is an encoder whose similarities can be computed by hand. Each word of the
// vocabulary is a dimension. The vector of a query is the sum of the words of its
// sentence, with those of the mention counted three times, scaled to unit length.
type BagOfWords struct {
	Vocabulary []string
	Name       string // part of the fingerprint
}

// Dim returns the size of the vocabulary.
func (b *BagOfWords) Dim() int { return len(b.Vocabulary) }

// Fingerprint returns the name and the vocabulary.
func (b *BagOfWords) Fingerprint() string { return b.Name + strings.Join(b.Vocabulary, " ") }

// Encode writes the vectors of queries to dst.
func (b *BagOfWords) Encode(_ context.Context, dst []float32, queries []text.Query) error {
	clear(dst)
	for i := range queries {
		q := &queries[i]
		row := dst[i*b.Dim() : (i+1)*b.Dim()]
		b.add(row, q.Sentence.Of(q.Text), 1)
		b.add(row, q.Surface(), 2)
		norm := 0.0
		for _, x := range row {
			norm += float64(x * x)
		}
		for j := range row {
			row[j] /= float32(math.Max(math.Sqrt(norm), 1e-9))
		}
	}
	return nil
}

func (b *BagOfWords) add(row []float32, words string, weight float32) {
	for word := range strings.FieldsSeq(strings.ToLower(words)) {
		for j, known := range b.Vocabulary {
			if word == known {
				row[j] += weight
			}
		}
	}
}

// GutEncoder returns an encoder for the words of the gut contexts.
func GutEncoder() *BagOfWords {
	return &BagOfWords{Name: "gut", Vocabulary: strings.Fields("wheat aspirin gluten enteropathy gastric ulcer " +
		"coeliac disease children")}
}

// EncoderDir returns a folder that stands for the files of an encoder: of a name encoder, which a build
// without libtorch cannot run.
func EncoderDir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "bne.json"), []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// GutDictionary returns a concept with two names, one with a single name, and one
// without a name below it.
func GutDictionary() *kb.Dictionary {
	return kb.NewDictionary([]kb.Concept{
		{ID: "G1", Name: "coeliac disease", Synonyms: []string{"gluten enteropathy"}},
		{ID: "G2", Name: "gastric ulcer"},
		{ID: "G3", Parents: []kb.ConceptID{"G2"}},
	})
}

// UlcerDictionary returns the named concepts of [GutDictionary] and a second ulcer, with
// a concept without a name above both ulcers.
func UlcerDictionary() *kb.Dictionary {
	return kb.NewDictionary([]kb.Concept{
		{ID: "G0"},
		{ID: "G1", Name: "coeliac disease", Synonyms: []string{"gluten enteropathy"}},
		{ID: "G2", Name: "gastric ulcer", Parents: []kb.ConceptID{"G0"}},
		{ID: "G4", Name: "duodenal ulcer", Parents: []kb.ConceptID{"G0"}},
	})
}

// GutContexts returns the tagger of [GutDictionary] and two contexts of each concept
// that has a name.
func GutContexts(t testing.TB) (*matcher.Tagger, []text.Exemplar) {
	t.Helper()
	tagger, _, err := matcher.NewTagger(GutDictionary(), matcher.DefaultNameFilter())
	if err != nil {
		t.Fatal(err)
	}
	sentences := []string{
		"wheat avoidance heals gluten enteropathy in children",
		"bleeding from a gastric ulcer after aspirin",
		"aspirin and gastric ulcer",
		"wheat and coeliac disease",
	}
	var contexts []text.Exemplar
	for i, sent := range sentences {
		doc := &text.Document{ID: string(rune('1' + i)), Text: sent, Mentions: tagger.Tag(nil, sent)}
		for _, m := range doc.Mentions {
			q := text.Query{Document: doc, Mention: m, Sentence: sentence.Around(sent, m.Span)}
			contexts = append(contexts, text.Exemplar{Query: q})
		}
	}
	if len(contexts) != len(sentences) {
		t.Fatalf("%d contexts, want %d", len(contexts), len(sentences))
	}
	return tagger, contexts
}

// Query returns a query for the mention between < and > in a text.
func Query(t testing.TB, marked string) text.Query {
	t.Helper()
	before, rest, _ := strings.Cut(marked, "<")
	surface, after, ok := strings.Cut(rest, ">")
	if !ok {
		t.Fatalf("no mention in %q", marked)
	}
	m := text.Mention{Span: text.Span{Start: len(before), End: len(before) + len(surface)}}
	doc := &text.Document{ID: "q", Text: before + surface + after, Mentions: []text.Mention{m}}
	return text.Query{Document: doc, Mention: m, Sentence: sentence.Around(doc.Text, m.Span)}
}

// DamageColumn overwrites the pages of a column of a Parquet file.
func DamageColumn(t testing.TB, path, column string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range file.Metadata().RowGroups {
		for _, chunk := range group.Columns {
			if m := chunk.MetaData; strings.Join(m.PathInSchema, ".") == column {
				pages := data[m.DataPageOffset : m.DataPageOffset+m.TotalCompressedSize]
				for i := range pages {
					pages[i] = 0xff
				}
			}
		}
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
