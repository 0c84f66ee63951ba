package knnindex

import (
	"context"

	"ctxnorm/knnindex/internal/dot"
	"ctxnorm/knnindex/internal/sq4"
)

// Flat is exact search: it finds what a comparison of the query with every row
// would, to the last bit.
//
// On processors with AVX2 it keeps a sketch of each row, 13 % of the memory of the
// vectors at 384 numbers, that bounds the row's similarity: a query reads all
// sketches, but of the rows only those that may be among the best so far. For the
// nearest 15 these are 1,300 of 50,000 vectors of a trained encoder, and 1,100 of
// 326,575 in clusters. Elsewhere it reads all rows.
type Flat struct {
	vectors  *Vectors
	kernel   dot.Kernel
	sketches *sq4.Sketches // nil where rows are read instead
}

// NewFlat is an exact index over v, whose rows must be whole and must not change
// after. It reads them all, to sketch them.
func NewFlat(v *Vectors) *Flat { return newFlat(v, dot.Best()) }

func newFlat(v *Vectors, kernel dot.Kernel) *Flat {
	f := &Flat{vectors: v, kernel: kernel}
	if kernel != dot.Portable && v.Len() > 0 {
		f.sketches = sq4.New(v.Data, v.Dim)
	}
	return f
}

// Kind is [KindFlat].
func (f *Flat) Kind() Kind { return KindFlat }

// Len is the number of rows.
func (f *Flat) Len() int { return f.vectors.Len() }

// Dim is the number of numbers in a row.
func (f *Flat) Dim() int { return f.vectors.Dim }

// Search appends the k most similar rows to dst: see [Index].
func (f *Flat) Search(dst []Hit, query []float32, k int) []Hit {
	mustHaveDim(query, f.Dim())
	best := []beam{{size: max(0, min(k, f.Len()))}}
	scan := newFlatScan(f, f.group(query), best)
	_ = scan.run(context.Background(), 0, f.Len()) // fails where the context is done
	return best[0].appendHits(dst)
}
