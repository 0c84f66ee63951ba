package model

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// countingEncoder counts the queries that reach an encoder. Its first calls may fail.
type countingEncoder struct {
	*fixtures.BagOfWords
	encoded, failures int
}

func (c *countingEncoder) Encode(ctx context.Context, dst []float32, queries []text.Query) error {
	if c.encoded += len(queries); c.failures > 0 {
		c.failures--
		return errors.New("failed")
	}
	return c.BagOfWords.Encode(ctx, dst, queries)
}

// TestMemoize compares a memoizing encoder with the plain one on random queries that repeat.
func TestMemoize(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	plain := fixtures.GutEncoder()
	inner := &countingEncoder{BagOfWords: plain}
	memo := Memoize(inner)
	distinct := make(map[string]bool)
	for range 100 {
		queries := make([]text.Query, random.IntN(6))
		for i := range queries {
			words := strings.Fields("wheat aspirin ulcer disease")
			random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
			words[0] = "<" + words[0] + ">"
			text := strings.Join(words[:1+random.IntN(len(words))], " ")
			queries[i] = fixtures.Query(t, text)
			distinct[text] = true
		}
		got, want := make([]float32, len(queries)*memo.Dim()), make([]float32, len(queries)*memo.Dim())
		must.Succeed(t, memo.Encode(t.Context(), got, queries))
		must.Succeed(t, plain.Encode(t.Context(), want, queries))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
	must.Equal(t, inner.encoded, len(distinct), "queries that reached the encoder")
	must.Equal(t, memo.Fingerprint(), plain.Fingerprint(), "the fingerprint is not the encoder's")
}

// Queries that differ to an encoder have different keys.
func TestEncodedText(t *testing.T) {
	at := func(start, end int) text.Mention {
		return text.Mention{Span: text.Span{Start: start, End: end}}
	}
	whole := text.Span{Start: 0, End: 11}
	doc := func(s string, mentions ...text.Mention) *text.Document {
		return &text.Document{Text: s, Mentions: mentions}
	}
	queries := map[string]text.Query{
		"one mention":      {Document: doc("ulcer ulcer", at(0, 5)), Mention: at(0, 5), Sentence: whole},
		"another span":     {Document: doc("ulcer ulcer", at(6, 11)), Mention: at(6, 11), Sentence: whole},
		"both marked":      {Document: doc("ulcer ulcer", at(0, 5), at(6, 11)), Mention: at(0, 5), Sentence: whole},
		"both, the second": {Document: doc("ulcer ulcer", at(0, 5), at(6, 11)), Mention: at(6, 11), Sentence: whole},
		"other words":      {Document: doc("ulcer aches", at(0, 5)), Mention: at(0, 5), Sentence: whole},
		"shorter sentence": {Document: doc("ulcer ulcer", at(0, 5)), Mention: at(0, 5), Sentence: text.Span{Start: 0, End: 5}},
	}
	seen := make(map[string]string)
	for name, q := range queries {
		key := encodedText(&q)
		if other, taken := seen[key]; taken {
			t.Errorf("%s and %s have the same key", name, other)
		}
		seen[key] = name
	}
	// Text outside the sentence makes no difference.
	long := text.Query{
		Document: doc("No ulcer. ulcer ulcer", at(3, 8), at(10, 15)),
		Mention:  at(10, 15), Sentence: text.Span{Start: 10, End: 21},
	}
	if name := seen[encodedText(&long)]; name != "one mention" {
		t.Errorf("the same sentence in a longer text has the key of %s", fmt.Sprintf("%q", name))
	}
}

// A model that is built with an earlier one has the same vectors as one that is built without, and only new texts reach
// the encoder.
func TestBuildFromEarlier(t *testing.T) {
	encoder := fixtures.GutEncoder()
	earlier := buildGut(t, encoder, nil)
	larger := func(o *BuildOptions) {
		dict := fixtures.GutDictionary()
		concepts := []kb.Concept{{ID: "G9", Name: "stomach ache"}}
		for i := range dict.Len() {
			concepts = append(concepts, *dict.At(i))
		}
		o.Dictionary = kb.NewDictionary(concepts)
	}
	want := buildGut(t, encoder, larger)
	counting := &countingEncoder{BagOfWords: encoder}
	recalled, total := 0, 0
	got := buildGut(t, encoder, func(o *BuildOptions) {
		larger(o)
		o.Encoder, o.Earlier = counting, earlier
		o.Recalled = func(known, all int) { recalled, total = known, all }
	})
	if counting.encoded != 1 { // the name of the new concept
		t.Errorf("%d names and contexts were encoded, want 1", counting.encoded)
	}
	if recalled != 11 || total != 12 { // 3 names, 4 contexts and their sentences; and the new name
		t.Errorf("%d of %d vectors are those of the earlier model, want 11 of 12", recalled, total)
	}
	for _, file := range []string{nameVectors, contextVectors, sentenceVectors} {
		must.Equal(t, string(must.Get(os.ReadFile(pathIn(got, file)))), string(must.Get(os.ReadFile(pathIn(want, file)))),
			file, "differs from that of a model without an earlier one")
	}
}

// Vectors of another encoder are not reused.
func TestBuildFromAnotherEncoder(t *testing.T) {
	other := fixtures.GutEncoder()
	other.Name = "other"
	counting := &countingEncoder{BagOfWords: fixtures.GutEncoder()}
	buildGut(t, other, func(o *BuildOptions) {
		o.Encoder, o.Earlier = counting, buildGut(t, other, nil)
	})
	must.Equal(t, counting.encoded, 11, "names, contexts and sentences were encoded")
}

// A damaged earlier model causes an error.
func TestBuildFromDamaged(t *testing.T) {
	encoder := fixtures.GutEncoder()
	earlier := buildGut(t, encoder, nil)
	flip(t, earlier, contextVectors)
	o := gutOptions(t, filepath.Join(t.TempDir(), "model"))
	o.Encoder, o.EncoderDir, o.Earlier = text.Encoder(encoder), fixtures.EncoderDir(t), earlier
	_, err := Build(t.Context(), o)
	must.Fail(t, err, "", "no error")
}
