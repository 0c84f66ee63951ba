package dot

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// Supported returns the kernels that this machine supports, from slow to fast.
func Supported() []Kernel { return []Kernel{Portable, NEON} }

// NB: the methods below do not check lengths; the exported ones do.

func (k Kernel) dot(a, b []float32) float32 {
	if k == NEON {
		return dotNEON(unsafe.SliceData(a), unsafe.SliceData(b), len(a))
	}
	return dotPortable(a, b)
}

func (k Kernel) four(out *[4]float32, query, r0, r1, r2, r3 []float32) {
	if k == NEON {
		fourNEON(unsafe.SliceData(query), unsafe.SliceData(r0), unsafe.SliceData(r1), unsafe.SliceData(r2),
			unsafe.SliceData(r3), len(query), out)
		return
	}
	fourPortable(out, query, r0, r1, r2, r3)
}

// dotNEON returns the dot product of n numbers.
//
//go:noescape
func dotNEON(a, b *float32, n int) float32

// fourNEON writes the dot products of query and four rows, each of n numbers.
//
//go:noescape
func fourNEON(query, r0, r1, r2, r3 *float32, n int, out *[4]float32)

// HasFilter reports whether [QuantizedMatrix.Filter] has assembly. Without it, reading all rows is faster.
func (k Kernel) HasFilter() bool { return k == NEON && cpu.ARM64.HasASIMDDP }

func (k Kernel) filter(b *batch) {
	if !k.HasFilter() {
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

// products1NEON writes Σ b c of a query, in a block of width 1, and the rows of a block of groups. It needs the dot
// products of 8-bit integers (ASIMDDP).
//
//go:noescape
func products1NEON(codes *byte, groups int, query *int8, sums *[BlockRows]int32)

// products4NEON writes Σ b c of four consecutive queries, in a block of width [QueryBlockSize], and the rows of a block
// of groups. It needs ASIMDDP.
//
//go:noescape
func products4NEON(codes *byte, groups int, queries *int8, sums *[4][BlockRows]int32)
