package recognize

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/kb"
)

// Counts that are not those of the pairs are damage.
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
		var r Recognizer
		err := r.setWords(rows)
		var damaged *files.DamagedError
		switch {
		case errors.As(err, &damaged) != test.damage:
			t.Errorf("counts %v: %v, damage wanted: %t", test.counts, err, test.damage)
		case err == nil && (!r.isPair("ankylosing", "spondylitis") || r.isPair("spondylitis", "ankylosing")):
			t.Errorf("counts %v: the words are no pair, or one in the other order", test.counts)
		case err == nil && r.areBound("ankylosing", "spondylitis") != test.bound:
			t.Errorf("counts %v: bound is %t, want %t", test.counts, !test.bound, test.bound)
		}
	}
}

// A word that stands before most occurrences of another belongs to it, unless the other is a name alone and names
// leave the first out.
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
		var r Recognizer
		err := r.setWords([]wordRow{
			{Word: "serum", Count: 30, Before: test.before, Vector: make([]byte, vectorDim), Next: []int32{1}, NextCount: []int32{8}},
			{Word: "creatinine", Count: 20, Alone: test.alone, Vector: make([]byte, vectorDim)},
		})
		if err != nil {
			t.Fatal(err)
		}
		if bound := r.areBound("serum", "creatinine"); bound != test.bound {
			t.Errorf("alone %t, left out %d times: bound is %t, want %t", test.alone, test.before, bound, test.bound)
		}
	}
}

// Two names of one word say little of other words: no more than one word in fifty, and two for each name, is then
// taken for the end of a mention.
func TestFewNamesMakeFewWordsSure(t *testing.T) {
	const n = 2000
	random := rand.New(rand.NewPCG(1, 2))
	v := &vocabulary{number: make(map[string]int32)}
	s := &wordStatistics{vocabulary: v, counts: newWordCounts(n)}
	for i := range n {
		word := fmt.Sprintf("word%c%c%c", 'a'+i%26, 'a'+i/26%26, 'a'+i/676)
		v.number[word] = int32(i)
		v.words, v.counts = append(v.words, word), append(v.counts, 50+100*(i%2))
		s.single = append(s.single, float32(random.ExpFloat64()))
		s.singleByVector = append(s.singleByVector, random.Float32())
	}
	s.head, s.modifier = make([]float32, n), make([]float32, n)
	for i := range 2 { // names, no more like names than other words
		s.counts.alone[i], s.counts.heads[i], s.counts.classed[i], s.counts.ends[i] = true, 1, 1, 50
		s.single[i], s.singleByVector[i] = .5, .5
	}
	s.decide()
	sure := 0
	for _, word := range v.words {
		if s.surelyEnds(word) {
			sure++
		}
	}
	if most := n/50 + 2*2; sure == 0 || sure > most {
		t.Errorf("%d of %d words surely end mentions, want 1 to %d", sure, n, most)
	}
}

// TestSureAlone: of a word that texts have often, both probabilities must be those of names of one word; of one with
// fewer texts, that by letters must be a tenth greater. The names that it ends must lie in one branch, if they are many.
func TestSureAlone(t *testing.T) {
	for _, test := range []struct {
		single, byVector float32
		texts            int
		classed          int32
		sameTop          float32
		want             bool
	}{
		{.5, .4, 100, 0, 1, true}, {.49, .4, 100, 0, 1, false}, {.5, .39, 100, 0, 1, false},
		{.56, 0, 99, 0, 1, true}, {.54, .4, 99, 0, 1, false},
		{.5, .4, 100, 8, .85, true}, {.5, .4, 100, 8, .84, false}, {.5, .4, 100, 7, .5, true},
	} {
		s := newRules("word", "", "", "").wordStatistics
		s.thresholds = thresholds{single: .5, singleByVector: .4, headScale: 1}
		s.single, s.singleByVector = []float32{test.single}, []float32{test.byVector}
		s.vocabulary.counts[0], s.counts.classed[0], s.counts.sameTop[0] = test.texts, test.classed, test.sameTop
		if got := s.isSureAlone(0); got != test.want {
			t.Errorf("%+v: %t", test, got)
		}
	}
}

// TestNamesOf: each name once, in small letters, with each of its concepts once.
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
