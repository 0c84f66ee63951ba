package model

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/parquetfile"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// randomContexts returns contexts in sentences with several mentions, with several concepts or none.
func randomContexts(r *rand.Rand, n int) []text.Exemplar {
	contexts := make([]text.Exemplar, n)
	for i := range contexts {
		doc := &text.Document{ID: strings.Repeat("7", r.IntN(9)), Text: strings.Repeat("β text ", 1+r.IntN(40))}
		for j := range 1 + r.IntN(4) {
			start, end := offsetOf(doc.Text, j), offsetOf(doc.Text, j+1+r.IntN(4))
			m := text.Mention{Span: text.Span{Start: start, End: end}, Name: strings.Repeat("n", r.IntN(3)), Concepts: []kb.ConceptID{}}
			if r.IntN(2) == 0 {
				m.LongForm = strings.Repeat("λ form ", 1+r.IntN(3))
			}
			for range r.IntN(4) {
				m.Concepts = append(m.Concepts, kb.ConceptID(fmt.Sprint("C", r.IntN(100))))
			}
			doc.Mentions = append(doc.Mentions, m)
		}
		whole := text.Span{Start: 0, End: len(doc.Text)}
		contexts[i] = text.Exemplar{Query: text.Query{Document: doc, Mention: doc.Mentions[r.IntN(len(doc.Mentions))], Sentence: whole}}
	}
	return contexts
}

// offsetOf returns the byte offset of the nth code point.
func offsetOf(s string, nth int) int { return len(string([]rune(s)[:nth])) }

// readContextsFile reads the words of the contexts in a file, and then the contexts.
func readContextsFile(path string) (words []contextWords, _ []text.Exemplar, _ error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	for row, err := range parquetfile.Rows[contextWords](f, 0, -1) {
		if err != nil {
			return nil, nil, err
		}
		words = append(words, *row)
	}
	contexts, err := readContexts(f)
	return words, contexts, err
}

func TestContextsRoundTrip(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 5))
	for _, n := range []int{0, 1, 2, 500, 5000} { // 5000 rows take several pages of a column
		path := filepath.Join(t.TempDir(), "contexts.parquet")
		want := randomContexts(r, n)
		must.Succeed(t, writeContexts(path, want, true))
		words, got, err := readContextsFile(path)
		must.Succeed(t, err)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%d contexts (-want +got):\n%s", n, diff)
		}
		for i := range got {
			want := contextWords{got[i].Mention.LongForm, strings.Join(sense.ContextWords(&got[i].Query), " ")}
			if words[i] != want {
				t.Fatalf("words of row %d of %d are %+v, want %+v", i, n, words[i], want)
			}
		}
	}
}

// TestContextOffsets writes contexts with offsets in bytes: the file counts code points.
func TestContextOffsets(t *testing.T) {
	span := func(start, end int) text.Span { return text.Span{Start: start, End: end} }
	doc := &text.Document{ID: "7", Text: "β-thalassaemia and naïve coeliac disease", Mentions: []text.Mention{
		{Span: span(0, 15), Name: "β thalassaemia", Concepts: []kb.ConceptID{"C1"}},
		{Span: span(27, 42), Name: "coeliac disease", Concepts: []kb.ConceptID{"C2", "C3"}},
	}}
	ascii := &text.Document{ID: "8", Text: "gout", Mentions: []text.Mention{{Span: span(0, 4), Name: "gout", Concepts: []kb.ConceptID{"C4"}}}}
	want := []text.Exemplar{
		{Query: text.Query{Document: doc, Mention: doc.Mentions[0], Sentence: span(0, 42)}},
		{Query: text.Query{Document: doc, Mention: doc.Mentions[1], Sentence: span(0, 42)}},
		{Query: text.Query{Document: ascii, Mention: ascii.Mentions[0], Sentence: span(0, 4)}},
	}
	written := filepath.Join(t.TempDir(), "contexts.parquet")
	must.Succeed(t, writeContexts(written, want, false))
	f := must.Get(os.Open(written))
	defer f.Close()
	got := must.Get(readContexts(f))
	must.Equal(t, got, want, "contexts")
	// "β" and "ï" take two bytes each, so "coeliac" starts at byte 27 and code point 25.
	rows := must.Get(parquet.ReadFile[contextRow](written))
	if m := rows[0].Mentions[1]; m.Start != 25 || m.End != 40 {
		t.Errorf("offsets are %d and %d, want the code points 25 and 40", m.Start, m.End)
	}
}

