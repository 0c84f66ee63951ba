package sq4

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"github.com/ctxnorm/ctxnorm/internal/dot"
)

// HasAssembly reports whether the kernel filters by assembly: without, reading all rows is faster.
func HasAssembly(kernel dot.Kernel) bool { return kernel == dot.NEON && cpu.ARM64.HasASIMDDP }

func filter(kernel dot.Kernel, b *batch) {
	if !HasAssembly(kernel) {
		filterPortable(b)
		return
	}
	queries := unsafe.SliceData(b.queries.codes)
	b.filterBy(func(sums [][BlockRows]int32, codes []byte) {
		if len(sums) == 1 {
			products1NEON(unsafe.SliceData(codes), b.groups, queries, &sums[0])
			return
		}
		for first := 0; first < len(sums); first += 4 {
			of := (*int8)(unsafe.Add(unsafe.Pointer(queries), 4*first))
			products4NEON(unsafe.SliceData(codes), b.groups, of, (*[4][BlockRows]int32)(sums[first:]))
		}
	})
}

func encode(_ dot.Kernel, codes []byte, residual []float32, step float32) float32 {
	return encodePortable(codes, residual, step)
}

// NB: the functions below do not check lengths. They need the dot products of 8-bit integers (ASIMDDP).

// products1NEON writes Σ b c of a query, in a block of width 1, and the rows of a block of groups.
//
//go:noescape
func products1NEON(codes *byte, groups int, query *int8, sums *[BlockRows]int32)

// products4NEON writes Σ b c of four consecutive queries, in a block of width [QueryBlockSize], and the rows of a block
// of groups.
//
//go:noescape
func products4NEON(codes *byte, groups int, queries *int8, sums *[4][BlockRows]int32)
