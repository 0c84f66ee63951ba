package model

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// countingEncoder counts the queries that reach an encoder.
type countingEncoder struct {
	*linktest.BagOfWords
	encoded int
}

func (c *countingEncoder) Encode(ctx context.Context, dst []float32, queries []text.Query) error {
	c.encoded += len(queries)
	return c.BagOfWords.Encode(ctx, dst, queries)
}

// TestMemoize compares a memoizing encoder with the plain one on random queries that
// repeat.
func TestMemoize(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	plain := linktest.GutEncoder()
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
			queries[i] = linktest.Query(t, text)
			distinct[text] = true
		}
		got, want := make([]float32, len(queries)*memo.Dim()), make([]float32, len(queries)*memo.Dim())
		noError(t, memo.Encode(t.Context(), got, queries))
		noError(t, plain.Encode(t.Context(), want, queries))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
	if inner.encoded != len(distinct) {
		t.Errorf("%d queries reached the encoder, %d are distinct", inner.encoded, len(distinct))
	}
	if memo.Fingerprint() != plain.Fingerprint() {
		t.Error("the fingerprint is not the encoder's")
	}
}

// Queries that differ for an encoder have different keys.
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

// countingIndex counts the queries that reach an index, and returns err if it is set.
type countingIndex struct {
	knnindex.Index
	searched int
	err      error
}

func (x *countingIndex) SearchBatch(ctx context.Context, queries []float32, k, workers int) ([][]knnindex.Hit, error) {
	x.searched += len(queries) / x.Dim()
	if x.err != nil {
		return nil, x.err
	}
	return x.Index.SearchBatch(ctx, queries, k, workers)
}

func TestMemoizedIndex(t *testing.T) {
	const dim, rows = 3, 40
	r := rand.New(rand.NewPCG(1, 9))
	v := &knnindex.Vectors{Dim: dim, Data: make([]float32, rows*dim)}
	for i := range v.Data {
		v.Data[i] = float32(r.NormFloat64())
	}
	counting := &countingIndex{Index: knnindex.NewFlat(v)}
	x := memoizeIndex(counting)
	if again := memoizeIndex(x); again != x {
		t.Error("a memoizing index is memoized again")
	}
	search := func(k int, queries ...int) {
		t.Helper()
		var vectors []float32
		for _, row := range queries {
			vectors = append(vectors, v.Row(row)...)
		}
		want := must(counting.Index.SearchBatch(t.Context(), vectors, k, 0))
		for range 2 { // the second time from the stored hits
			got := must(x.SearchBatch(t.Context(), vectors, k, 0))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%d nearest of %v (-want +got):\n%s", k, queries, diff)
			}
			for i := range got {
				got[i] = slices.Delete(got[i], 0, 1) // must not change the stored hits
			}
		}
	}
	counting.err = context.Canceled
	if _, err := x.SearchBatch(t.Context(), v.Row(0), 5, 0); err == nil {
		t.Fatal("a failed search returns no error")
	}
	counting.err, counting.searched = nil, 0
	search(5, 0, 1, 0)
	search(5, 1, 2)
	search(7, 2, 0)
	// Rows 0, 1 and 2 by 5, rows 2 and 0 by 7.
	if counting.searched != 3+2 {
		t.Errorf("%d searches, want 5", counting.searched)
	}
}
