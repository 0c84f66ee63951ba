package recognize

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestContextMatrix compares with pointwise mutual information computed from its definition.
func TestContextMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	collector := wordCollector{number: make(map[string]int32)}
	var documents [][]string
	for range 30 {
		var ws []string
		for range 20 {
			ws = append(ws, "w"+strconv.Itoa(int(math.Abs(r.NormFloat64()*6))))
		}
		documents = append(documents, ws)
		collector.add(strings.Join(ws, " "))
	}
	v, words := collector.vocabulary()
	m := newContextMatrix(t.Context(), len(v.words), words)
	counts := make(map[[2]int]float64) // context and word
	byContext, byWord := make(map[int]float64), make(map[int]float64)
	total := 0.
	for _, ws := range documents {
		for i, w := range ws {
			word, ok := v.number[w]
			if !ok {
				continue
			}
			for j := max(0, i-window); j < min(len(ws), i+window+1); j++ {
				number, ok := v.number[ws[j]]
				if !ok || j == i {
					continue
				}
				kind := 2
				switch j - i {
				case -1:
					kind = 0
				case 1:
					kind = 1
				}
				context := kind*len(v.words) + int(number)
				counts[[2]int{context, int(word)}]++
				byContext[context]++
				byWord[int(word)]++
				total++
			}
		}
	}
	smoothed := 0.
	for _, n := range byContext {
		smoothed += math.Pow(n, smoothing)
	}
	want := make(map[[2]int]float64)
	for pair, n := range counts {
		p := math.Log(n / total / (byWord[pair[1]] / total * math.Pow(byContext[pair[0]], smoothing) / smoothed))
		if p > 0 {
			want[pair] = p
		}
	}
	found := 0
	for word, rows := range m.Columns {
		for i, context := range rows {
			found++
			if w := want[[2]int{int(context), word}]; math.Abs(w-m.Value(word, i)) > 1e-5 {
				t.Fatalf("context %d of word %d has %g, want %g", context, word, m.Value(word, i), w)
			}
		}
	}
	must.Equal(t, found, len(want), "values")
}

// TestLogistic checks that the gradient of the regression is zero at the weights found. The function is convex, so it
// has one minimum.
func TestLogistic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	const rows, cost = 200, .3
	f := &features{width: 3, denseScale: 2, columns: 4, setValue: .5}
	importance := make([]float64, rows)
	var all []int
	for i := range rows {
		x := float32(r.NormFloat64())
		f.dense = append(f.dense, x, float32(r.NormFloat64()), float32(r.NormFloat64()))
		f.sparse = append(f.sparse, []int32{int32(r.IntN(4))})
		if importance[i] = 1 + float64(i%3); float64(x)+r.NormFloat64() <= .5 {
			importance[i] = -importance[i]
		}
		all = append(all, i)
	}
	w := fitLogistic(f, all, importance, cost)
	gradient := append([]float64(nil), w...)
	for _, i := range all {
		y := 0.
		if importance[i] > 0 {
			y = 1
		}
		f.addTo(gradient, i, cost*math.Abs(importance[i])*(dot.Sigmoid(f.score(i, w))-y))
	}
	for i, g := range gradient {
		if math.Abs(g) > .02 {
			t.Errorf("the gradient of weight %d is %g at the minimum", i, g)
		}
	}
	if w[0] < .2 {
		t.Errorf("the weight of the column that decides is %g", w[0])
	}
}
