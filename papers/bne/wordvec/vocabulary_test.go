package wordvec

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// documents returns documents of words separated by spaces.
func documents(lines ...string) Documents {
	return func(yield func([]string, error) bool) {
		for _, line := range lines {
			if !yield(strings.Fields(line), nil) {
				return
			}
		}
	}
}

func countWords(t *testing.T, minCount int, lines ...string) *Vocabulary {
	t.Helper()
	return must.Get(newVocabulary(documents(lines...), minCount))
}

func TestCountWords(t *testing.T) {
	v := countWords(t, 2, "b a a c", "", "a b d b c e")
	// a 3, b 3, c 2; d and e once
	want := []string{"a 3", "b 3", "c 2"}
	var got []string
	for i := range v.Len() {
		got = append(got, fmt.Sprint(v.Word(i), " ", v.counts[i]))
		if at, known := v.index[v.Word(i)]; !known || at != i {
			t.Errorf("the index of %q is %d, %v, want %d", v.Word(i), at, known, i)
		}
	}
	if !slices.Equal(got, want) || v.Total() != 8 {
		t.Errorf("words are %q, %d in all; want %q, 8", got, v.Total(), want)
	}
	if _, known := v.index["d"]; known {
		t.Error("a word under the minimum count is known")
	}
}

func TestCountWordsRefuses(t *testing.T) {
	failure := errors.New("disk gone")
	for _, test := range []struct {
		docs Documents
		want string
	}{
		{documents("a b"), "none of the 2 words of 1 documents appears 2 times"},
		{documents(), "none of the 0 words of 0 documents appears 2 times"},
		{func(yield func([]string, error) bool) { _ = yield([]string{"a"}, nil) && yield([]string{"b\tc"}, nil) }, `document 2: word is "b\tc", want at least one character, and no tab or line feed`},
		{func(yield func([]string, error) bool) { yield([]string{""}, nil) }, `document 1: word is "", want at least one character, and no tab or line feed`},
		{func(yield func([]string, error) bool) { yield(nil, failure) }, "disk gone"},
	} {
		_, err := newVocabulary(test.docs, 2)
		must.Equal(t, fmt.Sprint(err), test.want)
	}
}

func TestKeepProbability(t *testing.T) {
	v := countWords(t, 1, strings.Repeat("a ", 64)+strings.Repeat("b ", 32)+strings.Repeat("c ", 4))
	for _, test := range []struct {
		word      int
		threshold float64
		want      float64
	}{
		{0, 0, 1},             // no subsampling
		{0, .04, .25 + .0625}, // f = .64: t/f = .0625, its root .25
		{1, .0032, .1 + .01},  // f = .32: t/f = .01
		{2, .01, .5 + .25},    // f = .04: t/f = .25
		{2, .04, 1},           // f = t: 1 + 1 is more than 1
	} {
		if got := v.keepProbability(test.word, test.threshold); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("keepProbability(%q, %g) = %g, want %g", v.Word(test.word), test.threshold, got, test.want)
		}
	}
}

// TestNoise takes the differences of the cumulative sums: 16, 81 and 256 to the power of .75 give 8, 27 and 64 of 99.
func TestNoise(t *testing.T) {
	v := countWords(t, 1, strings.Repeat("a ", 256)+strings.Repeat("b ", 81)+strings.Repeat("c ", 16))
	for exponent, want := range map[float64][]float64{
		.75: {64. / 99, 27. / 99, 8. / 99}, 0: {1. / 3, 1. / 3, 1. / 3}, 1: {256. / 353, 81. / 353, 16. / 353},
	} {
		last := 0.
		for i, sum := range v.noise(exponent) {
			if math.Abs(sum-last-want[i]) > 1e-9 {
				t.Errorf("word %d has probability %g, want %g", i, sum-last, want[i])
			}
			last = sum
		}
	}
	n := noise{.5, .5, 1 - 1e-16} // word 1 has no probability
	for random, want := range map[float64]int{0: 0, .4999: 0, .5: 2, .9: 2, math.Nextafter(1, 0): 2} {
		must.Equal(t, n.word(random), want, "the word", random)
	}
}
