package knnindex

import (
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/blevesearch/mmap-go"

	"github.com/ctxnorm/ctxnorm/internal/dot"
)

// Vectors is a row-major matrix of float32, one row per exemplar.
//
// INVARIANT: rows have unit length, so the dot product of two rows is their cosine. Nothing checks this.
type Vectors struct {
	Dim  int       // dimension: the length of a row
	Data []float32 // the rows, concatenated

	mapped mmap.MMap // the mapped file that contains Data; nil if Data is not mapped
	rest   *Vectors  // further rows after those of Data; nil for none
}

// Joined returns the rows of v followed by those of rest, which must have the same dimension, without copying Data. The
// result only supports [Vectors.Row] and [Vectors.Similarity]; a [Join] searches both.
func (v *Vectors) Joined(rest *Vectors) *Vectors {
	if v.rest != nil {
		rest = &Vectors{Dim: v.Dim, Data: slices.Concat(v.rest.Data, rest.Data)}
	}
	return &Vectors{Dim: v.Dim, Data: v.Data, rest: rest}
}

// Len returns the number of rows.
func (v *Vectors) Len() int {
	if v.Dim <= 0 {
		return 0
	}
	n := len(v.Data) / v.Dim
	if v.rest != nil {
		n += v.rest.Len()
	}
	return n
}

// Row returns row i, which must not be modified.
func (v *Vectors) Row(i int) []float32 {
	if v.rest != nil && i*v.Dim >= len(v.Data) {
		return v.rest.Row(i - len(v.Data)/v.Dim)
	}
	return v.Data[i*v.Dim : (i+1)*v.Dim : (i+1)*v.Dim]
}

// Similarity returns the dot product of row i and a query of Dim numbers; for unit vectors, their cosine. It has the
// same bits as the similarity of a [Hit].
func (v *Vectors) Similarity(i int, query []float32) float32 {
	return bestKernel().Dot(v.Row(i), query)
}

// bestKernel queries the processor once: a ranking compares hundreds of rows per query.
var bestKernel = sync.OnceValue(dot.Best)

// checkShape returns an error if the matrix cannot be indexed.
func (v *Vectors) checkShape() error {
	switch {
	case v.Dim <= 0:
		return fmt.Errorf("vectors: dimension is %d, want at least 1", v.Dim)
	case len(v.Data)%v.Dim != 0:
		return fmt.Errorf("vectors: matrix has %d numbers, want a multiple of the dimension %d", len(v.Data), v.Dim)
	case v.Len() > math.MaxInt32:
		return fmt.Errorf("vectors: matrix has %d rows, want at most %d", v.Len(), math.MaxInt32)
	}
	return nil
}

// fingerprintRows is the maximum number of rows in a fingerprint: 1.5 MB at 384 numbers.
const fingerprintRows = 1024

// fingerprint identifies vectors, so that a graph is used only with its own. It is a hash of the dimension and of
// fingerprintRows rows, evenly spread from the first to the last, or of all rows if there are fewer. A mapped file is
// thus not read as a whole. Other dimensions or numbers in these rows have the same fingerprint with a chance of 1 in
// 2^64. It does not detect damage in the rows between; a digest of the file does.
func (v *Vectors) fingerprint() uint64 {
	n := min(v.Len(), fingerprintRows)
	var first, second uint32 // as in checksum64
	for i := range n {
		row := asBytes(v.Row(i * (v.Len() - 1) / max(1, n-1)))
		first = crc32.Update(first, castagnoli, row)
		second = crc32.Update(second, crc32.IEEETable, row)
	}
	return combine(first, second) ^ uint64(v.Dim)*0x9e3779b97f4a7c15 // 2^64 / golden ratio: spreads the bits of Dim
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum64 returns two CRC-32s with different polynomials in one word. Processors compute both at several GB/s.
func checksum64(b []byte) uint64 {
	return combine(crc32.Checksum(b, castagnoli), crc32.ChecksumIEEE(b))
}

func combine(first, second uint32) uint64 { return uint64(first)<<32 | uint64(second) }

// asBytes returns the memory of numbers.
func asBytes(numbers []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(numbers))), 4*len(numbers))
}
