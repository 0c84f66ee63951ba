package bfloat

import (
	"fmt"
	"math"
)

// Rows is a matrix of bfloat16: row i are the numbers from i*Stride on.
type Rows struct {
	Numbers       []uint16
	Count, Stride int
}

// From is the rows without their first numbers.
func (r Rows) From(number int) Rows {
	r.Numbers = r.Numbers[min(number, len(r.Numbers)):]
	return r
}

// Slice is the rows from start to end.
func (r Rows) Slice(start, end int) Rows {
	return Rows{r.Numbers[min(start*r.Stride, len(r.Numbers)):], end - start, r.Stride}
}

// has panics unless there are so many numbers in each row.
func (r Rows) has(what string, width int) {
	if r.Count > 0 && (width > r.Stride || (r.Count-1)*r.Stride+width > len(r.Numbers)) {
		panic(fmt.Sprintf("bfloat: %s: %d rows of %d numbers, %d apart, in %d", what, r.Count, width, r.Stride, len(r.Numbers)))
	}
}

// Attention is multi-head attention among the tokens of a sequence: for each head, softmax(q
// k' / √size) v (Vaswani et al., "Attention Is All You Need", NIPS 2017, equation 1). It
// holds what a sequence needs, 8 bytes for each number of its keys and some more, and
// serves one goroutine.
type Attention struct {
	heads, size int
	keys        []float32 // of a head: [size, keys rounded up to 16]
	values      []float32 // [keys, size]
	queries     []float32 // [8, size]
	scores      []float32 // [8, keys rounded up to 16]
	mixed       []float32 // [8, size]
}

// NewAttention is for heads of size numbers, which [Attends] takes.
func NewAttention(heads, size int) *Attention {
	if heads < 1 || !Attends(size) {
		panic(fmt.Sprintf("bfloat: attention of %d heads of %d numbers", heads, size))
	}
	return &Attention{
		heads: heads, size: size,
		queries: make([]float32, productRows*size),
		mixed:   make([]float32, productRows*size),
	}
}

// Attends reports whether attention can be computed for heads of that size: multiples of
// a register, as of all BERTs of use.
func Attends(size int) bool { return size > 0 && size%lanes == 0 }

const (
	lanes       = 16 // float32 in a register
	productRows = 8  // queries at a time
)

// Mix writes to the rows of to what each query takes of the values. All rows have the heads side
// by side; to and query, and key and value, have as many rows. It panics where they
// do not fit. What no key is left for is zero.
func (a *Attention) Mix(to, query, key, value Rows) {
	width := a.heads * a.size
	to.has("result", width)
	query.has("queries", width)
	key.has("keys", width)
	value.has("values", width)
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
	a.keys = grown(a.keys, a.size*columns)
	a.values = grown(a.values, key.Count*a.size)
	a.scores = grown(a.scores, productRows*columns)
	for head := 0; head < width; head += a.size {
		transposeAVX512(&a.keys[0], &key.Numbers[head], key.Count, a.size, key.Stride, columns)
		expandAVX512(&a.values[0], &value.Numbers[head], value.Count, a.size, value.Stride)
		for i := 0; i < query.Count; i += productRows {
			a.mixHead(to.Slice(i, to.Count).From(head), query.Slice(i, query.Count).From(head), key.Count, columns)
		}
	}
}

// mixHead mixes the values of a head for the next queries, eight at most. Where there
// are fewer the rows left over have numbers of before, which nobody reads.
func (a *Attention) mixHead(to, query Rows, keys, columns int) {
	count := min(query.Count, productRows)
	scale := float32(math.Log2E / math.Sqrt(float64(a.size)))
	expandAVX512(&a.queries[0], &query.Numbers[0], count, a.size, query.Stride)
	productAVX512(&a.scores[0], &a.queries[0], &a.keys[0], a.size, columns, a.size)
	softmaxAVX512(&a.scores[0], count, keys, columns, scale)
	productAVX512(&a.mixed[0], &a.scores[0], &a.values[0], keys, a.size, columns)
	roundAVX512(&to.Numbers[0], &a.mixed[0], count, a.size, to.Stride)
}

// Float32 is a number of bfloat16.
func Float32(x uint16) float32 { return math.Float32frombits(uint32(x) << 16) }

// roundUp is n up to a whole register.
func roundUp(n int) int { return (n + lanes - 1) / lanes * lanes }

// grown is room for n numbers, where what there was is too small.
func grown(room []float32, n int) []float32 {
	if cap(room) < n {
		room = make([]float32, n)
	}
	return room[:n]
}
