package sq4

import (
	"unsafe"

	"github.com/ctxnorm/ctxnorm/internal/dot"
)

// HasAssembly reports whether the kernel filters by assembly: without, reading all rows is faster.
func HasAssembly(kernel dot.Kernel) bool { return kernel != dot.Portable }

func filter(kernel dot.Kernel, b *batch) {
	if len(b.masks) == 0 {
		return
	}
	single := b.queries.width == 1
	var assembly func(codes *byte, groups int, steps, errors *float32, blocks int, queries *int8, biases, units, norms,
		limits *float32, masks *uint16)
	switch {
	case kernel == dot.AVX512 && single:
		assembly = filter1AVX512
	case kernel == dot.AVX512:
		assembly = filter16AVX512
	case kernel == dot.AVX2 && single:
		assembly = filter1AVX2
	case kernel == dot.AVX2:
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

func encode(kernel dot.Kernel, codes []byte, residual []float32, step float32) float32 {
	if kernel == dot.Portable || len(residual) == 0 {
		return encodePortable(codes, residual, step)
	}
	return encodeAVX2(unsafe.SliceData(codes), unsafe.SliceData(residual), len(residual)/groupNumbers, step,
		inverse(step))
}
