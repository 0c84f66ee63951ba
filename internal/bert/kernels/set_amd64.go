package kernels

import "golang.org/x/sys/cpu"

var (
	// AVX512 is for processors with AVX-512F.
	AVX512 = &Set{
		name: "avx512",
		tiles: []tile{
			{12, 32, multiply12x32AVX512}, {12, 16, multiply12x16AVX512},
			{4, 32, multiply4x32AVX512}, {4, 16, multiply4x16AVX512},
		},
		addNorm: addNormAVX512, gelu: geluAVX512, tanhGELU: tanhGELUAVX512, softmax: softmaxAVX512,
	}
	// AVX2 is for processors with AVX2 and FMA.
	AVX2 = &Set{
		name:    "avx2",
		tiles:   []tile{{6, 16, multiply6x16AVX2}, {3, 16, multiply3x16AVX2}},
		addNorm: addNormAVX2, gelu: geluAVX2, tanhGELU: tanhGELUAVX2, softmax: softmaxAVX2,
	}
)

// Supported returns the sets that this processor supports, the fastest first.
func Supported() []*Set {
	var sets []*Set
	if cpu.X86.HasAVX512F {
		sets = append(sets, AVX512)
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		sets = append(sets, AVX2)
	}
	return append(sets, Portable)
}
