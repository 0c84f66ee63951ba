package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// all returns the sets that this processor supports.
func all() []*Set {
	sets := Supported()
	if s := BFloat16(); s != nil {
		sets = append(sets, s)
	}
	return sets
}

func forEachSet(t *testing.T, test func(t *testing.T, s *Set)) {
	for _, s := range all() {
		t.Run(s.String(), func(t *testing.T) { test(t, s) })
	}
}

// random returns n numbers with deviation 1.
func random(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

// activations returns count rows of width random numbers, padded with zeros, and NaN in the spare rows.
func activations(r *rand.Rand, count, width int) []float32 {
	x := Rows(count, Padded(width))
	for i := range x {
		switch row, column := i/Padded(width), i%Padded(width); {
		case row >= count:
			x[i] = float32(math.NaN())
		case column < width:
			x[i] = float32(r.NormFloat64())
		}
	}
	return x
}

// randomMatrix returns a matrix of random weights, scaled by 2, and its weights and bias.
func randomMatrix(s *Set, r *rand.Rand, in, out int, smoothing []float32) (m *Matrix, weights, bias []float32) {
	m, weights, bias = s.NewMatrix(in, out), random(r, in*out), random(r, out)
	if smoothing != nil {
		m.Smooth(smoothing)
	}
	for o := range out {
		m.Set(o, weights[o*in:(o+1)*in], bias[o], 2, nil)
	}
	return m, weights, bias
}

func wantNear(t *testing.T, what string, got float32, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(float64(got)-want) <= tolerance) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

// factor returns x in the precision of a set's products.
func factor(s *Set, x float32) float64 {
	if s.bfloat16 != nil {
		x = math.Float32frombits(uint32(toBFloat16(x)) << 16)
	}
	return float64(x)
}

// toBFloat16 rounds x to the nearest bfloat16, to even: the upper half of its bits.
func toBFloat16(x float32) uint16 {
	bits := math.Float32bits(x)
	if x != x {
		return uint16(bits>>16) | 1<<6 // quiet
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}

// TestToBFloat16 rounds 1, halfway between two numbers to the even one, above and below, and NaN.
func TestToBFloat16(t *testing.T) {
	for bits, want := range map[uint32]uint16{
		0x3f800000: 0x3f80, 0x3f808000: 0x3f80, 0x3f818000: 0x3f82, 0x3f808001: 0x3f81, 0x3f817fff: 0x3f81,
		0xbf808001: 0xbf81, 0x7f800000: 0x7f80, 0x7fffffff: 0x7fff, 0x7f800001: 0x7fc0,
	} {
		must.Equal(t, toBFloat16(math.Float32frombits(bits)), want, bits, "rounded")
		if s := BFloat16(); s != nil {
			from, to := make([]float32, 32), make([]uint16, 32)
			from[31] = math.Float32frombits(bits)
			if s.bfloat16.round(&to[0], &from[0], 32); to[31] != want || to[30] != 0 {
				t.Errorf("%08x is rounded to %04x by the processor, want %04x", bits, to[31], want)
			}
		}
	}
}

// TestInt8 compares products in 8-bit integers with the same sums of integers in plain Go, and with products of the
// original numbers.
func TestInt8(t *testing.T) {
	sets := int8Sets()
	if len(sets) == 0 {
		t.Skip("the processor multiplies no 8-bit integers")
	}
	for _, s := range sets {
		t.Run(fmt.Sprint(s.int8.tiles[0].columns), func(t *testing.T) { testInt8(t, s) })
	}
}

func testInt8(t *testing.T, s *Set) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, shape := range [][2]int{{32, 32}, {26, 70}, {384, 64}} {
		in, out := shape[0], shape[1]
		padded := Padded(in)
		smoothing := make([]float32, padded)
		for i := range smoothing {
			smoothing[i] = float32(math.Exp(r.NormFloat64() / 2))
		}
		m, weights, bias := randomMatrix(s, r, in, out, smoothing)
		for rows := range 30 {
			x, y := activations(r, rows, in), Rows(rows, m.out)
			s.Multiply(new(Factors), y, m.out, x, rows, m, 0, m.out)
			for row := range rows {
				q, scale := quantized(x[row*padded:(row+1)*padded], smoothing)
				for o := range out {
					sum, exact := 0, float64(bias[o])
					for i := range in {
						at := o/step*step*padded + i/4*4*step + o%step*4 + i%4
						sum += q[i] * int(int8(m.bytes[at]-m.zero))
						exact += float64(weights[o*in+i]) * float64(x[row*padded+i])
					}
					got := y[row*m.out+o]
					what := fmt.Sprintf("%d inputs, %d rows, row %d, output %d", in, rows, row, o)
					wantNear(t, what, got, float64(float32(sum)*scale*m.scales[o]+m.bias[o]), 1e-4)
					wantNear(t, what, got, 2*exact, .3*math.Sqrt(float64(in)))
				}
			}
		}
	}
}

// quantized returns the quantized row and its scale.
func quantized(x, smoothing []float32) (q []int, scale float32) {
	greatest := float32(1e-30)
	for i, v := range x {
		greatest = max(greatest, float32(math.Abs(float64(v*smoothing[i]))))
	}
	for i, v := range x {
		q = append(q, int(math.RoundToEven(float64(v*smoothing[i]*(127/greatest)))))
	}
	return q, greatest / 127
}

// TestMultiply compares products with sums in float64: for every number of rows up to three tiles, and for widths that
// are padded. Numbers beyond the rows must not matter.
func TestMultiply(t *testing.T) {
	forEachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(1, 2))
		for _, shape := range [][2]int{{1, 1}, {32, 32}, {26, 70}, {312, 33}, {96, 160}} {
			in, out := shape[0], shape[1]
			m, weights, bias := randomMatrix(s, r, in, out, nil)
			for rows := range 40 {
				x, y := activations(r, rows, in), Rows(rows, m.out)
				s.Multiply(new(Factors), y, m.out, x, rows, m, 0, m.out)
				for row := range rows {
					for o := range m.out {
						want := 0.0
						if o < out {
							want = float64(bias[o])
							for i := range in {
								want += factor(s, weights[o*in+i]) * factor(s, x[row*Padded(in)+i])
							}
						}
						what := fmt.Sprintf("%d inputs, %d rows, row %d, output %d", in, rows, row, o)
						wantNear(t, what, y[row*m.out+o], 2*want, 1e-3)
					}
				}
			}
		}
	})
}

