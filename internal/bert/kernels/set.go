package kernels

import "math"

// Set is a set of functions for an instruction set.
type Set struct {
	name  string
	tiles []tile // for products in float32, tallest first; all have the same number of columns, which divides 32
	// addNorm, gelu and softmax do the same as the methods of these names.
	addNorm  func(h, y, weight, bias *float32, rows, width int, share, eps float32) // width is padded
	gelu     func(x *float32, n int)
	softmax  func(x *float32, rows, width int)
	bfloat16 *bfloat16 // for products with weights; nil in other sets
	int8     *int8Set  // for products with weights; nil in other sets
}

// int8Set computes products of 8-bit integers, with a scale for each row of x and each output.
type int8Set struct {
	// zero is the byte for a weight of zero: 128 if a product takes an unsigned factor, 0 if both are signed.
	zero uint8
	// quantize multiplies rows by smoothing and quantizes them to -127 to 127. The width is a multiple of 32. A
	// correction is -zero times the sum of a row's integers.
	quantize func(to *int8, scales *float32, corrections *int32, from, smoothing *float32, rows, width int)

	// tiles multiply integers: c = bias + scales rowScales (corrections + ab). A row of b interleaves four of its rows
	// and adds zero to each number, and depth is the number of fours.
	tiles []tileOf[int8Product]
}

// bfloat16 computes products of numbers rounded to bfloat16.
type bfloat16 struct {
	round func(to *uint16, from *float32, n int) // n is a multiple of 32

	// tiles have bfloat16 factors. A row of b interleaves two of its rows, and depth is the number of pairs.
	tiles []tileOf[bfloat16Product]
}

// tileOf computes a part of a product that is summed in registers. multiply computes blocks below each other: c = bias
// + ab. Rows of c, a and b are ldc, lda and ldb bytes apart; a has depth columns.
type tileOf[F any] struct {
	rows, columns int
	multiply      F
}

type (
	tile            = tileOf[func(c, a, b, bias *float32, ldc, lda, ldb, depth, blocks int)]
	bfloat16Product = func(c *float32, a, b *uint16, bias *float32, ldc, lda, ldb, depth, blocks int)
	int8Product     = func(c *float32, a *int8, b *uint8, bias, scales, rowScales *float32, corrections *int32,
		ldc, lda, ldb, depth, blocks int)
)

// eachBlock covers all rows. It calls multiply with the tallest tile that is no taller than the rows that are left, or
// the lowest tile, and with the first row and the number of blocks below each other. tiles are sorted, tallest first.
func eachBlock[F any](tiles []tileOf[F], rows int, multiply func(t *tileOf[F], row, blocks int)) {
	for row := 0; row < rows; {
		t := &tiles[0]
		for i := 1; i < len(tiles) && t.rows > rows-row; i++ {
			t = &tiles[i]
		}
		blocks := max((rows-row)/t.rows, 1)
		multiply(t, row, blocks)
		row += blocks * t.rows
	}
}

// Portable is plain Go for every processor.
var Portable = &Set{
	name: "portable", tiles: []tile{{4, 16, multiply4x16Go}},
	addNorm: addNormPortable, gelu: geluGo, softmax: softmaxGo,
}

// String returns "avx512", "avx2", "neon", "portable", "bfloat16" or "int8".
func (s *Set) String() string { return s.name }

// Best returns the fastest float32 set that this processor supports.
func Best() *Set { return Supported()[0] }

// Int8 returns the fastest set of the processor that computes products with weights in 8-bit integers, or nil if it has
// none.
func Int8() *Set {
	for _, s := range int8Sets() {
		return s
	}
	return nil
}

// withInt8 returns the set with products of 8-bit integers.
func (s *Set) withInt8(products *int8Set) *Set {
	with := *s
	with.name, with.int8 = "int8", products
	return &with
}

// step is a number of columns that is a multiple of every loop's.
const step = 32

// Padded returns n rounded up to the width of a row: a multiple of 32.
func Padded(n int) int { return (n + step - 1) / step * step }

// spareRows is the number of extra rows at the end of a matrix of activations.
const spareRows = 12

// Rows returns zeros for count rows of the given width and the spare rows.
func Rows(count, width int) []float32 { return make([]float32, (count+spareRows)*width) }

