package kernels

import "math"

// Matrix holds weights and bias of a layer y = Wx + b, packed for the products of a set: panels of 32
// outputs, each with the weights of one input after those of another. Inputs and outputs are padded with
// zeros.
type Matrix struct {
	in, out int       // padded
	panels  []float32 // nil if the weights are rounded
	rounded []uint16  // the weights of two inputs stand side by side
	bias    []float32

	// Of 8-bit integers: the weights of four inputs stand side by side, plus zero each.
	bytes     []uint8
	zero      uint8
	scales    []float32 // of the outputs
	smoothing []float32 // what inputs are multiplied by, and weights divided by
	smoothed  []float32 // the weights of an output, divided
}

// NewMatrix returns a matrix of zeros with the given numbers of inputs and outputs, which are padded.
func (s *Set) NewMatrix(in, out int) *Matrix {
	in, out = Padded(in), Padded(out)
	m := &Matrix{in: in, out: out, bias: make([]float32, out)}
	switch {
	case s.bfloat16 != nil:
		m.rounded = make([]uint16, in*out)
	case s.int8 != nil:
		m.bytes, m.scales, m.smoothing = make([]uint8, in*out), make([]float32, out), make([]float32, in)
		m.zero, m.smoothed = s.int8.zero, make([]float32, in)
		for i := range m.bytes {
			m.bytes[i] = m.zero
		}
		for i := range m.smoothing {
			m.smoothing[i] = 1
		}
	default:
		m.panels = make([]float32, in*out)
	}
	return m
}

// Smooth sets what each input is multiplied by before it is quantized, and its weights divided by, so that
// the greatest magnitudes of inputs and of weights are near each other (Xiao et al., "SmoothQuant", ICML
// 2023, equation 4). It must come before [Matrix.Set], and has no effect on matrices of other arithmetic.
func (m *Matrix) Smooth(factors []float32) { copy(m.smoothing, factors) }

// Out returns the number of outputs, padded.
func (m *Matrix) Out() int { return m.out }

// Set stores the weights of one output, a row of W, and its bias, all times scale. place maps the
// position of a weight to its input; nil means the same. All outputs have weights of the same inputs.
func (m *Matrix) Set(output int, weights []float32, bias, scale float32, place func(i int) int) {
	m.bias[output] = bias * scale
	if m.bytes != nil {
		m.setBytes(output, weights, scale, place)
		return
	}
	panel, column := output/step*step*m.in, output%step
	for i, w := range weights {
		if place != nil {
			i = place(i)
		}
		if m.rounded != nil {
			m.rounded[panel+i/2*2*step+2*column+i%2] = toBFloat16(w * scale)
		} else {
			m.panels[panel+i*step+column] = w * scale
		}
	}
}

// setBytes is [Matrix.Set] in 8-bit integers.
func (m *Matrix) setBytes(output int, weights []float32, scale float32, place func(i int) int) {
	const most = 127
	greatest := float32(1e-30)
	for i, w := range weights {
		if place != nil {
			i = place(i)
		}
		x := w * scale / m.smoothing[i]
		m.smoothed[i] = x
		greatest = max(greatest, x, -x)
	}
	m.scales[output] = greatest / most
	panel := m.bytes[output/step*step*m.in:]
	for i, x := range m.smoothed {
		const shift = 3 << 22 // adding 1.5 2^23 rounds to integers
		q := x/m.scales[output] + shift - shift
		panel[i/4*4*step+output%step*4+i%4] = uint8(int(q)) + m.zero
	}
}

// toBFloat16 rounds x to the nearest bfloat16, to even: the upper half of its bits.
func toBFloat16(x float32) uint16 {
	bits := math.Float32bits(x)
	if x != x {
		return uint16(bits>>16) | 1<<6 // quiet
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}

// Factors holds the rounded or quantized rows of a product.
type Factors struct {
	rounded     []uint16
	bytes       []int8
	scales      []float32
	corrections []int32
}

// Multiply computes outputs from to to, multiples of 32, of rows rows of x, which has the matrix's
// inputs in each. They are columns 0 on of y, whose rows are ldy numbers apart. It reads and writes up
// to spareRows rows more. f is memory for it.
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
		for row := 0; row < rows; {
			t := &s.bfloat16.tiles[0]
			for i := 1; i < len(s.bfloat16.tiles) && t.rows > rows-row; i++ {
				t = &s.bfloat16.tiles[i]
			}
			blocks := max((rows-row)/t.rows, 1)
			last := row + blocks*t.rows - 1
			_, _ = y[last*ldy+output-from+step-1], f.rounded[(last+1)*m.in-1]
			t.multiply(&y[row*ldy+output-from], &f.rounded[row*m.in], &panel[0], &m.bias[output],
				ldy*size, m.in*half, 2*step*half, m.in/2, blocks)
			row = last + 1
		}
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
	for output := from; output < to; output += s.int8.columns {
		panel := m.bytes[output/step*step*m.in:][output%step*4 : step*m.in]
		for row := 0; row < rows; {
			t := &s.int8.tiles[0]
			for i := 1; i < len(s.int8.tiles) && t.rows > rows-row; i++ {
				t = &s.int8.tiles[i]
			}
			blocks := max((rows-row)/t.rows, 1)
			last := row + blocks*t.rows - 1
			_, _, _ = y[last*ldy+output-from+s.int8.columns-1], f.bytes[(last+1)*m.in-1], f.scales[last]
			t.multiply(&y[row*ldy+output-from], &f.bytes[row*m.in], &panel[0], &m.bias[output], &m.scales[output],
				&f.scales[row], &f.corrections[row], ldy*size, m.in, 4*step, m.in/4, blocks)
			row = last + 1
		}
	}
}
