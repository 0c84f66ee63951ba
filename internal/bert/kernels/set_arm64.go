package kernels

import (
	"math"

	"golang.org/x/sys/cpu"
)

// NEON is for every arm64 processor.
var NEON = &Set{
	name:    "neon",
	tiles:   []tile{{4, 16, multiply4x16NEON}},
	addNorm: addNormNEON, gelu: geluNEON, softmax: softmaxNEON,
}

// BFloat16 returns nil: there is no bfloat16 set for arm64.
func BFloat16() *Set { return nil }

// int8Sets returns the set that computes products with weights in 8-bit integers, if the processor has Arm's dot
// products (FEAT_DotProd). Both factors are signed, so nothing is corrected.
func int8Sets() []*Set {
	if !cpu.ARM64.HasASIMDDP {
		return nil
	}
	return []*Set{NEON.withInt8(&int8Set{
		quantize: quantizeNEON, tiles: []tileOf[int8Product]{{4, 16, multiply4x16Int8NEON}},
	})}
}

// Supported returns the float32 sets that this processor supports, fastest first.
func Supported() []*Set { return []*Set{NEON, Portable} }

// geluTable holds the coefficients of the error function, of the odd and then of the even polynomial: see erf. They are
// followed by √½, the bounds of its argument, and ½.
var geluTable = [16]float32{
	erf13, erf11, erf9, erf7, erf5, erf3, erf1, erf8, erf6, erf4, erf2, erf0, math.Sqrt2 / 2, erfBound, -erfBound, .5,
}

// power2Table holds the Taylor coefficients of 2^x, highest power first, the smallest exponent, and the bias of
// exponents as an integer: see [power2]. Zeros fill the last register.
var power2Table = [12]float32{
	math.Ln2 * math.Ln2 * math.Ln2 * math.Ln2 * math.Ln2 * math.Ln2 / 720,
	math.Ln2 * math.Ln2 * math.Ln2 * math.Ln2 * math.Ln2 / 120,
	math.Ln2 * math.Ln2 * math.Ln2 * math.Ln2 / 24, math.Ln2 * math.Ln2 * math.Ln2 / 6,
	math.Ln2 * math.Ln2 / 2, math.Ln2, 1,
	-126, math.Float32frombits(127),
}

// The functions of kernels_arm64.s take the arguments of the fields with these names in [Set], [tileOf] and [int8Set].

//go:noescape
func multiply4x16NEON(c, a, b, bias *float32, ldc, lda, ldb, depth, blocks int)

//go:noescape
func multiply4x16Int8NEON(c *float32, a *int8, b *uint8, bias, scales, rowScales *float32, corrections *int32,
	ldc, lda, ldb, depth, blocks int)

//go:noescape
func quantizeNEON(to *int8, scales *float32, corrections *int32, from, smoothing *float32, rows, width int)

//go:noescape
func addNormNEON(h, y, weight, bias *float32, rows, width int, share, eps float32)

//go:noescape
func geluNEON(x *float32, n int)

//go:noescape
func softmaxNEON(x *float32, rows, width int)
