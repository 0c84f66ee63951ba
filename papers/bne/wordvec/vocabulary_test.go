package wordvec

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
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
	v, err := newVocabulary(documents(lines...), minCount)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestCountWords(t *testing.T) {
	v := countWords(t, 2, "b a a c", "", "a b d b c e")
	// a 3, b 3, c 2; d and e once
	want := []string{"a 3", "b 3", "c 2"}
	var got []string
	for i := range v.Len() {
		got = append(got, fmt.Sprint(v.Word(i), " ", v.counts[i]))
		if at, known := v.index[v.Word(i)]; !known || at != uint32(i) {
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
		if _, err := newVocabulary(test.docs, 2); err == nil || err.Error() != test.want {
			t.Errorf("error is %v, want %q", err, test.want)
		}
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

// TestNoise adds up the columns of the alias table: with the probabilities of 16, 81 and 256
// to the power of .75, 8, 27 and 64 of 99.
func TestNoise(t *testing.T) {
	v := countWords(t, 1, strings.Repeat("a ", 256)+strings.Repeat("b ", 81)+strings.Repeat("c ", 16))
	checkNoise(t, v.noise(.75), []float64{64. / 99, 27. / 99, 8. / 99})
	checkNoise(t, v.noise(0), []float64{1. / 3, 1. / 3, 1. / 3})
	checkNoise(t, v.noise(1), []float64{256. / 353, 81. / 353, 16. / 353})
}

func TestNoiseOfManyWords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	v := &Vocabulary{}
	want, sum := make([]float64, 5000), 0.
	for i := range want {
		v.words = append(v.words, fmt.Sprint(i))
		v.counts = append(v.counts, 1+int64(math.Exp(r.Float64()*20)))
		want[i] = math.Pow(float64(v.counts[i]), .75)
		sum += want[i]
	}
	for i := range want {
		want[i] /= sum
	}
	checkNoise(t, v.noise(.75), want)
}

func checkNoise(t *testing.T, n noise, want []float64) {
	t.Helper()
	got := make([]float64, len(n))
	for i, column := range n {
		keep := float64(column.keep) / (1 << 32)
		got[i] += keep / float64(len(n))
		got[column.alias] += (1 - keep) / float64(len(n))
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-9 {
			t.Fatalf("word %d of %d has probability %g, want %g", i, len(n), got[i], want[i])
		}
	}
}

// TestNoiseSample takes the extremes of the random bits of each column.
func TestNoiseSample(t *testing.T) {
	n := noise{{1 << 31, 2}, {math.MaxUint32, 1}, {0, 0}}
	const third = (1<<32 + 2) / 3 // the high half from which a word falls into column 1
	for _, test := range []struct {
		high, low uint64
		want      uint32
	}{
		{0, 0, 0}, {0, 1<<31 - 1, 0}, {0, 1 << 31, 2}, {third - 1, 0, 0},
		{third, 0, 1}, {third, 1<<32 - 2, 1},
		{1<<32 - 1, 0, 0}, {1<<32 - 1, 1<<32 - 1, 0},
	} {
		if got := n.sample(test.high<<32 | test.low); got != test.want {
			t.Errorf("sample(%#x, %#x) = %d, want %d", test.high, test.low, got, test.want)
		}
	}
}
