package dot

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

func normal(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

// distributions are the distributions of the numbers of a matrix.
var distributions = map[string]func(r *rand.Rand) float32{
	"normal":  func(r *rand.Rand) float32 { return float32(r.NormFloat64()) },
	"shifted": func(r *rand.Rand) float32 { return 9 + float32(r.NormFloat64()) },
	"few":     func(r *rand.Rand) float32 { return float32(r.IntN(3) - 1) },
	"zero":    func(r *rand.Rand) float32 { return 0 },
	"heavy":   func(r *rand.Rand) float32 { return float32(math.Pow(r.NormFloat64(), 9)) },
	"scales":  func(r *rand.Rand) float32 { return float32(r.NormFloat64() * math.Pow(10, 80*r.Float64()-40)) },
	"odd": func(r *rand.Rand) float32 {
		odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat32, 1e-45, 0}
		if r.IntN(40) == 0 {
			return float32(odd[r.IntN(len(odd))])
		}
		return float32(r.NormFloat64())
	},
}

// TestKeepsAllOverTheLimit checks the guarantee of the package: a row whose product with a query exceeds the floor
// survives, whatever the numbers.
func TestKeepsAllOverTheLimit(t *testing.T) {
	for rowsBy, row := range distributions {
		for queriesBy, query := range distributions {
			t.Run(rowsBy+" rows, "+queriesBy+" queries", func(t *testing.T) {
				for seed := range uint64(15) {
					r := rand.New(rand.NewPCG(seed, 1))
					dim := 1 + r.IntN(100)
					data, queries := make([]float32, dim*r.IntN(100)), make([]float32, dim*(1+r.IntN(40)))
					for i := range data {
						data[i] = row(r)
					}
					for i := range queries {
						queries[i] = query(r)
					}
					must.Succeed(t, check(data, queries, dim, r), "seed", seed)
				}
			})
		}
	}
}

// check sets the floor of each query to the product of some row, or a little less or more, and returns an error if a
// row above it does not survive.
func check(data, queries []float32, dim int, r *rand.Rand) error {
	s, rows := Quantize(data, dim), len(data)/dim
	first := 0
	for _, block := range s.QueryBlocks(queries) {
		limits, floors := make([]float32, block.Width()), make([]float32, block.Len())
		for i := range floors {
			query := queries[(first+i)*dim : (first+i+1)*dim]
			floors[i] = float32(math.Inf(2*r.IntN(2) - 1))
			if rows > 0 && r.IntN(10) > 0 {
				at := r.IntN(rows)
				floors[i] = Best().Dot(query, data[at*dim:(at+1)*dim]) * (1 + float32(r.IntN(3)-1)*.001)
			}
			limits[i] = block.Limit(i, floors[i])
		}
		var want []uint16
		for _, kernel := range Supported() {
			masks := make([]uint16, (rows+BlockRows-1)/BlockRows*block.Width())
			s.Filter(kernel, &block, limits, 0, masks)
			if want == nil { // Portable is the first
				want = masks
			} else if !slices.Equal(masks, want) {
				return fmt.Errorf("%v returns other masks than portable Go", kernel)
			}
			for i, floor := range floors {
				query := queries[(first+i)*dim : (first+i+1)*dim]
				for row := range rows {
					product := kernel.Dot(query, data[row*dim:(row+1)*dim])
					if product > floor && masks[row/BlockRows*block.Width()+i]>>(row%BlockRows)&1 == 0 {
						return fmt.Errorf("%v: dim %d, query %d: row %d of %d has product %v, over %v, and is ruled out",
							kernel, dim, first+i, row, rows, product, floor)
					}
				}
			}
		}
		first += block.Len()
	}
	return nil
}

func FuzzKeepsAllOverTheLimit(f *testing.F) {
	f.Add(uint64(1), uint8(3), uint8(20), float32(1), float32(0))
	f.Add(uint64(2), uint8(64), uint8(1), float32(1e-20), float32(1))
	f.Add(uint64(3), uint8(7), uint8(17), float32(1e19), float32(math.Inf(-1)))
	f.Fuzz(func(t *testing.T, seed uint64, dim, rows uint8, scale, odd float32) {
		r := rand.New(rand.NewPCG(seed, 1))
		d := 1 + int(dim)
		data, queries := normal(r, d*int(rows)), normal(r, d*(1+r.IntN(20)))
		for _, x := range [][]float32{data, queries} {
			for i := range x {
				x[i] *= scale
			}
			if len(x) > 0 {
				x[r.IntN(len(x))] = odd
			}
		}
		must.Succeed(t, check(data, queries, d, r))
	})
}

// TestRulesOutMost searches for the nearest 10 of 2,000 rows in clusters: at most 200 survive, so the filter pays off.
func TestRulesOutMost(t *testing.T) {
	const rows, dim, k = 2000, 384, 10
	r := rand.New(rand.NewPCG(1, 3))
	centers := normal(r, 100*dim)
	around := func(n int) []float32 {
		x := normal(r, n*dim)
		for i := range n {
			from := r.IntN(100) * dim
			for j := range dim {
				x[i*dim+j] += centers[from+j]
			}
		}
		return x
	}
	data, query := around(rows), around(1)
	products := make([]float32, rows)
	Best().Scan(products, query, data)
	slices.Sort(products)
	s := Quantize(data, dim)
	block := s.QueryBlocks(query)[0]
	masks := make([]uint16, rows/BlockRows)
	s.Filter(Best(), &block, []float32{block.Limit(0, products[rows-k-1])}, 0, masks)
	survivors := 0
	for _, mask := range masks {
		for ; mask != 0; mask &= mask - 1 {
			survivors++
		}
	}
	if survivors < k || survivors > 200 {
		t.Errorf("%d of %d rows survive for the nearest %d", survivors, rows, k)
	}
}

