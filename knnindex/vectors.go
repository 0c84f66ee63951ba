package knnindex

import (
	"fmt"
	"hash/crc32"
	"math"
	"sync"
	"unsafe"

	"github.com/blevesearch/mmap-go"

	"ctxnorm/knnindex/internal/dot"
)

// Vectors is a matrix of float32, one row an exemplar.
//
// INVARIANT: rows are of unit length, so that the dot product of two is their
// cosine. [Vectors.Validate] checks it; the searches do not.
type Vectors struct {
	Dim  int       // numbers in a row
	Data []float32 // row after row

	mapped mmap.MMap // what Data is part of, where it is a mapped file
}

// Len is the number of rows.
func (v *Vectors) Len() int {
	if v.Dim <= 0 {
		return 0
	}
	return len(v.Data) / v.Dim
}

// Row is row i, not to be changed.
func (v *Vectors) Row(i int) []float32 {
	return v.Data[i*v.Dim : (i+1)*v.Dim : (i+1)*v.Dim]
}

// Similarity is the dot product of row i and a query of Dim numbers, which for
// unit vectors is the cosine. It is what a search gives to the last bit.
func (v *Vectors) Similarity(i int, query []float32) float32 {
	return bestKernel().Dot(v.Row(i), query)
}

// bestKernel asks the processor once: a ranking compares hundreds of rows a query.
var bestKernel = sync.OnceValue(dot.Best)

// unitTolerance is how far from 1 the length of a row may be. Rounding of
// float32 alone gives 1e-6; rows computed in bfloat16 and scaled after come
// within 1e-4.
const unitTolerance = 1e-3

// Validate checks that the matrix is whole and that every row is of unit length,
// which a row with a NaN is not. It reads all of Data.
func (v *Vectors) Validate() error {
	if err := v.checkShape(); err != nil {
		return err
	}
	kernel := dot.Best()
	for i := range v.Len() {
		row := v.Row(i)
		length := math.Sqrt(float64(kernel.Dot(row, row)))
		if !(math.Abs(length-1) <= unitTolerance) { // written so that NaN fails
			return fmt.Errorf("vector of row %d: want length 1 ± %g, got %g", i, unitTolerance, length)
		}
	}
	return nil
}

// checkShape refuses what no index can be made of.
func (v *Vectors) checkShape() error {
	switch {
	case v.Dim <= 0:
		return fmt.Errorf("vectors: want a dimension of at least 1, got %d", v.Dim)
	case len(v.Data)%v.Dim != 0:
		return fmt.Errorf("vectors: want whole rows of %d numbers, got %d numbers", v.Dim, len(v.Data))
	case v.Len() > math.MaxInt32:
		return fmt.Errorf("vectors: want at most %d rows, got %d", math.MaxInt32, v.Len())
	}
	return nil
}

// fingerprintRows is how many rows a fingerprint reads, at most: 1.5 MB at 384 numbers.
const fingerprintRows = 1024

// Fingerprint tells vectors apart that may be mixed up: it differs where the dimension
// does, or any number of the rows that it reads, but for a chance of 1 in 2^64. It reads
// 1,024 rows, evenly spread from the first to the last, or all where there are fewer,
// so that a mapped file need not be read to be known. Of more rows it does not guard
// against damage here and there, for which a digest of the whole file is needed.
func (v *Vectors) Fingerprint() uint64 { return v.fingerprint(fingerprintRows) }

// fingerprint reads so many rows, at most.
func (v *Vectors) fingerprint(most int) uint64 {
	n := min(v.Len(), most)
	var first, second uint32 // as in checksum64
	for i := range n {
		row := asBytes(v.Row(i * (v.Len() - 1) / max(1, n-1)))
		first = crc32.Update(first, castagnoli, row)
		second = crc32.Update(second, crc32.IEEETable, row)
	}
	return join(first, second) ^ uint64(v.Dim)*0x9e3779b97f4a7c15 // 2^64 / golden ratio: spreads the bits of Dim
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum64 is two CRC-32s of different polynomials, side by side: processors
// compute both at several GB/s.
func checksum64(b []byte) uint64 {
	return join(crc32.Checksum(b, castagnoli), crc32.ChecksumIEEE(b))
}

func join(first, second uint32) uint64 { return uint64(first)<<32 | uint64(second) }

// asBytes is the memory of numbers.
func asBytes(numbers []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(numbers))), 4*len(numbers))
}
