package sq4

import (
	"unsafe"

	"ctxnorm/knnindex/internal/dot"
)

func filter(kernel dot.Kernel, b *batch) {
	if len(b.masks) == 0 {
		return
	}
	single := b.panel.width == 1
	var run func(codes *byte, groups int, steps, errors *float32, blocks int, queries *int8, biases, units, norms, limits *float32, masks *uint16)
	switch {
	case kernel == dot.AVX512 && single:
		run = filter1AVX512
	case kernel == dot.AVX512:
		run = filter16AVX512
	case kernel == dot.AVX2 && single:
		run = filter1AVX2
	case kernel == dot.AVX2:
		run = filter16AVX2
	default:
		filterPortable(b)
		return
	}
	p := b.panel
	run(unsafe.SliceData(b.codes), b.groups, unsafe.SliceData(b.steps), unsafe.SliceData(b.errors), len(b.masks)/p.width,
		unsafe.SliceData(p.codes), unsafe.SliceData(p.biases), unsafe.SliceData(p.units), unsafe.SliceData(p.norms),
		unsafe.SliceData(b.limits), unsafe.SliceData(b.masks))
}

func encode(kernel dot.Kernel, codes []byte, rest []float32, step float32) float32 {
	if kernel == dot.Portable || len(rest) == 0 {
		return encodePortable(codes, rest, step)
	}
	return encodeAVX2(unsafe.SliceData(codes), unsafe.SliceData(rest), len(rest)/groupNumbers, step, inverse(step))
}
