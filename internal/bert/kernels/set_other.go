//go:build !amd64 && !arm64

package kernels

// BFloat16 returns nil: there is no bfloat16 set for this processor.
func BFloat16() *Set { return nil }

// int8Sets returns nil: there are no sets of 8-bit integers for this processor.
func int8Sets() []*Set { return nil }

// Supported returns the float32 sets that this processor supports, fastest first.
func Supported() []*Set { return []*Set{Portable} }
