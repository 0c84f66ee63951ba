package recognize

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

// Counts that do not match the pairs are damage.
func TestPairsOfAFile(t *testing.T) {
	rows := []wordRow{
		{Word: "ankylosing", Count: 10, Vector: make([]byte, vectorDim), Next: []int32{1}, NextCount: []int32{8}},
		{Word: "spondylitis", Count: 20, Vector: make([]byte, vectorDim)},
	}
	for _, test := range []struct {
		counts        []int32
		bound, damage bool
	}{
		{counts: []int32{8}, bound: true},
		{counts: []int32{3}}, // 3 of 10 and of 20
		{counts: nil, damage: true},
		{counts: []int32{8, 8}, damage: true},
	} {
		rows[0].NextCount = test.counts
		r := wordStatistics{words: rows}
		r.index()
		err := r.checkWords()
		var damaged *files.DamagedError
		switch {
		case errors.As(err, &damaged) != test.damage:
			t.Errorf("counts %v: %v, damage wanted: %t", test.counts, err, test.damage)
		case err == nil && (r.beside("ankylosing", "spondylitis") == 0 || r.beside("spondylitis", "ankylosing") > 0):
			t.Errorf("counts %v: the words are no pair, or one in the other order", test.counts)
		case err == nil && r.areBound("ankylosing", "spondylitis") != test.bound:
			t.Errorf("counts %v: bound is %t, want %t", test.counts, !test.bound, test.bound)
		}
	}
}

// A word that precedes most occurrences of another belongs to it, unless the other is a name by itself and names leave
// the first one out.
func TestWordsThatNamesLeaveOut(t *testing.T) {
	for _, test := range []struct {
		alone  bool
		before int32 // how often names leave "serum" out
		bound  bool
	}{
		{alone: true, before: 4, bound: true}, // names take it in .5 of 5 times
		{alone: true, before: 5},              // .5 of 6, less than a tenth
		{alone: false, before: 5, bound: true},
	} {
		r := wordStatistics{words: []wordRow{
			{Word: "serum", Count: 30, Before: test.before, Next: []int32{1}, NextCount: []int32{8}},
			{Word: "creatinine", Count: 20, Alone: test.alone},
		}}
		r.index()
		must.Equal(t, r.areBound("serum", "creatinine"), test.bound, "alone", test.alone, "left out", test.before,
			"times: bound")
	}
}

// Two one-word names say little about other words: at most one word in fifty, plus two for each name, then counts as
// the end of a mention.
func TestFewNamesMakeFewWordsSure(t *testing.T) {
	const n = 2000
	random := rand.New(rand.NewPCG(1, 2))
	s := new(wordStatistics)
	for i := range n {
		s.words = append(s.words, wordRow{Word: fmt.Sprintf("word%c%c%c", 'a'+i%26, 'a'+i/26%26, 'a'+i/676), Count: int64(50 + 100*(i%2)),
			Single: float32(random.ExpFloat64()), SingleByVector: random.Float32(), SameTop: 1})
	}
	for i := range 2 { // names that are no more like names than other words
		w := &s.words[i]
		w.Alone, w.Heads, w.Classed, w.Ends, w.Single, w.SingleByVector = true, 1, 1, 50, .5, .5
	}
	s.index()
	s.decide()
	sure := 0
	for _, w := range s.words {
		if w.surely {
			sure++
		}
	}
	if most := n/50 + 2*2; sure == 0 || sure > most {
		t.Errorf("%d of %d words surely end mentions, want 1 to %d", sure, n, most)
	}
}

// TestSureAlone: for a word that is frequent in texts, both probabilities must be those of one-word names; for a rarer
// word, the one by letters must be a tenth higher. If it ends many names, they must lie in one branch.
func TestSureAlone(t *testing.T) {
	for _, test := range []struct {
		single, byVector float32
		texts            int64
		classed          int32
		sameTop          float32
		want             bool
	}{
		{.5, .4, 100, 0, 1, true}, {.49, .4, 100, 0, 1, false}, {.5, .39, 100, 0, 1, false},
		{.56, 0, 99, 0, 1, true}, {.54, .4, 99, 0, 1, false},
		{.5, .4, 100, 8, .85, true}, {.5, .4, 100, 8, .84, false}, {.5, .4, 100, 7, .5, true},
	} {
		s := wordStatistics{thresholds: thresholds{single: .5, singleByVector: .4, headScale: 1}}
		w := wordRow{Single: test.single, SingleByVector: test.byVector, Count: test.texts, Classed: test.classed, SameTop: test.sameTop}
		must.Equal(t, s.isSureAlone(&w), test.want, test)
	}
}

// TestNamesOf: distinct names in lower case, with their distinct concepts.
func TestNamesOf(t *testing.T) {
	names, concepts := namesOf(kb.NewDictionary([]kb.Concept{
		{ID: "C1", Name: "Gout", Synonyms: []string{"gout", "podagra"}},
		{ID: "C2", Name: "GOUT", Synonyms: []string{"Gout"}},
	}))
	if !slices.Equal(names, []string{"gout", "podagra"}) || !slices.Equal(concepts[0], []int32{0, 1}) ||
		!slices.Equal(concepts[1], []int32{0}) {
		t.Errorf("names %q of concepts %v, want gout of 0 and 1, podagra of 0", names, concepts)
	}
}
