package main

import (
	"math"
	"testing"

	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// vectorsOf returns the vectors of a table; other terms have none.
func vectorsOf(table map[string][]float32) vectorOf {
	return func(term string) []float32 { return table[term] }
}

func TestAveragePrecision(t *testing.T) {
	relevant := map[int]bool{7: true, 9: true}
	for _, test := range []struct {
		ranked []int
		want   float64
	}{
		{[]int{9, 1, 7}, (1. + 2./3) / 2},
		{[]int{1, 2, 9}, 1. / 3 / 2}, // one is not ranked
		{[]int{1}, 0},
		{nil, 0},
	} {
		if got := averagePrecision(test.ranked, relevant); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("of %v it is %v, want %v", test.ranked, got, test.want)
		}
	}
}

// TestBM25 is derived by hand: three texts of 2, 1 and 3 words, mean length 2. Of N = 3 texts two have
// "renal", so idf = ln(1 + 1.5/2.5) = ln 1.6, and one has "failure": ln(1 + 2.5/1.5) = ln(8/3).
func TestBM25(t *testing.T) {
	x := newBM25([][]string{{"renal", "failure"}, {"asthma"}, {"renal", "renal", "cyst"}})
	got := x.scores([]string{"renal", "failure", "unknown"})
	if len(got) != 2 {
		t.Fatalf("scores %v, want those of two texts", got)
	}
	// Length 2 is the mean: tf 1 counts 2.2/(1+1.2) = 1. Length 3: 1.2 (.25 + .75 · 1.5) = 1.65, tf 2 counts 2 ·
	// 2.2/3.65.
	for row, want := range map[int]float64{0: math.Log(1.6) + math.Log(8./3), 2: math.Log(1.6) * 4.4 / 3.65} {
		if math.Abs(got[row]-want) > 1e-12 {
			t.Errorf("score of text %d is %v, want %v", row, got[row], want)
		}
	}
}

// TestMeanAveragePrecision is derived by hand: "renal trouble" is mention of K; the concepts with a name
// like it are K (renal failure, kidney failure) and C (renal cyst). Of two concepts all names are candidates: by
// their cosine kidney failure .9, renal cyst .8, renal failure without a vector: precisions 1 and 2/3. BM25
// scores renal cyst and renal failure equally, so that of one concept the first name's is taken, C, and K is not found.
func TestMeanAveragePrecision(t *testing.T) {
	names := []text.Exemplar{
		text.NameExemplar("asthma", "A"), text.NameExemplar("kidney failure", "K"), text.NameExemplar("renal cyst", "C"), text.NameExemplar("renal failure", "K"),
	}
	mention := func(document, surface string, gold ...kb.ConceptID) eval.GoldMention {
		query := text.NameExemplar(surface).Query
		query.ID = document
		return eval.GoldMention{Query: query, Gold: gold}
	}
	gold := &eval.Gold{Mentions: []eval.GoldMention{mention("1", "renal trouble", "K"), mention("1", "asthma", "A"), mention("2", "something", "X"), mention("2", "headache", "A")}}
	table := map[string][]float32{"renal trouble": {1, 0}, "kidney failure": {.9, .436}, "renal cyst": {.8, .6}, "asthma": {0, 1}}
	candidates := newCandidates(names, 2)
	must.Equal(t, candidates.of("renal trouble"), []int{1, 2, 3}, "candidates")
	must.Equal(t, candidates.terms(gold), []string{"renal trouble", "kidney failure", "renal cyst", "renal failure",
		"asthma", "asthma", "something", "headache"}, "terms")
	// asthma: 1; headache has no candidates: 0; something has no concept with a name.
	got := meanAveragePrecision(gold, candidates, vectorsOf(table))
	if want := (1+2./3)/2 + 1; got.Name != "MAP" || got.Denominator != 3 || math.Abs(got.Numerator-want) > 1e-9 {
		t.Errorf("%s is %v/%d, want %v/3", got.Name, got.Numerator, got.Denominator, want)
	}
	must.Equal(t, meanAveragePrecision(gold, newCandidates(names, 1), vectorsOf(table)).Numerator, 1,
		"of one concept the sum")
}
