package model

import (
	"context"
	"math"
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// TestOwnSense: the dictionary has the first sense, unless all names of its concept are nearer to another by the
// margin.
func TestOwnSense(t *testing.T) {
	vectors := [][]float32{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	for _, tc := range []struct {
		names [][]float32
		want  int
	}{
		{nil, 0},
		{[][]float32{{1, 0, 0}}, 0},
		{[][]float32{{0, 0, 1}}, 2},
		{[][]float32{{.5, .55, 0}}, 0}, // within the margin
		{[][]float32{{.5, .65, 0}}, 1},
		{[][]float32{{0, 1, 0}, {1, 0, 0}}, 0}, // the names do not agree
		{[][]float32{{0, .8, .6}}, 1},          // the nearest of two
	} {
		if w := newEnglishWord(vectors, tc.names); w.own != tc.want {
			t.Errorf("names %v: sense %d, want %d", tc.names, w.own, tc.want)
		}
	}
	w := &englishWord{senses: vectors, own: 1}
	if got := w.lead([]float32{.2, .9, .4}); math.Abs(got-.5) > 1e-6 { // .9 - .4
		t.Errorf("lead %g, want .5", got)
	}
}

// TestEnglishWordIsKept: a word is encoded once, and one that has no vectors is asked for again.
func TestEnglishWordIsKept(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{{ID: "H", Name: "hives", Synonyms: []string{"nettle rash", "Hive"}}})
	words := newEnglishWords(NewDictionaryIndexes(dict))
	calls := 0
	for i, vectors := range [][][]float32{nil, {{1, 0}, {0, 1}, {1, 0}}, nil} {
		w, err := words.word(t.Context(), "Hives", func(_ context.Context, queries []text.Query) ([][]float32, error) {
			calls++
			if len(queries) != 3 || queries[2].Text != "nettle rash" { // two senses and the other name
				t.Errorf("encodes %d texts", len(queries))
			}
			return vectors, nil
		})
		if err != nil || (w == nil) != (i == 0) {
			t.Errorf("call %d: %v, %v", i, w, err)
		}
	}
	if calls != 2 {
		t.Errorf("encoded %d times, want 2", calls)
	}
}
