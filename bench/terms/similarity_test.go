package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

func TestSpearman(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		x, y []float64
		want float64
	}{
		{[]float64{1, 2, 3, 4}, []float64{10, 20, 30, 31}, 1},
		{[]float64{1, 2, 3, 4}, []float64{9, 8, 7, -1}, -1},
		// No ties: 1 - 6 sum d² / (n (n²-1)), d = (0, 1, -1, 0): 1 - 12/60.
		{[]float64{1, 2, 3, 4}, []float64{1, 3, 2, 4}, .8},
		// The first example of scipy.stats.spearmanr, 0.82078…: ranks 1 2 3 4 5 and 1 2 3.5 5 3.5;
		// less 3: (-2, -1, 0, 1, 2) and (-2, -1, .5, 2, .5): 8 / sqrt(10 * 9.5).
		{[]float64{1, 2, 3, 4, 5}, []float64{5, 6, 7, 8, 7}, 8 / math.Sqrt(95)},
		// Ties in both: ranks 1.5 1.5 3 4 and 1 2.5 2.5 4; less 2.5: (-1, -1, .5, 1.5) and
		// (-1.5, 0, 0, 1.5): 3.75 / sqrt(4.5 * 4.5).
		{[]float64{1, 1, 2, 3}, []float64{0, 5, 5, 9}, 3.75 / 4.5},
		{[]float64{1, 1, 1}, []float64{1, 2, 3}, nan},
		{[]float64{1}, []float64{2}, nan},
		{nil, nil, nan},
		{[]float64{1, nan, 2}, []float64{1, 2, 3}, nan},
	} {
		got := spearman(test.x, test.y)
		if math.Abs(got-test.want) > 1e-12 || math.IsNaN(got) != math.IsNaN(test.want) {
			t.Errorf("Spearman(%v, %v) = %v, want %v", test.x, test.y, got, test.want)
		}
		if swapped := spearman(test.y, test.x); swapped != got && !math.IsNaN(got) {
			t.Errorf("Spearman(%v, %v) = %v, and %v the other way round", test.x, test.y, got, swapped)
		}
	}
}

func TestReadPairs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pairs.txt")
	read := func(content string) (pairs []pair, err error) {
		must.Succeed(t, os.WriteFile(path, []byte(content), 0o600))
		err = harness.Try(func() { pairs = readPairs(path) })
		return pairs, err
	}
	pairs, err := read("renal failure\tkidney failure\t4\r\n\nheart\tmyocardium\t3.25")
	if want := []pair{{"renal failure", "kidney failure", 4}, {"heart", "myocardium", 3.25}}; err != nil || !slices.Equal(pairs, want) {
		t.Errorf("pairs are %v, %v; want %v", pairs, err, want)
	}
	for content, want := range map[string]string{
		"a\tb\t1\na\tb\n": `line 2: want two terms and a score, separated by tabs, got "a\tb"`,
		"a\tb\tmuch\n":    `line 1: want two terms and a score, separated by tabs, got "a\tb\tmuch"`,
		"a\tb\tNaN\n":     `line 1: want two terms and a score, separated by tabs, got "a\tb\tNaN"`,
		"a\t \t1\n":       `line 1: want two terms and a score, separated by tabs, got "a\t \t1"`,
	} {
		if _, err := read(content); err == nil || !strings.HasSuffix(err.Error(), path+": "+want) {
			t.Errorf("%q: error is %v, want %q", content, err, want)
		}
	}
}

func TestSimilarity(t *testing.T) {
	vectors := map[string][]float32{"a": {1, 0}, "b": {2, 1}, "c": {1, 1}, "d": {0, 3}, "zero": {0, 0}}
	vector := func(term string) []float32 { return vectors[term] }
	pairs := []pair{{"a", "b", 9}, {"a", "c", 8}, {"a", "d", 7}, {"a", "x", 100}, {"x", "a", -100}}
	if rho, n := similarity(pairs, vector); rho != 1 || n != 3 {
		t.Errorf("similarity is %v of %d", rho, n)
	}
	// A vector of zeros has the cosine 0, as d has.
	if rho, n := similarity([]pair{{"a", "d", 1}, {"a", "zero", 2}}, vector); !math.IsNaN(rho) || n != 2 {
		t.Errorf("similarity is %v of %d", rho, n)
	}
}
