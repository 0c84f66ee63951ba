package dot

import "unsafe"

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

// tile returns nil: no kernel here has a function that computes a tile of [Kernel.Multiply].
func (Kernel) tile() (f func(a, b *float32, n int, out *float32, columns int), rows int) {
	return nil, 0
}
