//go:build !amd64 && !arm64

package sq4

import "github.com/ctxnorm/ctxnorm/internal/dot"

// HasAssembly reports whether the kernel filters by assembly: without, reading all rows is faster.
func HasAssembly(dot.Kernel) bool { return false }

func filter(_ dot.Kernel, b *batch) { filterPortable(b) }

func encode(_ dot.Kernel, codes []byte, residual []float32, step float32) float32 {
	return encodePortable(codes, residual, step)
}
