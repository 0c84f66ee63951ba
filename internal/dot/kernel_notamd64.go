//go:build !amd64

package dot

// tile returns nil: the kernels here have no function that computes a tile of [Kernel.Multiply].
func (Kernel) tile() (f func(a, b *float32, n int, out *float32, columns int), rows int) {
	return nil, 0
}

func (Kernel) encode(codes []byte, residual []float32, step float32) float32 {
	return encodePortable(codes, residual, step)
}