// TestMultiplyPart: some outputs are the same as when all are computed, and so is a single row.
func TestMultiplyPart(t *testing.T) {
	forEachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(3, 4))
		const in, out, rows = 64, 96, 29
		m, _, _ := randomMatrix(s, r, in, out, nil)
		x, whole, part := activations(r, rows, in), Rows(rows, out), Rows(rows, 64)
		s.Multiply(new(Factors), whole, out, x, rows, m, 0, out)
		s.Multiply(new(Factors), part, 64, x, rows, m, 32, 96)
		alone := Rows(1, out)
		for row := range rows {
			if !slices.Equal(part[row*64:(row+1)*64], whole[row*out+32:(row+1)*out]) {
				t.Fatalf("row %d: outputs 32 to 96 differ from those of the whole product", row)
			}
			one := Rows(1, in)
			copy(one, x[row*in:(row+1)*in])
			s.Multiply(new(Factors), alone, out, one, 1, m, 0, out)
			if !slices.Equal(alone[:out], whole[row*out:(row+1)*out]) {
				t.Fatalf("row %d alone differs", row)
			}
		}
	})
}

func TestAddNorm(t *testing.T) {
	forEachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(5, 6))
		const rows, eps = 3, 1e-12
		for _, width := range []int{1, 5, 32, 33, 312, 384} {
			h, y := activations(r, rows, width), activations(r, rows, width)
			padded := Padded(width)
			weight, bias := make([]float32, padded), make([]float32, padded)
			copy(weight, random(r, width))
			copy(bias, random(r, width))
			before := slices.Clone(h)
			s.AddNorm(h, y, weight, bias, rows, width, eps)
			for row := range rows {
				mean, squares := 0.0, 0.0
				sum := func(i int) float64 { return float64(before[row*padded+i]) + float64(y[row*padded+i]) }
				for i := range width {
					mean += sum(i) / float64(width)
				}
				for i := range width {
					squares += (sum(i) - mean) * (sum(i) - mean) / float64(width)
				}
				for i := range padded {
					want := 0.0
					if i < width {
						want = (sum(i)-mean)/math.Sqrt(squares+eps)*float64(weight[i]) + float64(bias[i])
					}
					wantNear(t, fmt.Sprintf("width %d, row %d, number %d", width, row, i), h[row*padded+i], want, 1e-4)
				}
			}
		}
	})
}

// TestActivate compares with float64 from -12 to 12, and beyond.
func TestActivate(t *testing.T) {
	functions := map[Activation]func(x float64) float64{
		GELU:     func(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) },
		TanhGELU: func(x float64) float64 { return x / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+.044715*x*x*x))) },
		ReLU:     func(x float64) float64 { return max(x, 0) },
	}
	forEachSet(t, func(t *testing.T, s *Set) {
		var inputs []float32
		for i := range 6400 {
			inputs = append(inputs, float32(i-3200)/266)
		}
		inputs[0], inputs[1], inputs[2], inputs[3] = -1e4, 1e4, -1e-30, 0
		for activation, f := range functions {
			x := slices.Clone(inputs)
			s.Activate(activation, x)
			for i, got := range x {
				tolerance := 1e-6 * (1 + math.Abs(float64(inputs[i])))
				if inputs[i] == -1e4 { // erf is cut off at 4, where it is 1 except for 1.5e-8
					tolerance = 1e-3
				}
				what := fmt.Sprintf("activation %d of %v", activation, inputs[i])
				wantNear(t, what, got, f(float64(inputs[i])), tolerance)
			}
			nan := make([]float32, 32)
			nan[7] = float32(math.NaN())
			if s.Activate(activation, nan); nan[7] == nan[7] || nan[6] != 0 {
				t.Errorf("activation %d of NaN is %v and of 0 %v", activation, nan[7], nan[6])
			}
		}
	})
}

