package bfloat

import (
	"fmt"
	"math"
)

// Rows is a matrix of bfloat16 whose row i starts at Numbers[i*Stride].
type Rows struct {
	Numbers       []uint16
	Count, Stride int
}

// From returns the rows without their first column numbers.
func (r Rows) From(column int) Rows {
	r.Numbers = r.Numbers[min(column, len(r.Numbers)):]
	return r
}

// Slice returns the rows from start up to end.
func (r Rows) Slice(start, end int) Rows {
	return Rows{r.Numbers[min(start*r.Stride, len(r.Numbers)):], end - start, r.Stride}
}

// check panics unless each row has width numbers.
func (r Rows) check(what string, width int) {
	if r.Count > 0 && (width > r.Stride || (r.Count-1)*r.Stride+width > len(r.Numbers)) {
		panic(fmt.Sprintf("bfloat: %s: %d rows of %d numbers, %d apart, in %d", what, r.Count, width, r.Stride, len(r.Numbers)))
	}
}

// Attention computes multi-head attention among the tokens of a sequence: for each head,
// softmax(q k' / √size) v (Vaswani et al., "Attention Is All You Need", NIPS 2017,
// equation 1). It holds buffers for one sequence, of about 8 bytes for each number of its
// keys, and is used by one goroutine.
type Attention struct {
	heads, size int
	keys        []float32 // of one head, as are all: [size, keys rounded up to 16]
	values      []float32 // [keys, size]
	queries     []float32 // [8, size]
	scores      []float32 // [8, keys rounded up to 16]
	mixed       []float32 // [8, size]
}

// NewAttention returns an Attention for heads of size numbers. It panics unless
// [SupportsHeads] reports true for the size.
func NewAttention(heads, size int) *Attention {
	if heads < 1 || !SupportsHeads(size) {
		panic(fmt.Sprintf("bfloat: attention of %d heads of %d numbers", heads, size))
	}
	return &Attention{
		heads: heads, size: size,
		queries: make([]float32, productRows*size),
		mixed:   make([]float32, productRows*size),
	}
}

// SupportsHeads reports whether attention can be computed for heads of the size: a
// multiple of a register's 16 numbers, as in the usual BERTs.
func SupportsHeads(size int) bool { return size > 0 && size%lanes == 0 }

const (
	lanes       = 16 // float32 in a register
	productRows = 8  // queries that are computed together
)

// Mix writes to each row of to the mean of the values weighted by the attention of the
// query in the same row; zero if there are no keys. Every row holds the heads side by
// side. Mix panics unless to and query have equally many rows, and key and value too.
func (a *Attention) Mix(to, query, key, value Rows) {
	width := a.heads * a.size
	to.check("result", width)
	query.check("queries", width)
	key.check("keys", width)
	value.check("values", width)
	if to.Count != query.Count || key.Count != value.Count {
		panic(fmt.Sprintf("bfloat: %d results of %d queries, %d keys of %d values", to.Count, query.Count, key.Count, value.Count))
	}
	if key.Count == 0 {
		for i := range to.Count {
			clear(to.Numbers[i*to.Stride:][:width])
		}
		return
	}
	columns := roundUp(key.Count)
	a.keys = grow(a.keys, a.size*columns)
	a.values = grow(a.values, key.Count*a.size)
	a.scores = grow(a.scores, productRows*columns)
	for head := 0; head < width; head += a.size {
		transposeAVX512(&a.keys[0], &key.Numbers[head], key.Count, a.size, key.Stride, columns)
		expandAVX512(&a.values[0], &value.Numbers[head], value.Count, a.size, value.Stride)
		for i := 0; i < query.Count; i += productRows {
			a.mixHead(to.Slice(i, to.Count).From(head), query.Slice(i, query.Count).From(head), key.Count, columns)
		}
	}
}

// mixHead mixes the values of one head for the next queries, at most eight. If there are
// fewer, the remaining rows of the buffers hold old numbers, which are not read.
func (a *Attention) mixHead(to, query Rows, keys, columns int) {
	count := min(query.Count, productRows)
	scale := float32(math.Log2E / math.Sqrt(float64(a.size)))
	expandAVX512(&a.queries[0], &query.Numbers[0], count, a.size, query.Stride)
	productAVX512(&a.scores[0], &a.queries[0], &a.keys[0], a.size, columns, a.size)
	softmaxAVX512(&a.scores[0], count, keys, columns, scale)
	productAVX512(&a.mixed[0], &a.scores[0], &a.values[0], keys, a.size, columns)
	roundAVX512(&to.Numbers[0], &a.mixed[0], count, a.size, to.Stride)
}

// Float32 converts a bfloat16.
func Float32(x uint16) float32 { return math.Float32frombits(uint32(x) << 16) }

// roundUp returns n rounded up to a multiple of lanes.
func roundUp(n int) int { return (n + lanes - 1) / lanes * lanes }

// grow returns a slice of n numbers, in the memory of buffer if it is large enough.
func grow(buffer []float32, n int) []float32 {
	if cap(buffer) < n {
		buffer = make([]float32, n)
	}
	return buffer[:n]
}
