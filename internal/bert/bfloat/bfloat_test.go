package bfloat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// number converts a bfloat16 to float64.
func number(x uint16) float64 { return float64(math.Float32frombits(uint32(x) << 16)) }

// nearest returns the bfloat16 nearest to x, ties to even.
func nearest(x float64) uint16 {
	bits := math.Float32bits(float32(x))
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}

func randomRows(r *rand.Rand, n int, scale float64) []uint16 {
	numbers := make([]uint16, n)
	for i := range numbers {
		numbers[i] = nearest(scale * r.NormFloat64())
	}
	return numbers
}

// near reports whether got is want rounded: it is within half a unit of the last place
// and a hundredth more, since float32 may fall on the other side of the midpoint.
func near(got uint16, want float64) bool {
	_, exponent := math.Frexp(want) // want has eight bits after 2^exponent
	unit := math.Ldexp(1, max(exponent, -125)-8)
	return math.Abs(number(got)-want) <= .51*unit
}

func mustBeSupported(t testing.TB) {
	if !Supported() {
		t.Skip("no AVX-512")
	}
}

// guarded returns a copy of numbers between guard values, and a function that checks that
// the guard values have not changed.
func guarded(t *testing.T, numbers []uint16) ([]uint16, func()) {
	const guard, margin = 0x4242, 40
	all := make([]uint16, len(numbers)+2*margin)
	for i := range all {
		all[i] = guard
	}
	inner := all[margin : margin+len(numbers)]
	copy(inner, numbers)
	return inner, func() {
		t.Helper()
		for i, x := range all {
			if (i < margin || i >= margin+len(numbers)) && x != guard {
				t.Fatalf("number %d beside the rows was changed to %#x", i-margin, x)
			}
		}
	}
}

func TestAttention(t *testing.T) {
	mustBeSupported(t)
	r := rand.New(rand.NewPCG(1, 2))
	attentions := map[[2]int]*Attention{} // reused, as for the sequences of a text
	for range 400 {
		shape := [2]int{1 + r.IntN(3), 16 * (1 + r.IntN(4))}
		heads, size := shape[0], shape[1]
		if attentions[shape] == nil {
			attentions[shape] = NewAttention(heads, size)
		}
		keys, queries, spread := r.IntN(70), r.IntN(20), []float64{0, .1, 1, 30}[r.IntN(4)]
		rows := func(count int) Rows {
			stride := heads*size + r.IntN(3)
			return Rows{randomRows(r, count*stride, spread), count, stride}
		}
		query, key, value, to := rows(queries), rows(keys), rows(keys), rows(queries)
		before := slices.Clone(to.Numbers)
		var unchanged func()
		to.Numbers, unchanged = guarded(t, to.Numbers)
		attentions[shape].Mix(to, query, key, value)
		unchanged()
		for i := range queries {
			want, slack := attention(query.Slice(i, i+1).Numbers, key, value, heads, size)
			for j, x := range to.Numbers[i*to.Stride : (i+1)*to.Stride] {
				switch {
				case j >= heads*size: // between rows
					if x != before[i*to.Stride+j] {
						t.Fatalf("%d heads of %d, row %d: number %d beyond it was changed", heads, size, i, j)
					}
				case !near(x, want[j]) && math.Abs(number(x)-want[j]) > slack:
					t.Fatalf("%d heads of %d, %d queries, %d keys: row %d, number %d is %v, want %v", heads, size, queries, keys, i, j, number(x), want[j])
				}
			}
		}
	}
}

// attention computes the definition for one query in float64, and the error that float32
// may make: a share of the greatest value, which grows with the terms of the products.
func attention(query []uint16, key, value Rows, heads, size int) (mixed []float64, slack float64) {
	mixed = make([]float64, heads*size)
	var most, terms float64
	for head := 0; head < heads*size; head += size {
		scores, greatest, sum := make([]float64, key.Count), math.Inf(-1), 0.0
		for j := range scores {
			magnitude := 0.0
			for i := head; i < head+size; i++ {
				term := number(query[i]) * number(key.Numbers[j*key.Stride+i]) / math.Sqrt(float64(size))
				scores[j] += term
				magnitude += math.Abs(term)
			}
			terms = max(terms, magnitude)
			greatest = max(greatest, scores[j])
		}
		for j := range scores {
			scores[j] = math.Exp(scores[j] - greatest)
			sum += scores[j]
		}
		for j := range scores {
			for i := head; i < head+size; i++ {
				v := number(value.Numbers[j*value.Stride+i])
				mixed[i] += scores[j] / sum * v
				most = max(most, math.Abs(v))
			}
		}
	}
	return mixed, most * (1e-5 + 1e-6*terms)
}

