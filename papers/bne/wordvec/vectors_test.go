package wordvec

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/dot"
)

// fixed returns vectors of two numbers: a (3, 4), b (0, 0), c (4, 3), d (-3, -4) and e (6, 8).
func fixed(t *testing.T) *Vectors {
	v := countWords(t, 1, "a a a a b b b c c d d e")
	config := DefaultConfig()
	config.Dim = 2
	return newVectors(v, []float32{3, 4, 0, 0, 4, 3, -3, -4, 6, 8}, config)
}

// cosine returns the cosine of two vectors of the same dimension, or 0 if one of them is zero.
func cosine(a, b []float32) float32 {
	kernel := dot.Best()
	lengths := length(kernel, a) * length(kernel, b)
	if lengths == 0 {
		return 0
	}
	return kernel.Dot(a, b) / lengths
}

func TestNearest(t *testing.T) {
	v := fixed(t)
	want := []Neighbor{{"a", 1}, {"e", 1}, {"c", 24. / 25}, {"d", -1}} // b is zero; a is more frequent than e
	for k := range 6 {
		got := v.Nearest([]float32{30, 40}, k)
		if len(got) != min(k, 4) {
			t.Fatalf("%d words for k = %d", len(got), k)
		}
		for i, n := range got {
			if n.Word != want[i].Word || math.Abs(float64(n.Cosine-want[i].Cosine)) > 1e-6 {
				t.Errorf("neighbor %d of %d is %v, want %v", i, k, n, want[i])
			}
		}
	}
	if got := v.Nearest([]float32{0, 0}, 3); got != nil {
		t.Errorf("words near to zero: %v", got)
	}
}

// TestNearestOfMany compares with sorting, over more words than one scan.
func TestNearestOfMany(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	vocabulary := &Vocabulary{}
	config := DefaultConfig()
	config.Dim = 3
	var data []float32
	for i := range 1000 {
		vocabulary.words, vocabulary.counts = append(vocabulary.words, strconv.Itoa(i)), append(vocabulary.counts, 1)
		for range config.Dim {
			data = append(data, float32(r.NormFloat64()))
		}
	}
	v := newVectors(vocabulary, data, config)
	for word := range 20 {
		order := make([]int, v.Len())
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			return -compareFloats(cosine(v.Row(word), v.Row(a)), cosine(v.Row(word), v.Row(b)))
		})
		for i, n := range v.Nearest(v.Row(word), 10) {
			if want := cosine(v.Row(word), v.Row(order[i])); math.Abs(float64(n.Cosine-want)) > 1e-6 {
				t.Errorf("neighbor %d of word %d has cosine %v, want %v", i, word, n.Cosine, want)
			}
		}
	}
}

func compareFloats(a, b float32) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func TestMeanAndCosine(t *testing.T) {
	v := fixed(t)
	mean, known := v.Mean([]string{"a", "x", "c", "a"})
	if want := []float32{10. / 3, 11. / 3}; !slices.Equal(mean, want) || known != 3 {
		t.Errorf("mean is %v of %d, want %v of 3", mean, known, want)
	}
	if mean, known := v.Mean([]string{"x"}); mean != nil || known != 0 {
		t.Errorf("mean of an unknown word is %v of %d", mean, known)
	}
	if got := v.Vector("x"); got != nil {
		t.Errorf("vector of an unknown word is %v", got)
	}
	if got := cosine(v.Vector("a"), v.Vector("b")); got != 0 {
		t.Errorf("cosine with zero is %v", got)
	}
	if got := cosine(v.Vector("a"), v.Vector("d")); got != -1 {
		t.Errorf("cosine of opposites is %v", got)
	}
}
