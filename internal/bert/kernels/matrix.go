package kernels

import (
	"math"
	"slices"
	"unsafe"
)

// Matrix holds the weights and the bias of a layer y = Wx + b, packed for the products of a set: panels of 32 outputs,
// with the weights of one input after those of another. Inputs and outputs are padded with zeros.
type Matrix struct {
	in, out int // padded
	bias    []float32

	// The panels, in the arithmetic of the set; the other two fields are nil.
	panels  []float32
	rounded []uint16 // the weights of two inputs stand side by side
	bytes   []uint8  // the weights of four inputs stand side by side, plus zero each

	// For 8-bit integers only.
	zero        uint8
	scales      []float32 // for each output; 0 for padding
	smoothing   []float32 // factors of the inputs
	unsmoothing []float32 // the inverse, as factors of the weights

	row []float32 // buffer for the weights of an output, by input
	// convert returns the weights of an output in the arithmetic of the set, in 32-bit words that hold one, two or four
	// inputs.
	convert func(output int, row []float32) []uint32
}

// NewMatrix returns a matrix of zeros with the given numbers of inputs and outputs, which are padded.
func (s *Set) NewMatrix(in, out int) *Matrix {
	in, out = Padded(in), Padded(out)
	m := &Matrix{in: in, out: out, bias: make([]float32, out), row: make([]float32, in)}
	switch {
	case s.bfloat16 != nil:
		m.rounded = make([]uint16, in*out)
		pairs := make([]uint16, in)
		m.convert = func(_ int, row []float32) []uint32 {
			s.bfloat16.round(&pairs[0], &row[0], in)
			return words(pairs)
		}
	case s.int8 != nil:
		m.bytes, m.zero, m.scales = make([]uint8, in*out), s.int8.zero, make([]float32, out)
		m.smoothing, m.unsmoothing = make([]float32, in), make([]float32, in)
		for i := range in {
			m.smoothing[i], m.unsmoothing[i] = 1, 1
		}
		fours, correction := make([]int8, in), int32(0)
		m.convert = func(output int, row []float32) []uint32 {
			s.int8.quantize(&fours[0], &m.scales[output], &correction, &row[0], &m.unsmoothing[0], 1, in)
			column := words(fours)
			for i := range column {
				column[i] ^= uint32(m.zero) * 0x01010101 // adds zero, 128 or 0, to each byte
			}
			if slices.ContainsFunc(row, func(w float32) bool { return w != w }) {
				m.bias[output] = float32(math.NaN()) // integers have none
			}
			return column
		}
	default:
		m.panels = make([]float32, in*out)
		m.convert = func(_ int, row []float32) []uint32 { return words(row) }
	}
	return m
}

// words returns the memory of numbers, a multiple of 4 bytes, as 32-bit words.
func words[T float32 | uint16 | int8 | uint8](numbers []T) []uint32 {
	bytes := len(numbers) * int(unsafe.Sizeof(numbers[0]))
	return unsafe.Slice((*uint32)(unsafe.Pointer(&numbers[0])), bytes/4)
}

// Smooth sets the factors that multiply each input before it is quantized and divide its weights, so that the greatest
// magnitudes of inputs and weights are closer together (Xiao et al., "SmoothQuant", ICML 2023, equation 4). Call it
// before [Matrix.Set]. It has no effect on matrices of other arithmetic.
func (m *Matrix) Smooth(factors []float32) {
	for i := range copy(m.smoothing, factors) {
		m.unsmoothing[i] = 1 / factors[i]
	}
}

// Set stores the weights of one output, a row of W, and its bias, all multiplied by scale. place maps the position of a
// weight to its input; nil means the same position. All outputs must have weights for the same inputs. If a weight is
// NaN, the output is NaN in every product.
func (m *Matrix) Set(output int, weights []float32, bias, scale float32, place func(i int) int) {
	row := weights
	if len(weights) < m.in || scale != 1 || place != nil {
		row = m.row
		for i, w := range weights {
			if place != nil {
				i = place(i)
			}
			row[i] = w * scale
		}
	}
	m.bias[output] = bias * scale
	column := m.convert(output, row)
	panel := m.words()[output/step*step*len(column):][:step*len(column)]
	for at, i := output%step, 0; i < len(column); at, i = at+step, i+1 {
		panel[at] = column[i]
	}
}

