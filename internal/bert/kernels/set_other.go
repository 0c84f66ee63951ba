//go:build !amd64

package kernels

// Supported returns the sets that this processor supports, the fastest first.
func Supported() []*Set { return []*Set{Portable} }
