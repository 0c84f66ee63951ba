package dot

import (
	"encoding/binary"
	"math"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

const (
	// BlockRows is the number of rows that are compared at once, each in its own lane.
	BlockRows = 16
	// groupNumbers is the number of consecutive numbers of a row that are stored together: four in the low halves of
	// four bytes, the next four in the high halves.
	groupNumbers = 8
	// groupBytes is the size of a group of all rows of a block: 16 x 8 / 2 = 64 bytes.
	groupBytes = BlockRows * groupNumbers / 2
	// middle is the middle of the codes 0 to 15.
	middle = 7.5
	// normalStep is the distance between 16 levels that minimizes the squared error for normally distributed numbers
	// with deviation 1: .0115 of their squares (Max, "Quantizing for Minimum Distortion", IRE Transactions on
	// Information Theory 1960, table II).
	normalStep = .3352
	// centerRows is the number of evenly spread rows whose mean is the center.
	centerRows = 1024
)

// QuantizedMatrix holds a 4-bit scalar quantization of each row of a matrix, half a byte per number, which bounds the
// dot product of the row and a query from above. A search for the nearest rows can rule out most rows by their bound,
// without reading them. The quantization takes dim/2 + 8 bytes per row, 13 % of the matrix at 384 numbers.
//
// For basic usage, quantize the rows with [Quantize] and the queries with [QuantizedMatrix.QueryBlocks].
// [QuantizedMatrix.Filter] then returns the survivors: the rows whose product with a query may exceed a limit, which
// [QueryBlock.Limit] computes. It never rules out a row whose product exceeds the limit, so a caller that computes the
// exact products of the survivors misses nothing.
//
// A row x is the sum of the center m, approximately the mean of all rows, and a residual r. The residual is quantized
// to codes c of four bits and a step, a query q to signed bytes b and a unit. They approximate
//
//	r'[i] = step (c[i] - 7.5)        q'[i] = unit b[i]
//
// and with the Cauchy-Schwarz inequality
//
//	q·x = q·m + q'·r' + q'·(r - r') + (q - q')·r
//	    ≤ q·m + unit step (Σ b c - 7.5 Σ b) + |q'| |r - r'| + |q - q'| |r|
//
// Only the sum of products of integers, Σ b c, is computed for each pair. |r - r'| is stored for each row, |r| only for
// the longest residual. The bound holds for all vectors. It is tighter the more normally the residuals are distributed,
// and it rules out more rows the further the nearest rows are from the others. At 384 numbers |r - r'| is .11 |r|: rows
// up to .1 less similar than the nearest survive.
//
// Sums and bounds have the same bits from AVX-512 (VNNI), AVX2, NEON (with products of 8-bit integers) and portable Go.
//
// The codes are stored so that a register of 64 bytes holds a group of a whole block, and the sums of its rows
// accumulate in 16 lanes:
//
//	block 0                                              block 1 …
//	group 0: row 0, row 1, … row 15     group 1 …
//	         4 bytes each: numbers 0 to 3 of the row and, times 16, 4 to 7
type QuantizedMatrix struct {
	dim, rows, groups int

	codes  []byte    // in whole blocks
	steps  []float32 // for each row; 0 for the padding of the last block
	errors []float32 // |r - r'| of each row; infinite for a row that is not quantized

	center []float32
	radius float64 // the longest |r|
	extent float64 // |m| + the longest |r|, an upper bound of every |x|
}

// Quantize returns the quantization of the rows of data, which have dim numbers each. It uses all processors.
func Quantize(data []float32, dim int) *QuantizedMatrix {
	rows, groups := len(data)/dim, (dim+groupNumbers-1)/groupNumbers
	blocks := (rows + BlockRows - 1) / BlockRows
	m := &QuantizedMatrix{
		dim: dim, rows: rows, groups: groups,
		codes:  make([]byte, blocks*groups*groupBytes),
		steps:  make([]float32, blocks*BlockRows),
		errors: make([]float32, blocks*BlockRows),
		center: centerOf(data, dim),
	}
	var mu sync.Mutex
	parallel.Ranges(rows, 0, func(start, end int) {
		radius := m.quantizeRows(data, start, end)
		mu.Lock()
		defer mu.Unlock()
		m.radius = max(m.radius, radius)
	})
	m.extent = length(Portable, m.center) + m.radius
	return m
}

// quantizeRows quantizes the rows from start to end and returns their longest |r|.
func (m *QuantizedMatrix) quantizeRows(data []float32, start, end int) (radius float64) {
	kernel, residual := Best(), make([]float32, m.groups*groupNumbers)
	for row := start; row < end; row++ {
		x := data[row*m.dim : (row+1)*m.dim]
		subtract(residual[:m.dim], x, m.center)
		norm := length(kernel, residual)
		if !inRange(length(kernel, x)) || !(norm <= maxLength) {
			m.errors[row] = float32(math.Inf(1))
			continue
		}
		radius = max(radius, norm)
		m.steps[row] = float32(normalStep * norm / math.Sqrt(float64(m.dim)))
		codes := m.codes[row/BlockRows*m.groups*groupBytes+row%BlockRows*4:]
		m.errors[row] = float32(math.Sqrt(float64(kernel.encode(codes, residual, m.steps[row]))))
	}
	return radius
}

// encodePortable writes the codes of a row, given its residual padded to whole groups, and returns |r - r'|². It is the
// Go version of the assembly.
func encodePortable(codes []byte, residual []float32, step float32) float32 {
	scale := inverse(step)
	var squares float32
	for len(residual) > 0 {
		var word uint32
		for i, r := range residual[:groupNumbers] {
			code := min(max(int32(r*scale+(middle+.5)), 0), 15) // rounds down; below 0 becomes 0
			lost := r - step*(float32(code)-middle)
			squares += lost * lost
			word |= uint32(code) << (i%4*8 + i/4*4)
		}
		binary.LittleEndian.PutUint32(codes, word)
		residual, codes = residual[groupNumbers:], codes[min(groupBytes, len(codes)):]
	}
	return squares
}

// inverse returns 1/step, and 0 for a step of 0.
func inverse(step float32) float32 {
	if step == 0 {
		return 0
	}
	return 1 / step
}

// centerOf returns the mean of at least centerRows rows, or of all if there are fewer. Any center is valid; the nearer
// it is to the rows, the shorter the residuals.
func centerOf(data []float32, dim int) []float32 {
	rows := len(data) / dim
	sums, every := make([]float64, dim), max(1, rows/centerRows)
	taken := 0
	for row := 0; row < rows; row += every {
		for i, x := range data[row*dim : (row+1)*dim] {
			sums[i] += float64(x)
		}
		taken++
	}
	center := make([]float32, dim)
	for i, sum := range sums {
		if mean := sum / float64(taken); math.Abs(mean) <= maxLength { // false for NaN
			center[i] = float32(mean)
		}
	}
	return center
}

// subtract sets out to x - y.
func subtract(out, x, y []float32) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = x[i] - y[i]
	}
}

// length returns |x|.
func length(kernel Kernel, x []float32) float64 {
	return math.Sqrt(float64(kernel.Dot(x, x)))
}

// The range of lengths of vectors that are quantized. Within it, squares and products of their numbers neither overflow
// nor vanish in float32.
const (
	minLength = 1e-15
	maxLength = 1e15
)

// inRange reports whether a vector of this length, which may be NaN, is quantized.
func inRange(length float64) bool { return length >= minLength && length <= maxLength }
