package dot

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// Supported returns the kernels that this machine supports, from slow to fast.
func Supported() []Kernel {
	kernels := []Kernel{Portable}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		kernels = append(kernels, AVX2)
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512VNNI && cpu.X86.HasBMI2 {
		kernels = append(kernels, AVX512)
	}
	return kernels
}

// NB: the methods below do not check lengths; the exported ones do.

func (k Kernel) dot(a, b []float32) float32 {
	switch k {
	case AVX512:
		return dotAVX512(unsafe.SliceData(a), unsafe.SliceData(b), len(a))
	case AVX2:
		return dotAVX2(unsafe.SliceData(a), unsafe.SliceData(b), len(a))
	}
	return dotPortable(a, b)
}

func (k Kernel) four(out *[4]float32, query, r0, r1, r2, r3 []float32) {
	q, a, b, c, d := unsafe.SliceData(query), unsafe.SliceData(r0), unsafe.SliceData(r1), unsafe.SliceData(r2),
		unsafe.SliceData(r3)
	switch k {
	case AVX512:
		fourAVX512(q, a, b, c, d, len(query), out)
	case AVX2:
		fourAVX2(q, a, b, c, d, len(query), out)
	default:
		fourPortable(out, query, r0, r1, r2, r3)
	}
}

// tile returns the function that computes a tile of [Kernel.Multiply] and its number of rows, or nil if the kernel has
// none.
func (k Kernel) tile() (f func(a, b *float32, n int, out *float32, columns int), rows int) {
	switch k {
	case AVX512:
		return tileAVX512, 4
	case AVX2:
		return tileAVX2, 2
	}
	return nil, 0
}

// HasFilter reports whether [QuantizedMatrix.Filter] has assembly. Without it, reading all rows is faster.
func (k Kernel) HasFilter() bool { return k != Portable }

func (k Kernel) filter(b *batch) {
	if len(b.masks) == 0 {
		return
	}
	single := b.queries.width == 1
	var assembly func(codes *byte, groups int, steps, errors *float32, blocks int, queries *int8, biases, units, norms,
		limits *float32, masks *uint16)
	switch {
	case k == AVX512 && single:
		assembly = filter1AVX512
	case k == AVX512:
		assembly = filter16AVX512
	case k == AVX2 && single:
		assembly = filter1AVX2
	case k == AVX2:
		assembly = filter16AVX2
	default:
		filterPortable(b)
		return
	}
	q := b.queries
	assembly(unsafe.SliceData(b.codes), b.groups, unsafe.SliceData(b.steps), unsafe.SliceData(b.errors),
		len(b.masks)/q.width,
		unsafe.SliceData(q.codes), unsafe.SliceData(q.biases), unsafe.SliceData(q.units), unsafe.SliceData(q.norms),
		unsafe.SliceData(b.limits), unsafe.SliceData(b.masks))
}

func (k Kernel) encode(codes []byte, residual []float32, step float32) float32 {
	if k == Portable || len(residual) == 0 {
		return encodePortable(codes, residual, step)
	}
	return encodeAVX2(unsafe.SliceData(codes), unsafe.SliceData(residual), len(residual)/groupNumbers, step,
		inverse(step))
}
