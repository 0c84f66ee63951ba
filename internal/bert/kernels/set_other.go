//go:build !amd64 && !arm64

package kernels

// BFloat16 returns the set in bfloat16, which this processor has none of: nil.
func BFloat16() *Set { return nil }

// int8Sets returns the sets in 8-bit integers, which this processor has none of.
func int8Sets() []*Set { return nil }

// Supported returns the sets in float32 that this processor supports, the fastest first.
func Supported() []*Set { return []*Set{Portable} }