// product computes c = bias + ab for rows rows and columns columns, a multiple of 32. It reads and writes up to
// spareRows further rows. bias must have columns numbers.
func (s *Set) product(c []float32, ldc int, a []float32, lda int, b []float32, ldb int, bias []float32,
	rows, columns, depth int) {
	const size = 4 // bytes
	width := s.tiles[0].columns
	for column := 0; column < columns; column += width {
		eachBlock(s.tiles, rows, func(t *tile, row, blocks int) {
			last := row + blocks*t.rows - 1
			_, _ = c[last*ldc+column+width-1], a[last*lda+depth-1]
			_, _ = b[(depth-1)*ldb+column+width-1], bias[column+width-1]
			t.multiply(&c[row*ldc+column], &a[row*lda], &b[column], &bias[column],
				ldc*size, lda*size, ldb*size, depth, blocks)
		})
	}
}

// AddNorm sets each row of h to the LayerNorm of h + y over width numbers. Rows are padded.
func (s *Set) AddNorm(h, y, weight, bias []float32, rows, width int, eps float32) {
	if rows == 0 {
		return
	}
	padded := Padded(width)
	h, y = h[:rows*padded], y[:rows*padded]
	if width < padded { // not in models of usual sizes
		addNormGo(h, y, weight[:width], bias[:width], padded, eps)
		return
	}
	_, _ = weight[width-1], bias[width-1]
	s.addNorm(&h[0], &y[0], &weight[0], &bias[0], rows, width, 1/float32(width), eps)
}

// Activation is a function applied to every number of a row.
type Activation int

// The activations of BERT, with their names in transformers.
const (
	GELU     Activation = iota // "gelu": x Φ(x)
	TanhGELU                   // "gelu_new", "gelu_pytorch_tanh": x/2 (1 + tanh(√(2/π)(x + .044715 x³)))
	ReLU                       // "relu": max(x, 0)
)

// Activate applies f to each number of x, a multiple of 32.
func (s *Set) Activate(f Activation, x []float32) {
	if len(x) == 0 {
		return
	}
	_ = x[: len(x)/step*step : len(x)]
	switch f {
	case GELU:
		s.gelu(&x[0], len(x))
	case TanhGELU:
		tanhGELU(x)
	case ReLU:
		for i, v := range x {
			if v < 0 { // NaN stays
				x[i] = 0
			}
		}
	}
}

// masked is added to the scores of padding keys, so their share is zero.
const masked = -1e30

// Attention holds the memory of [Set.Attend] for heads of one size, a multiple of 32.
type Attention struct {
	size   int
	keys   []float32 // keys of a head, transposed: [size][padded tokens]
	scores []float32 // [queries][padded tokens]
	bias   []float32 // 0 for a token, masked after the last one; later zeros for the values
	zeros  []float32
}

// NewAttention returns the memory for heads of the given size.
func NewAttention(size int) *Attention { return &Attention{size: size, zeros: make([]float32, size)} }

// reset prepares for a sentence.
func (a *Attention) reset(queries, tokens int) (padded int) {
	padded = Padded(tokens)
	a.keys = grow(a.keys, a.size*padded)
	a.scores = grow(a.scores, (queries+spareRows)*padded)
	a.bias = grow(a.bias, padded)
	for i := range a.bias {
		a.bias[i] = 0
		if i >= tokens {
			a.bias[i] = masked
		}
	}
	return padded
}

// grow returns x with length n, or a new slice if x is too small.
func grow(x []float32, n int) []float32 {
	if cap(x) < n {
		return make([]float32, n)
	}
	return x[:n]
}

// Attend computes one head: for each query the values of all tokens, weighted by the softmax of 2^(query · key). Rows
// of queries and mixed are ldq and ldm numbers apart, those of keys and values ldk. It writes up to spareRows rows
// after the last row of mixed.
func (s *Set) Attend(a *Attention, mixed []float32, ldm int, query []float32, ldq int, key, value []float32, ldk int,
	queries, tokens int) {
	if queries == 0 {
		return
	}
	padded := a.reset(queries, tokens)
	for d := range a.size {
		row := a.keys[d*padded : (d+1)*padded]
		for j := range tokens {
			row[j] = key[j*ldk+d]
		}
		clear(row[tokens:])
	}
	s.product(a.scores, padded, query, ldq, a.keys, padded, a.bias, queries, padded, a.size)
	s.softmax(&a.scores[0], queries, padded)
	s.product(mixed, ldm, a.scores, padded, value, ldk, a.zeros, queries, a.size, tokens)
}

// log2e is the factor of scores that turns powers of e into powers of two.
const log2e = math.Log2E

// ScoreScale returns the factor of queries for which [Set.Attend] computes the attention of heads of the given size:
// softmax of e^(query · key / √size).
func ScoreScale(size int) float32 { return float32(log2e / math.Sqrt(float64(size))) }
