//go:build !amd64 && !arm64

package dot

// Supported returns the kernels that this machine supports.
func Supported() []Kernel { return []Kernel{Portable} }

func (Kernel) dot(a, b []float32) float32 { return dotPortable(a, b) }

func (Kernel) four(out *[4]float32, query, r0, r1, r2, r3 []float32) {
	fourPortable(out, query, r0, r1, r2, r3)
}

// tile returns nil: no kernel here has a function that computes a tile of [Kernel.Multiply].
func (Kernel) tile() (f func(a, b *float32, n int, out *float32, columns int), rows int) {
	return nil, 0
}