func TestContextsRefused(t *testing.T) {
	good := contextRow{PMID: "1", Text: "gout", Mentions: []mentionRow{{Start: 0, End: 4, Name: "gout", Concepts: []kb.ConceptID{"C1"}}}}
	changed := func(change func(*contextRow)) []contextRow {
		row := good
		row.Mentions = []mentionRow{good.Mentions[0]}
		change(&row)
		return []contextRow{good, row}
	}
	for _, test := range []struct {
		what  string
		write func(path string) error
		want  string
	}{
		{"no mention", func(path string) error {
			return parquet.WriteFile(path, changed(func(row *contextRow) { row.Mentions = nil }))
		}, "row 1: mention is 0, want 0 to -1"},
		{"mention out of range", func(path string) error {
			return parquet.WriteFile(path, changed(func(row *contextRow) { row.Mention = -1 }))
		}, "row 1: mention is -1, want 0 to 0"},
		{"span out of range", func(path string) error {
			return parquet.WriteFile(path, changed(func(row *contextRow) { row.Mentions[0].End = 5 }))
		}, "row 1: mention spans code points 0 to 5 of a text of 4 code points"},
		{"span that ends before it begins", func(path string) error {
			return parquet.WriteFile(path, changed(func(row *contextRow) { row.Mentions[0].Start = 4; row.Mentions[0].End = 1 }))
		}, "row 1: mention spans code points 4 to 1 of a text of 4 code points"},
		{"missing columns", func(path string) error {
			return parquet.WriteFile(path, []struct {
				Text string `parquet:"text"`
			}{{"gout"}})
		}, "column [long_form] is missing"},
		{"column of another type", func(path string) error {
			return parquet.WriteFile(path, []struct {
				LongForm int64 `parquet:"long_form"`
			}{{}})
		}, "column [long_form] is of type INT64, want BYTE_ARRAY"},
		{"optional column", func(path string) error {
			return parquet.WriteFile(path, []struct {
				LongForm string `parquet:"long_form,optional"`
			}{{}})
		}, "column [long_form] has other levels"},
	} {
		path := filepath.Join(t.TempDir(), "contexts.parquet")
		must.Succeed(t, test.write(path))
		_, _, err := readContextsFile(path)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %s and the path of the file", test.what, err, test.want)
		}
	}
}

// FuzzReadContexts reads a file with one changed byte: it must return an error or all rows, and never panic.
func FuzzReadContexts(f *testing.F) {
	path := filepath.Join(f.TempDir(), "contexts.parquet")
	must.Succeed(f, writeContexts(path, randomContexts(rand.New(rand.NewPCG(2, 5)), 3), true))
	whole := must.Get(os.ReadFile(path))
	f.Add(uint16(0), byte(0))
	f.Add(uint16(20), byte(' ')) // a size in a page header
	f.Add(uint16(len(whole)/2), byte(255))
	f.Fuzz(func(t *testing.T, at uint16, flip byte) {
		data := append([]byte(nil), whole...)
		data[int(at)%len(data)] ^= flip
		path := filepath.Join(t.TempDir(), "contexts.parquet")
		must.Succeed(t, os.WriteFile(path, data, 0o666))
		_, contexts, err := readContextsFile(path)
		if err == nil && len(contexts) != 3 {
			t.Errorf("byte %d changed by %d: %d contexts", int(at)%len(data), flip, len(contexts))
		}
	})
}

// TestStoredContextWords checks that profiles are computed from the stored words, without reading the sentences, and
// equal those of the sentences; and that words of another version are not read.
func TestStoredContextWords(t *testing.T) {
	encoder := fixtures.GutEncoder()
	dir := buildGut(t, encoder, nil)
	m := open(t, dir, encoder)
	want := must.Get(m.NewProfiles()) // from the sentences
	contexts := exemplars(t, &m.Contexts)
	unread := errors.New("the sentences are not read")
	m.Contexts.exemplars = func() ([]text.Exemplar, error) { return nil, unread }
	got := must.Get(m.Profiles())
	if len(contexts) == 0 {
		t.Fatal("the model has no contexts")
	}
	for row := range contexts {
		words := sense.ContextWords(&contexts[row].Query)
		must.Equal(t, len(got.Numbers(words)), len(words), "row", row, words, "the profiles know", got.Numbers(words))
		for _, concept := range contexts[row].Mention.Concepts {
			key, vector := string(concept), m.sentenceVectors()(row)
			must.Equal(t, got.WordScore(key, got.Numbers(words), nil), want.WordScore(key, want.Numbers(words), nil), "row",
				row, "word score", key)
			must.Equal(t, got.CentroidScore(sense.Encoded, key, vector, nil),
				want.CentroidScore(sense.Encoded, key, vector, nil), "row", row, "centroid score", key)
		}
	}

	damaged := must.Get(os.Open(filepath.Join(dir, manifestFile)))
	defer damaged.Close()
	if profiles, err := m.storedProfiles(damaged); profiles != nil || err == nil {
		t.Errorf("of a damaged file: %v, %v, want an error alone", profiles, err)
	}
	manifest := *m.Manifest
	manifest.Index.ContextWords++
	must.Succeed(t, errors.Join(os.Remove(filepath.Join(dir, manifestFile)), writeManifest(dir, &manifest)))
	m = open(t, dir, encoder)
	m.Contexts.exemplars = func() ([]text.Exemplar, error) { return nil, unread }
	_, err := m.Profiles()
	must.FailWith(t, err, unread, "profiles by words of another version")
}