// words returns the panels as 32-bit words.
func (m *Matrix) words() []uint32 {
	switch {
	case m.rounded != nil:
		return words(m.rounded)
	case m.bytes != nil:
		return words(m.bytes)
	}
	return words(m.panels)
}

// Factors holds the rounded or quantized rows of a product.
type Factors struct {
	rounded     []uint16
	bytes       []int8
	scales      []float32
	corrections []int32
}

// Multiply computes outputs from to to, multiples of 32, for rows rows of x, which have the matrix's number of inputs.
// It writes them to y from column 0, with ldy numbers from one row to the next. It reads and writes up to spareRows
// further rows. f is its memory.
func (s *Set) Multiply(f *Factors, y []float32, ldy int, x []float32, rows int, m *Matrix, from, to int) {
	if rows == 0 {
		return
	}
	if s.bfloat16 != nil {
		s.multiplyRounded(f, y, ldy, x, rows, m, from, to)
		return
	}
	if s.int8 != nil {
		s.multiplyBytes(f, y, ldy, x, rows, m, from, to)
		return
	}
	for output := from; output < to; output += step {
		panel := m.panels[output*m.in : (output+step)*m.in]
		s.product(y[output-from:], ldy, x, m.in, panel, step, m.bias[output:], rows, step, m.in)
	}
}

// multiplyRounded is [Set.Multiply] in bfloat16.
func (s *Set) multiplyRounded(f *Factors, y []float32, ldy int, x []float32, rows int, m *Matrix, from, to int) {
	const size, half = 4, 2 // bytes of float32 and bfloat16
	if need := (rows + spareRows) * m.in; cap(f.rounded) < need {
		f.rounded = make([]uint16, need)
	}
	f.rounded = f.rounded[:(rows+spareRows)*m.in]
	x = x[:rows*m.in]
	s.bfloat16.round(&f.rounded[0], &x[0], len(x))
	for output := from; output < to; output += step {
		panel := m.rounded[output*m.in : (output+step)*m.in]
		eachBlock(s.bfloat16.tiles, rows, func(t *tileOf[bfloat16Product], row, blocks int) {
			last := row + blocks*t.rows - 1
			_, _ = y[last*ldy+output-from+step-1], f.rounded[(last+1)*m.in-1]
			t.multiply(&y[row*ldy+output-from], &f.rounded[row*m.in], &panel[0], &m.bias[output],
				ldy*size, m.in*half, 2*step*half, m.in/2, blocks)
		})
	}
}

// multiplyBytes is [Set.Multiply] in 8-bit integers.
func (s *Set) multiplyBytes(f *Factors, y []float32, ldy int, x []float32, rows int, m *Matrix, from, to int) {
	const size = 4 // bytes of float32
	if need := (rows + spareRows) * m.in; cap(f.bytes) < need || cap(f.scales) < rows+spareRows {
		f.bytes = make([]int8, need)
		f.scales, f.corrections = make([]float32, rows+spareRows), make([]int32, rows+spareRows)
	}
	f.bytes = f.bytes[:(rows+spareRows)*m.in]
	f.scales, f.corrections = f.scales[:rows+spareRows], f.corrections[:rows+spareRows]
	x = x[:rows*m.in]
	s.int8.quantize(&f.bytes[0], &f.scales[0], &f.corrections[0], &x[0], &m.smoothing[0], rows, m.in)
	columns := s.int8.tiles[0].columns
	for output := from; output < to; output += columns {
		panel := m.bytes[output/step*step*m.in:][output%step*4 : step*m.in]
		eachBlock(s.int8.tiles, rows, func(t *tileOf[int8Product], row, blocks int) {
			last := row + blocks*t.rows - 1
			_, _, _ = y[last*ldy+output-from+columns-1], f.bytes[(last+1)*m.in-1], f.scales[last]
			t.multiply(&y[row*ldy+output-from], &f.bytes[row*m.in], &panel[0], &m.bias[output], &m.scales[output],
				&f.scales[row], &f.corrections[row], ldy*size, m.in, 4*step, m.in/4, blocks)
		})
	}
}