func TestAddNorm(t *testing.T) {
	mustBeSupported(t)
	r := rand.New(rand.NewPCG(3, 4))
	const rows, eps = 3, 1e-12
	for width := 1; width <= 100; width++ {
		a, b := randomRows(r, rows*width, 1), randomRows(r, rows*width, 2)
		weight, bias := make([]float32, width), make([]float32, width)
		for i := range weight {
			weight[i], bias[i] = float32(1+r.NormFloat64()), float32(r.NormFloat64())
		}
		got, unchanged := guarded(t, a)
		AddNorm(got, got, b, weight, bias, eps)
		unchanged()
		for row := range rows {
			at := row * width
			want := addNorm(a[at:at+width], b[at:at+width], weight, bias, eps)
			for i, x := range got[at : at+width] {
				// The product and the bias may cancel; the error of float32 is relative to either.
				if !near(x, want[i]) && math.Abs(number(x)-want[i]) > 1e-5 {
					t.Fatalf("width %d, row %d, number %d: got %v, want %v", width, row, i, number(x), want[i])
				}
			}
		}
	}
}

// addNorm computes the definition in float64.
func addNorm(a, b []uint16, weight, bias []float32, eps float64) []float64 {
	sums := make([]float64, len(a))
	n, mean, variance := float64(len(a)), 0.0, 0.0
	for i := range sums {
		sums[i] = number(a[i]) + number(b[i])
		mean += sums[i] / n
	}
	for _, x := range sums {
		variance += (x - mean) * (x - mean) / n
	}
	for i, x := range sums {
		sums[i] = float64(weight[i])*(x-mean)/math.Sqrt(variance+eps) + float64(bias[i])
	}
	return sums
}

// TestNaN: NaN must not become a number.
func TestNaN(t *testing.T) {
	mustBeSupported(t)
	for _, nan := range []uint16{0x7fc0, 0xffc0, 0x7f81, 0xffff} {
		sum := []uint16{0, nan, 0x3f80}
		AddNorm(sum, sum, make([]uint16, 3), []float32{1, 1, 1}, make([]float32, 3), 0)
		const size = 16
		for name, at := range map[string]int{"query": 0, "key": 1, "value": 2} {
			given := [3][]uint16{make([]uint16, size), make([]uint16, size), make([]uint16, size)}
			given[at][5] = nan
			mixed := make([]uint16, size)
			rows := func(numbers []uint16) Rows { return Rows{numbers, 1, size} }
			NewAttention(1, size).Mix(rows(mixed), rows(given[0]), rows(given[1]), rows(given[2]))
			if x := number(mixed[5]); x == x {
				t.Errorf("attention with %#x in a %s is %v, want NaN", nan, name, x)
			}
		}
		for i := range sum {
			if x := number(sum[i]); x == x {
				t.Errorf("norm with %#x is %v at %d, want NaN", nan, x, i)
			}
		}
	}
}

func TestPanics(t *testing.T) {
	norm := func(to, a, b, weight, bias int) func() {
		return func() {
			AddNorm(make([]uint16, to), make([]uint16, a), make([]uint16, b), make([]float32, weight), make([]float32, bias), 0)
		}
	}
	mix := func(to, query, key, value Rows) func() {
		return func() { NewAttention(2, 16).Mix(to, query, key, value) }
	}
	rows := func(count, stride int) Rows { return Rows{make([]uint16, count*stride), count, stride} }
	for name, call := range map[string]func(){
		"norm of incomplete rows":   norm(5, 5, 5, 3, 3),
		"norm of width 0":           norm(0, 0, 0, 0, 0),
		"norm of another length":    norm(6, 6, 3, 3, 3),
		"norm with another bias":    norm(3, 3, 3, 3, 2),
		"no heads":                  func() { NewAttention(0, 16) },
		"heads of 24":               func() { NewAttention(2, 24) },
		"narrow queries":            mix(rows(2, 32), rows(2, 31), rows(3, 32), rows(3, 32)),
		"short keys":                mix(rows(2, 32), rows(2, 32), Rows{make([]uint16, 95), 3, 32}, rows(3, 32)),
		"more values than keys":     mix(rows(2, 32), rows(2, 32), rows(3, 32), rows(4, 32)),
		"more results than queries": mix(rows(3, 32), rows(2, 32), rows(3, 32), rows(3, 32)),
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}

// BenchmarkAttention computes a layer of MiniLM: 32 sequences of 45 tokens, 12 heads.
func BenchmarkAttention(b *testing.B) {
	mustBeSupported(b)
	const heads, size, tokens, sequences = 12, 32, 45, 32
	const width = 3 * heads * size
	all := Rows{randomRows(rand.New(rand.NewPCG(5, 6)), sequences*tokens*width, 1), sequences * tokens, width}
	to := Rows{make([]uint16, sequences*tokens*heads*size), sequences * tokens, heads * size}
	a := NewAttention(heads, size)
	b.SetBytes(int64(2 * len(all.Numbers)))
	for b.Loop() {
		for start := 0; start < all.Count; start += tokens {
			of := all.Slice(start, start+tokens)
			a.Mix(to.Slice(start, start+tokens), of, of.From(heads*size), of.From(2*heads*size))
		}
	}
}

func BenchmarkAddNorm(b *testing.B) {
	mustBeSupported(b)
	const width = 384
	r := rand.New(rand.NewPCG(7, 8))
	x, y := randomRows(r, 1536*width, 1), randomRows(r, 1536*width, 1)
	weight, bias := make([]float32, width), make([]float32, width)
	for i := range weight {
		weight[i] = 1
	}
	b.SetBytes(int64(2 * len(x)))
	for b.Loop() {
		AddNorm(x, x, y, weight, bias, 1e-12)
	}
}
