package bfloat

import "fmt"

// AddNorm writes to the rows of to the LayerNorm of a + b: weight·(x - mean) / √(variance +
// eps) + bias. Rows are as wide as weight and bias; to may be a or b. AddNorm panics if
// the lengths do not match.
func AddNorm(to, a, b []uint16, weight, bias []float32, eps float32) {
	width := len(weight)
	if width == 0 || len(to)%width != 0 || len(a) != len(to) || len(b) != len(to) || len(bias) != width {
		panic(fmt.Sprintf("bfloat: norm of %d and %d numbers to %d, with %d weights and %d biases", len(a), len(b), len(to), width, len(bias)))
	}
	if len(to) == 0 {
		return
	}
	buffer := make([]float32, roundUp(width))
	addNormAVX512(&to[0], &a[0], &b[0], len(to)/width, width, &weight[0], &bias[0], 1/float32(width), eps, &buffer[0])
}
