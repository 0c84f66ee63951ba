package kernels

// Matrix holds weights and bias of a layer y = Wx + b, packed for products: panels of 32 outputs, each
// with the weights of one input after those of another. Inputs and outputs are padded with zeros.
type Matrix struct {
	in, out int // padded
	panels  []float32
	bias    []float32
}

// NewMatrix returns a matrix of zeros with the given numbers of inputs and outputs, which are padded.
func NewMatrix(in, out int) *Matrix {
	in, out = Padded(in), Padded(out)
	return &Matrix{in, out, make([]float32, in*out), make([]float32, out)}
}

// Out returns the number of outputs, padded.
func (m *Matrix) Out() int { return m.out }

// Set stores the weights of one output, a row of W, and its bias, all times scale. place maps the
// position of a weight to its input; nil means the same.
func (m *Matrix) Set(output int, weights []float32, bias, scale float32, place func(i int) int) {
	m.bias[output] = bias * scale
	panel := m.panels[output/step*step*m.in:]
	for i, w := range weights {
		if place != nil {
			i = place(i)
		}
		panel[i*step+output%step] = w * scale
	}
}

// Multiply computes outputs from to to, multiples of 32, of rows rows of x, which has the matrix's
// inputs in each. They are columns 0 on of y, whose rows are ldy numbers apart. It reads and writes up
// to [SpareRows] rows more.
func (s *Set) Multiply(y []float32, ldy int, x []float32, rows int, m *Matrix, from, to int) {
	for output := from; output < to; output += step {
		panel := m.panels[output*m.in : (output+step)*m.in]
		s.product(y[output-from:], ldy, x, m.in, panel, step, m.bias[output:], rows, step, m.in)
	}
}
