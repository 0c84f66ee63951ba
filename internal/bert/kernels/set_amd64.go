package kernels

import "golang.org/x/sys/cpu"

// The functions of kernels_amd64.s take the arguments of the fields with these names in [Set], [tileOf] and [int8Set].
var (
	// AVX512 is for processors with AVX-512F.
	AVX512 = &Set{
		name:    "avx512",
		tiles:   []tile{{12, 32, multiply12x32AVX512}, {4, 32, multiply4x32AVX512}},
		addNorm: addNormAVX512, gelu: geluAVX512, softmax: softmaxAVX512,
	}
	// AVX2 is for processors with AVX2 and FMA.
	AVX2 = &Set{
		name:    "avx2",
		tiles:   []tile{{6, 16, multiply6x16AVX2}, {3, 16, multiply3x16AVX2}},
		addNorm: addNormAVX2, gelu: geluAVX2, softmax: softmaxAVX2,
	}
)

// BFloat16 returns the set that computes products with weights in bfloat16, or nil if the processor lacks AVX512-BF16.
func BFloat16() *Set {
	if !cpu.X86.HasAVX512BF16 || !cpu.X86.HasAVX512F {
		return nil
	}
	s := *AVX512
	s.name, s.bfloat16 = "bfloat16", &bfloat16{
		round: roundBFloat16,
		tiles: []tileOf[bfloat16Product]{{12, 32, multiply12x32BFloat16}, {4, 32, multiply4x32BFloat16}},
	}
	return &s
}

// int8Sets returns the sets that compute products with weights in 8-bit integers: with AVX-512 VNNI and with AVX-VNNI,
// if the processor has them.
func int8Sets() []*Set {
	var sets []*Set
	if cpu.X86.HasAVX512VNNI && cpu.X86.HasAVX512F {
		sets = append(sets, AVX512.withInt8(&int8Set{
			zero: 128, quantize: quantizeAVX512,
			tiles: []tileOf[int8Product]{{12, 32, multiply12x32Int8AVX512}, {4, 32, multiply4x32Int8AVX512}},
		}))
	}
	if cpu.X86.HasAVXVNNI && cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		sets = append(sets, AVX2.withInt8(&int8Set{
			zero: 128, quantize: quantizeAVX2,
			tiles: []tileOf[int8Product]{{6, 16, multiply6x16Int8AVX2}, {3, 16, multiply3x16Int8AVX2}},
		}))
	}
	return sets
}

// Supported returns the float32 sets that this processor supports, fastest first.
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
