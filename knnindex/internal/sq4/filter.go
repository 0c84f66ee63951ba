package sq4

import "ctxnorm/knnindex/internal/dot"

// Filter compares the queries of a panel with the rows of some blocks, from block
// first on: bit i of masks[b*width+q] says that row i of the b-th block may have a
// product with query q that is over the query's limit, of those in limits. Every
// row that has one is named, and so is a row where something is not finite. masks
// has the panel's width for each block; the masks are the same from every kernel.
func (s *Sketches) Filter(kernel dot.Kernel, p *Panel, limits []float32, first int, masks []uint16) {
	blocks := len(masks) / p.width
	row := first * BlockRows
	filter(kernel, &batch{
		codes:  s.codes[row*s.groups*groupBytes/BlockRows:][:blocks*s.groups*groupBytes],
		steps:  s.steps[row:][:blocks*BlockRows],
		errors: s.errors[row:][:blocks*BlockRows],
		groups: s.groups,
		panel:  p,
		limits: limits[:p.width],
		masks:  masks[:blocks*p.width],
	})
	if over := (first+blocks)*BlockRows - s.rows; over > 0 { // of the last block
		for i := range masks[(blocks-1)*p.width:] {
			masks[(blocks-1)*p.width+i] &= 1<<(BlockRows-over) - 1
		}
	}
}

// batch is what a kernel computes at a time: some blocks against a panel.
type batch struct {
	codes         []byte
	steps, errors []float32
	groups        int
	panel         *Panel
	limits        []float32
	masks         []uint16
}

// filterPortable is the Go twin of the assembly.
func filterPortable(b *batch) {
	p, size := b.panel, b.groups*groupBytes
	for block := range len(b.codes) / size {
		codes := b.codes[block*size : (block+1)*size]
		steps := b.steps[block*BlockRows : (block+1)*BlockRows]
		errors := b.errors[block*BlockRows : (block+1)*BlockRows]
		for q := range p.width {
			var mask uint16
			for row, sum := range p.products(q, codes) {
				// Each operation rounds to float32, as in the assembly.
				similarity := float32(float32((float32(sum)-p.biases[q])*p.units[q]) * steps[row])
				bound := similarity + float32(p.norms[q]*errors[row])
				if !(bound <= b.limits[q]) { // so that NaN is named
					mask |= 1 << row
				}
			}
			b.masks[block*p.width+q] = mask
		}
	}
}

// products is Σ b c of query q and each row of a block.
func (p *Panel) products(q int, codes []byte) (sums [BlockRows]int32) {
	for at := 0; len(codes) > 0; at += 2 * 4 * p.width {
		low := (*[4]int8)(p.codes[at+4*q:])
		high := (*[4]int8)(p.codes[at+4*p.width+4*q:])
		for row := range sums {
			for i, c := range codes[4*row : 4*row+4] {
				sums[row] += int32(c&15)*int32(low[i]) + int32(c>>4)*int32(high[i])
			}
		}
		codes = codes[groupBytes:]
	}
	return sums
}
