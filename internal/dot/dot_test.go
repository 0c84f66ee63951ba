package dot

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

const maxDim = 1100 // numbers; over 1,024, so that every loop of the assembly runs often

// random returns a vector of n numbers, with about unit length at maxDim, that starts skip numbers into an array, so it
// may have any alignment to four bytes.
func random(r *rand.Rand, n, skip int) []float32 {
	array := make([]float32, skip+n)
	for i := range array {
		array[i] = float32(r.NormFloat64() / math.Sqrt(maxDim))
	}
	return array[skip:]
}

func forEachKernel(t *testing.T, test func(t *testing.T, k Kernel)) {
	for _, k := range Supported() {
		t.Run(k.String(), func(t *testing.T) { test(t, k) })
	}
}

func TestInOrder(t *testing.T) {
	a := []float64{1e16, 1, -1e16, 1} // 1e16 + 1 is 1e16
	must.Equal(t, InOrder(a, []float64{1, 1, 1, 1, 5}), 1, "sum")
	if got := InOrder([]float32{1 << 20, 1}, []float32{1 << 20, 3}); got != 1<<40+3 { // not in float32
		t.Errorf("sum %v, want 2^40 + 3", got)
	}
}

func TestDot(t *testing.T) {
	forEachKernel(t, func(t *testing.T, k Kernel) {
		r := rand.New(rand.NewPCG(1, 2))
		for n := range maxDim + 1 {
			a, b := random(r, n, n%5), random(r, n, n%7)
			if got, want := k.Dot(a, b), InOrder(a, b); math.Abs(float64(got)-want) > 1e-5 {
				t.Fatalf("Dot of %d numbers = %v, want %v", n, got, want)
			}
		}
	})
}

// TestNothingBeyond puts NaN around the vectors: numbers beyond their ends must not matter.
func TestNothingBeyond(t *testing.T) {
	nan := float32(math.NaN())
	forEachKernel(t, func(t *testing.T, k Kernel) {
		for n := range 100 {
			a, b := make([]float32, n+64), make([]float32, n+64)
			for i := range a {
				a[i], b[i] = nan, nan
				if i >= 32 && i < 32+n {
					a[i], b[i] = 1, 1
				}
			}
			if got := k.Dot(a[32:32+n], b[32:32+n]); got != float32(n) {
				t.Fatalf("Dot of %d ones = %v", n, got)
			}
		}
	})
}

// TestSameBits checks the invariant of the package: the methods of one kernel agree to the last bit at every position
// of a pair.
func TestSameBits(t *testing.T) {
	forEachKernel(t, func(t *testing.T, k Kernel) {
		r := rand.New(rand.NewPCG(3, 4))
		for dim := range maxDim + 1 {
			if dim > 200 && dim%13 != 0 {
				continue
			}
			queries, rows := random(r, 4*dim, dim%3), random(r, 7*dim, dim%5)
			query := func(i int) []float32 { return queries[i*dim : (i+1)*dim] }
			row := func(j int) []float32 { return rows[j*dim : (j+1)*dim] }
			for i := range 4 {
				scanned := make([]float32, 7)
				k.Scan(scanned, query(i), rows)
				gathered := make([]float32, 7)
				order := []uint32{6, 0, 5, 1, 4, 2, 3}
				k.Gather(gathered, query(i), rows, order)
				for j := range 7 {
					want := k.Dot(query(i), row(j))
					if scanned[j] != want {
						t.Fatalf("dim %d: Scan returns %v for query %d, row %d, Dot %v", dim, scanned[j], i, j, want)
					}
					if at := order[j]; gathered[j] != k.Dot(query(i), row(int(at))) {
						t.Fatalf("dim %d: Gather returns %v for query %d, row %d", dim, gathered[j], i, at)
					}
				}
			}
		}
	})
}

// TestMultiply compares products of matrices of all sizes with [Kernel.Dot], to the last bit, and puts marks around
// them, which must stay.
func TestMultiply(t *testing.T) {
	const mark = 7
	forEachKernel(t, func(t *testing.T, k Kernel) {
		r := rand.New(rand.NewPCG(5, 6))
		for n := range 400 {
			dim, rows, columns := 1+r.IntN(80), r.IntN(11), r.IntN(11)
			if n%20 == 0 { // more than a block
				dim, columns = 500+r.IntN(600), 10+r.IntN(30)
			}
			a, b := random(r, rows*dim, n%5), random(r, columns*dim, n%7)
			product := slices.Repeat([]float32{mark}, 40+rows*columns)
			k.Multiply(product[20:20+rows*columns], a, b, dim)
			for at, got := range product {
				want := float32(mark)
				if i := at - 20; i >= 0 && i < rows*columns {
					row, column := i/columns, i%columns
					want = k.Dot(a[row*dim:(row+1)*dim], b[column*dim:(column+1)*dim])
				}
				if got != want {
					t.Fatalf("%d x %d by %d x %d: number %d is %v, want %v", rows, dim, dim, columns, at-20, got, want)
				}
			}
		}
	})
}

func FuzzDot(f *testing.F) {
	f.Add(uint64(1), uint16(0), uint8(0))
	f.Add(uint64(2), uint16(384), uint8(3))
	f.Add(uint64(3), uint16(1023), uint8(15))
	f.Fuzz(func(t *testing.T, seed uint64, length uint16, skip uint8) {
		r := rand.New(rand.NewPCG(seed, 0))
		n := int(length) % (maxDim + 1)
		a, b := random(r, n, int(skip)), random(r, n, int(skip/2))
		want := InOrder(a, b)
		for _, k := range Supported() {
			if got := k.Dot(a, b); math.Abs(float64(got)-want) > 1e-5 {
				t.Errorf("%v: Dot of %d numbers, skip %d = %v, want %v", k, n, skip, got, want)
			}
		}
	})
}

// BenchmarkMultiply multiplies matrices of the size that the recognizer uses for a text. It reports the multiplied
// numbers as bytes: divide by 4 for multiply-adds per second.
func BenchmarkMultiply(b *testing.B) {
	const dim, columns = 150, 480
	r := rand.New(rand.NewPCG(5, 6))
	queries, rows, product := random(r, 100*dim, 0), random(r, columns*dim, 0), make([]float32, 100*columns)
	for _, k := range Supported() {
		b.Run(k.String(), func(b *testing.B) {
			b.SetBytes(4 * 100 * dim * columns)
			for b.Loop() {
				k.Multiply(product, queries, rows, dim)
			}
		})
	}
}
