package link

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
)

// counting counts the queries that reach an encoder.
type counting struct {
	*bagOfWords
	asked int
}

func (c *counting) Encode(ctx context.Context, dst []float32, queries []ctxnorm.Query) error {
	c.asked += len(queries)
	return c.bagOfWords.Encode(ctx, dst, queries)
}

// TestMemoizeGivesTheSame asks random queries again and again, of the encoder and of
// one that remembers.
func TestMemoizeGivesTheSame(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	plain := gutEncoder()
	inner := &counting{bagOfWords: plain}
	memo := Memoize(inner)
	different := make(map[string]bool)
	for range 100 {
		queries := make([]ctxnorm.Query, random.IntN(6))
		for i := range queries {
			words := strings.Fields("wheat aspirin ulcer disease")
			random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
			words[0] = "<" + words[0] + ">"
			text := strings.Join(words[:1+random.IntN(len(words))], " ")
			queries[i] = query(t, text)
			different[text] = true
		}
		got, want := make([]float32, len(queries)*memo.Dim()), make([]float32, len(queries)*memo.Dim())
		if err := memo.Encode(t.Context(), got, queries); err != nil {
			t.Fatal(err)
		}
		if err := plain.Encode(t.Context(), want, queries); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
	if inner.asked != len(different) {
		t.Errorf("%d queries reached the encoder, %d are different", inner.asked, len(different))
	}
	if memo.Fingerprint() != plain.Fingerprint() {
		t.Error("the fingerprint is not the encoder's")
	}
}

// Queries that an encoder tells apart are not taken for one another.
func TestEncodedTextTellsQueriesApart(t *testing.T) {
	at := func(start, end int) ctxnorm.Mention {
		return ctxnorm.Mention{Span: ctxnorm.Span{Start: start, End: end}}
	}
	whole := ctxnorm.Span{Start: 0, End: 11}
	doc := func(text string, mentions ...ctxnorm.Mention) *ctxnorm.Document {
		return &ctxnorm.Document{Text: text, Mentions: mentions}
	}
	queries := map[string]ctxnorm.Query{
		"one mention":      {Document: doc("ulcer ulcer", at(0, 5)), Mention: at(0, 5), Sentence: whole},
		"another place":    {Document: doc("ulcer ulcer", at(6, 11)), Mention: at(6, 11), Sentence: whole},
		"both marked":      {Document: doc("ulcer ulcer", at(0, 5), at(6, 11)), Mention: at(0, 5), Sentence: whole},
		"both, the second": {Document: doc("ulcer ulcer", at(0, 5), at(6, 11)), Mention: at(6, 11), Sentence: whole},
		"other words":      {Document: doc("ulcer aches", at(0, 5)), Mention: at(0, 5), Sentence: whole},
		"shorter sentence": {Document: doc("ulcer ulcer", at(0, 5)), Mention: at(0, 5), Sentence: ctxnorm.Span{Start: 0, End: 5}},
	}
	seen := make(map[string]string)
	for name, q := range queries {
		key := encodedText(&q)
		if other, taken := seen[key]; taken {
			t.Errorf("%s and %s are taken for one", name, other)
		}
		seen[key] = name
	}
	// What stands outside the sentence makes no difference.
	long := ctxnorm.Query{
		Document: doc("No ulcer. ulcer ulcer", at(3, 8), at(10, 15)),
		Mention:  at(10, 15), Sentence: ctxnorm.Span{Start: 10, End: 21},
	}
	if name := seen[encodedText(&long)]; name != "one mention" {
		t.Errorf("the same sentence in a longer text is taken for %s", fmt.Sprintf("%q", name))
	}
}