// TestAttend compares with softmax and sums in float64, for lengths around the padding. Rows after the sentence hold
// NaN, and must not matter.
func TestAttend(t *testing.T) {
	forEachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(7, 8))
		for _, size := range []int{32, 64, 96} {
			a := NewAttention(size)
			for _, tokens := range []int{1, 2, 15, 16, 17, 31, 32, 33, 70} {
				for _, queries := range []int{1, tokens, min(tokens, 5)} {
					query, key, value := activations(r, queries, size), activations(r, tokens, size), activations(r, tokens, size)
					ld := Padded(size)
					mixed := Rows(queries, ld)
					s.Attend(a, mixed, ld, query, ld, key, value, ld, queries, tokens)
					for q := range queries {
						weights, sum := make([]float64, tokens), 0.0
						for j := range weights {
							score := 0.0
							for d := range size {
								score += float64(query[q*ld+d]) * float64(key[j*ld+d])
							}
							weights[j] = math.Exp2(score)
							sum += weights[j]
						}
						for d := range size {
							want := 0.0
							for j, w := range weights {
								want += w / sum * float64(value[j*ld+d])
							}
							what := fmt.Sprintf("size %d, %d tokens, query %d, number %d", size, tokens, q, d)
							wantNear(t, what, mixed[q*ld+d], want, 2e-5)
						}
					}
				}
			}
		}
	})
}

// TestPower2: the error is below 3e-7 of the power, and masked scores give practically zero.
func TestPower2(t *testing.T) {
	for x := float32(-125); x < 126; x += .0371 {
		want := math.Exp2(float64(x))
		wantNear(t, fmt.Sprintf("2^%v", x), power2(x), want, 3e-7*want)
	}
	if got := power2(masked); got > 2e-38 {
		t.Errorf("2^%v = %v", masked, got)
	}
	if got := power2(float32(math.NaN())); got == got {
		t.Errorf("2^NaN = %v", got)
	}
}

// TestScoresOfNaN: a NaN in a query is not lost.
func TestScoresOfNaN(t *testing.T) {
	forEachSet(t, func(t *testing.T, s *Set) {
		query, mixed := Rows(1, 32), Rows(1, 32)
		query[3] = float32(math.NaN())
		s.Attend(NewAttention(32), mixed, 32, query, 32, Rows(3, 32), Rows(3, 32), 32, 1, 3)
		if mixed[0] == mixed[0] {
			t.Errorf("mixed is %v, want NaN", mixed[0])
		}
	})
}

// TestNaNWeight: a weight that is NaN makes its output NaN in every arithmetic, but no other output.
func TestNaNWeight(t *testing.T) {
	for _, s := range append(all(), int8Sets()...) {
		const in, out, damaged = 32, 64, 41
		r := rand.New(rand.NewPCG(15, 16))
		m, weights, _ := randomMatrix(s, r, in, out, nil)
		weights[damaged*in+7] = float32(math.NaN())
		m.Set(damaged, weights[damaged*in:(damaged+1)*in], 1, 2, nil)
		x, y := activations(r, 1, in), Rows(1, out)
		s.Multiply(new(Factors), y, out, x, 1, m, 0, out)
		for o, v := range y[:out] {
			must.Equal(t, v != v, o == damaged, s, "output", o, v)
		}
	}
}

// BenchmarkMultiply reports multiply-adds of the products in MiniLM's layer.
func BenchmarkMultiply(b *testing.B) {
	const rows = 240
	for _, s := range append(all(), int8Sets()...) {
		for _, shape := range [][2]int{{384, 1152}, {384, 1536}, {1536, 384}} {
			b.Run(fmt.Sprintf("%s/%d rows/%dx%d", s, s.tiles[0].rows, shape[0], shape[1]), func(b *testing.B) {
				m := s.NewMatrix(shape[0], shape[1])
				x, y := Rows(rows, shape[0]), Rows(rows, shape[1])
				f := new(Factors)
				for b.Loop() {
					s.Multiply(f, y, m.out, x, rows, m, 0, m.out)
				}
				b.ReportMetric(float64(rows*shape[0]*shape[1]*b.N)/b.Elapsed().Seconds()/1e9, "GMAC/s")
			})
		}
	}
}
