//go:build !amd64 && !arm64

package dot

// Supported returns the kernels that this machine supports.
func Supported() []Kernel { return []Kernel{Portable} }

func (Kernel) dot(a, b []float32) float32 { return dotPortable(a, b) }

func (Kernel) four(out *[4]float32, query, r0, r1, r2, r3 []float32) {
	fourPortable(out, query, r0, r1, r2, r3)
}

// HasFilter reports whether [QuantizedMatrix.Filter] has assembly. Without it, reading all rows is faster.
func (Kernel) HasFilter() bool { return false }

func (Kernel) filter(b *batch) { filterPortable(b) }
