package knnindex

import "ctxnorm/knnindex/internal/dot"

// Flat is exact search: it compares the query with every row, and needs no
// memory beside the vectors.
//
// One query alone reads all rows from memory, 4 x rows x dim bytes of it; in a
// batch each row is read once for 256 queries, and the arithmetic, 2 x rows x dim
// operations a query, takes the time.
type Flat struct {
	vectors *Vectors
	kernel  dot.Kernel
}

// NewFlat is an exact index over v, whose rows must be whole.
func NewFlat(v *Vectors) *Flat { return &Flat{vectors: v, kernel: dot.Best()} }

// Kind is [KindFlat].
func (f *Flat) Kind() Kind { return KindFlat }

// Len is the number of rows.
func (f *Flat) Len() int { return f.vectors.Len() }

// Dim is the number of numbers in a row.
func (f *Flat) Dim() int { return f.vectors.Dim }

// scanRows is how many rows are compared before the best are picked: enough
// for the kernel to run without pause, few enough for the similarities (1 KB)
// to stay in cache.
const scanRows = 256

// Search appends the k most similar rows to dst: see [Index].
func (f *Flat) Search(dst []Hit, query []float32, k int) []Hit {
	mustHaveDim(query, f.Dim())
	best := beam{size: max(0, min(k, f.Len()))}
	f.scan(&best, query, 0, f.Len())
	return best.appendHits(dst)
}

// scan shows the rows from start to end to best, which has seen none after.
func (f *Flat) scan(best *beam, query []float32, start, end int) {
	var similarities [scanRows]float32
	dim := f.Dim()
	for row := start; row < end; row += scanRows {
		n := min(scanRows, end-row)
		f.kernel.Scan(similarities[:n], query, f.vectors.Data[row*dim:(row+n)*dim])
		best.insertRows(row, similarities[:n])
	}
}
