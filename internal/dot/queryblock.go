package dot

import "math"

// QueryBlockSize is the number of queries that are compared with a row at once.
const QueryBlockSize = 16

// QueryBlock is one quantized query, or up to QueryBlockSize side by side, in the layout that [QuantizedMatrix.Filter]
// reads.
type QueryBlock struct {
	width   int       // 1 or QueryBlockSize
	codes   []int8    // group after group: 4 numbers of each query, then the next 4 of each
	biases  []float32 // 7.5 Σ b
	units   []float32
	norms   []float32 // |q'|
	offsets []float64 // the part of the bound that is the same for all rows
}

// QueryBlocks quantizes the concatenated queries into blocks of QueryBlockSize; the last one may have fewer.
func (m *QuantizedMatrix) QueryBlocks(queries []float32) []QueryBlock {
	n := len(queries) / m.dim
	blocks := make([]QueryBlock, 0, (n+QueryBlockSize-1)/QueryBlockSize)
	for ; n > 0; n -= QueryBlockSize {
		count := min(n, QueryBlockSize)
		blocks = append(blocks, m.queryBlock(queries[:count*m.dim]))
		queries = queries[count*m.dim:]
	}
	return blocks
}

func (m *QuantizedMatrix) queryBlock(queries []float32) QueryBlock {
	n := len(queries) / m.dim
	width := QueryBlockSize
	if n == 1 {
		width = 1
	}
	b := QueryBlock{
		width:  width,
		codes:  make([]int8, m.groups*groupNumbers*width),
		biases: make([]float32, width), units: make([]float32, width), norms: make([]float32, width),
		offsets: make([]float64, n),
	}
	for i := range n {
		m.quantizeQuery(&b, i, queries[i*m.dim:(i+1)*m.dim])
	}
	return b
}

// quantizeQuery sets query i of a block. A query with a length out of range gets bounds of NaN, so all rows survive.
func (m *QuantizedMatrix) quantizeQuery(b *QueryBlock, i int, query []float32) {
	var largest, squares float64
	for _, x := range query {
		largest = max(largest, math.Abs(float64(x)))
		squares += float64(x) * float64(x)
	}
	length := math.Sqrt(squares)
	if !inRange(length) {
		b.norms[i] = float32(math.NaN())
		return
	}
	unit := float32(largest / math.MaxInt8)
	inverse, sum := 1/unit, 0
	var kept, lost, center float64 // |q'|², |q - q'|², q·m
	for j, x := range query {
		code := int8(int32(x*inverse+(math.MaxInt8+.5)) - math.MaxInt8) // rounded, from -127 to 127
		b.codes[j/4*4*b.width+4*i+j%4] = code
		sum += int(code)
		x, approximation := float64(x), float64(unit)*float64(code)
		kept += approximation * approximation
		lost += (x - approximation) * (x - approximation)
		center += x * float64(m.center[j])
	}
	b.biases[i] = middle * float32(sum)
	b.units[i] = unit
	b.norms[i] = roundUp(math.Sqrt(kept))
	// Each rounding error is at most 2^-24 of a few |q| (|m| + |r|). Most roundings come from the row's exact product,
	// of dim terms, and from |r - r'|: four times dim leaves room for all.
	rounding := float64(4*m.dim+64) * 0x1p-24 * length * m.extent
	b.offsets[i] = center + math.Sqrt(lost)*m.radius + rounding
}

// Limit returns the limit to pass to [QuantizedMatrix.Filter] for query i. With it all rows survive whose dot product
// with the query, computed in float32, exceeds floor.
func (b *QueryBlock) Limit(i int, floor float32) float32 {
	return -roundUp(b.offsets[i] - float64(floor))
}

// Len returns the number of queries.
func (b *QueryBlock) Len() int { return len(b.offsets) }

// Width returns the number of limits that [QuantizedMatrix.Filter] reads, and of masks that it writes for each block of
// rows: 1, or QueryBlockSize.
func (b *QueryBlock) Width() int { return b.width }

// roundUp returns the smallest float32 that is not below x.
func roundUp(x float64) float32 {
	y := float32(x)
	if float64(y) < x {
		y = math.Nextafter32(y, float32(math.Inf(1)))
	}
	return y
}
