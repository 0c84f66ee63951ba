package model

import (
	"errors"
	"math"
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
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

// TestMemo makes a value once, and what failed again.
func TestMemo(t *testing.T) {
	var m memo[int]
	calls := 0
	for i, failure := range []error{errors.New("failed"), nil, nil} {
		value, err := m.get("key", func() (int, error) { calls++; return calls, failure })
		if err != failure || i > 0 && value != 2 {
			t.Errorf("call %d: %d, %v, want what the second call made", i, value, err)
		}
	}
	if calls != 2 {
		t.Errorf("made %d times, want 2", calls)
	}
}

func TestOtherNames(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{{ID: "H", Name: "hives", Synonyms: []string{"nettle rash", "Hive"}}})
	if got := NewDictionaryIndexes(dict).otherNames("hives"); len(got) != 1 || got[0] != "nettle rash" {
		t.Errorf("other names %q, want nettle rash alone", got)
	}
}
