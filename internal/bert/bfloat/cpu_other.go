//go:build !amd64

package bfloat

// Supported reports whether this machine can run the functions of the package.
func Supported() bool { return false }

const unsupported = "bfloat: no AVX-512"

func expandAVX512(_ *float32, _ *uint16, _, _, _ int)       { panic(unsupported) }
func transposeAVX512(_ *float32, _ *uint16, _, _, _, _ int) { panic(unsupported) }
func productAVX512(_, _, _ *float32, _, _, _ int)           { panic(unsupported) }
func softmaxAVX512(_ *float32, _, _, _ int, _ float32)      { panic(unsupported) }
func roundAVX512(_ *uint16, _ *float32, _, _, _ int)        { panic(unsupported) }
func addNormAVX512(_, _, _ *uint16, _, _ int, _, _ *float32, _, _ float32, _ *float32) {
	panic(unsupported)
}
