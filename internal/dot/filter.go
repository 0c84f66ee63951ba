package dot

// Filter compares the queries of a block with consecutive blocks of rows, starting with block first. It sets bit i of
// masks[b*width+q] if row i of the b-th block survives for query q: if their product may exceed limits[q], or if a
// number in its bound is not finite. masks must have [QueryBlock.Width] elements for each block of rows. Every kernel
// sets the same bits.
func (m *QuantizedMatrix) Filter(kernel Kernel, queries *QueryBlock, limits []float32, first int, masks []uint16) {
	blocks := len(masks) / queries.width
	row := first * BlockRows
	kernel.filter(&batch{
		codes:   m.codes[row*m.groups*groupBytes/BlockRows:][:blocks*m.groups*groupBytes],
		steps:   m.steps[row:][:blocks*BlockRows],
		errors:  m.errors[row:][:blocks*BlockRows],
		groups:  m.groups,
		queries: queries,
		limits:  limits[:queries.width],
		masks:   masks[:blocks*queries.width],
	})
	if padding := (first+blocks)*BlockRows - m.rows; padding > 0 { // of the last block
		for i := range masks[(blocks-1)*queries.width:] {
			masks[(blocks-1)*queries.width+i] &= 1<<(BlockRows-padding) - 1
		}
	}
}

// batch holds the arguments of a kernel: blocks of rows and a block of queries.
type batch struct {
	codes         []byte
	steps, errors []float32
	groups        int
	queries       *QueryBlock
	limits        []float32
	masks         []uint16
}

// filterPortable is the Go version of the assembly.
func filterPortable(b *batch) {
	b.filterBy(func(sums [][BlockRows]int32, codes []byte) {
		for q := range sums {
			sums[q] = b.queries.products(q, codes)
		}
	})
}

// filterBy filters with a function that sets the sums Σ b c of each query and each row of a block.
func (b *batch) filterBy(products func(sums [][BlockRows]int32, codes []byte)) {
	queries, size := b.queries, b.groups*groupBytes
	sums := make([][BlockRows]int32, queries.width)
	for block := range len(b.codes) / size {
		codes := b.codes[block*size : (block+1)*size]
		steps := b.steps[block*BlockRows : (block+1)*BlockRows]
		errors := b.errors[block*BlockRows : (block+1)*BlockRows]
		products(sums, codes)
		for q := range sums {
			var mask uint16
			for row, sum := range sums[q] {
				// NB: each operation rounds to float32, as in the assembly.
				similarity := float32(float32((float32(sum)-queries.biases[q])*queries.units[q]) * steps[row])
				bound := similarity + float32(queries.norms[q]*errors[row])
				if !(bound <= b.limits[q]) { // true for NaN
					mask |= 1 << row
				}
			}
			b.masks[block*queries.width+q] = mask
		}
	}
}

// products returns Σ b c of query q and each row of a block.
func (b *QueryBlock) products(q int, codes []byte) (sums [BlockRows]int32) {
	for at := 0; len(codes) > 0; at += 2 * 4 * b.width {
		low := (*[4]int8)(b.codes[at+4*q:])
		high := (*[4]int8)(b.codes[at+4*b.width+4*q:])
		for row := range sums {
			for i, c := range codes[4*row : 4*row+4] {
				sums[row] += int32(c&15)*int32(low[i]) + int32(c>>4)*int32(high[i])
			}
		}
		codes = codes[groupBytes:]
	}
	return sums
}