// TestFilterFrom checks that the masks of a block do not depend on where a call starts.
func TestFilterFrom(t *testing.T) {
	const rows, dim = 100, 20 // 6 blocks and 4 rows
	r := rand.New(rand.NewPCG(1, 4))
	s := Quantize(normal(r, rows*dim), dim)
	block := s.QueryBlocks(normal(r, 3*dim))[0]
	limits := make([]float32, block.Width())
	whole := make([]uint16, 7*block.Width())
	s.Filter(Best(), &block, limits, 0, whole)
	for first := range 7 {
		for blocks := range 7 - first {
			part := make([]uint16, blocks*block.Width())
			s.Filter(Best(), &block, limits, first, part)
			must.Equal(t, part, whole[first*block.Width():][:len(part)], blocks, "blocks from", first)
		}
	}
}

// TestQueryBlockByHand: the rows (3, 0) and (-1, 0) have the center (1, 0) and residuals of length 2. The codes of the
// query (127, .25) are 127 and 0, so .25 is lost.
func TestQueryBlockByHand(t *testing.T) {
	s := Quantize([]float32{3, 0, -1, 0}, 2)
	p := s.QueryBlocks([]float32{127, .25})[0]
	if p.codes[0] != 127 || p.codes[1] != 0 || p.units[0] != 1 || p.norms[0] != 127 || p.biases[0] != 7.5*127 {
		t.Errorf("codes %v, unit %v, length %v, 7.5 times their sum %v", p.codes, p.units[0], p.norms[0], p.biases[0])
	}
	// q·m + |q - q'| |r| + (4 x 2 + 64) / 2^24 x 127 x (1 + 2), rounded up to float32
	const want = 127*1 + .25*2 + 72./(1<<24)*127*3
	if got := -p.Limit(0, 0); got < want || got > want+1e-4 {
		t.Errorf("the offset is %v, want %v", got, want)
	}
}

// TestEncodeByHand: with step 2, 0 is halfway between the levels -1 and 1, with codes 7 and 8; 15 is the level of code
// 15, and 99 is 84 above it.
func TestEncodeByHand(t *testing.T) {
	for _, kernel := range Supported() {
		codes := make([]byte, groupBytes)
		lost := kernel.encode(codes, []float32{-15, -99, 15, 99, -1, 1, 2.5, 0}, 2)
		// codes 0, 0, 15, 15 in the low halves, 7, 8, 8 or 9, 7 or 8 in the high: 2.5 is between 1 and 3, nearer to 3,
		// with code 9; 0 goes up
		want := []byte{0x70, 0x80, 0x9f, 0x8f}
		must.Equal(t, codes[:4], want, kernel)
		must.Equal(t, lost, float32(84*84+84*84+.5*.5+1), kernel, "loses")
	}
}

func TestEncodeAgainstPortable(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		groups := 1 + r.IntN(60)
		residual, step := normal(r, groups*groupNumbers), float32(r.Float64())
		if seed == 0 {
			clear(residual)
			step = 0
		}
		want := make([]byte, groups*groupBytes)
		lost := encodePortable(want, residual, step)
		for _, kernel := range Supported() {
			got := make([]byte, len(want))
			if l := kernel.encode(got, residual, step); math.Abs(float64(l-lost)) > 1e-5*float64(lost) {
				t.Errorf("seed %d, %v: loses %v, want %v", seed, kernel, l, lost)
			}
			must.Equal(t, got, want, "seed", seed, kernel)
		}
	}
}

const benchDim = 384 // numbers in a vector of MiniLM

// BenchmarkFilter compares 128 rows, which stay in cache, with one query or a block of queries. It counts the bytes of
// the codes, once for each query.
func BenchmarkFilter(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	const rows = 128
	s := Quantize(normal(r, rows*benchDim), benchDim)
	for _, kernel := range Supported() {
		for _, queries := range []int{1, QueryBlockSize} {
			block := s.QueryBlocks(normal(r, queries*benchDim))[0]
			limits, masks := make([]float32, queries), make([]uint16, rows/BlockRows*queries)
			for i := range limits {
				limits[i] = block.Limit(i, 1e9)
			}
			b.Run(fmt.Sprintf("%v/%d", kernel, queries), func(b *testing.B) {
				b.SetBytes(int64(queries * rows * benchDim / 2))
				for b.Loop() {
					s.Filter(kernel, &block, limits, 0, masks)
				}
			})
		}
	}
}

// BenchmarkQuantize quantizes 5,000 rows on all processors. It counts the bytes of the rows.
func BenchmarkQuantize(b *testing.B) {
	data := normal(rand.New(rand.NewPCG(1, 2)), 5000*benchDim)
	b.SetBytes(int64(4 * len(data)))
	for b.Loop() {
		Quantize(data, benchDim)
	}
}

// BenchmarkQueryBlocks makes a block of 16 queries per operation.
func BenchmarkQueryBlocks(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	s, queries := Quantize(normal(r, 100*benchDim), benchDim), normal(r, QueryBlockSize*benchDim)
	for b.Loop() {
		s.QueryBlocks(queries)
	}
}
