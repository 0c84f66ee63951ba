package knnindex

import (
	"context"
	"math"
	"math/bits"

	"ctxnorm/knnindex/internal/sq4"
)

const (
	// scanRows is how many rows all queries of a group meet before the next rows.
	// What is read of them stays in a level 2 cache, 128 x 384 x 4 bytes = 197 kB at
	// most, and their sketches in level 1, 26 kB.
	scanRows   = scanBlocks * sq4.BlockRows
	scanBlocks = 8
)

// queryGroup is queries that are searched for together.
type queryGroup struct {
	queries []float32
	panels  []sq4.Panel // none where there are no sketches
}

func (f *Flat) group(queries []float32) queryGroup {
	g := queryGroup{queries: queries}
	if f.sketches != nil {
		g.panels = f.sketches.Panels(queries)
	}
	return g
}

// flatScan shows rows to the beams of a group of queries, in their order.
type flatScan struct {
	*Flat
	queryGroup
	best   []beam
	limits []float32 // of each query: what its beam's floor is to a sketch

	masks        [scanBlocks * sq4.PanelQueries]uint16
	named        [scanRows]uint32
	similarities [scanRows]float32
}

func newFlatScan(f *Flat, g queryGroup, best []beam) *flatScan {
	s := &flatScan{Flat: f, queryGroup: g, best: best}
	s.limits = make([]float32, len(g.panels)*sq4.PanelQueries)
	for i := range s.limits {
		s.limits[i] = float32(math.Inf(1)) // nothing for queries that fill up a panel
	}
	for i := range best {
		s.setLimit(i)
	}
	return s
}

func (s *flatScan) setLimit(i int) {
	if len(s.panels) > 0 {
		s.limits[i] = s.panels[i/sq4.PanelQueries].Limit(i%sq4.PanelQueries, s.best[i].floor())
	}
}

// query is query i of the group.
func (s *flatScan) query(i int) []float32 { return s.queries[i*s.Dim() : (i+1)*s.Dim()] }

// run shows the rows from start, a multiple of scanRows, to end to all beams. The
// first tiles are short: until the beams are full, all rows are read.
func (s *flatScan) run(ctx context.Context, start, end int) error {
	for row := start; row < end; {
		if err := ctx.Err(); err != nil {
			return err
		}
		next := min(end, row+min(scanRows, max(sq4.BlockRows, row-start)))
		s.show(row, next)
		row = next
	}
	return nil
}

// show shows the rows from start, a multiple of sq4.BlockRows, to end, scanRows
// at most.
func (s *flatScan) show(start, end int) {
	if s.sketches != nil {
		for p := range s.panels {
			s.showNamed(p, start, end)
		}
		return
	}
	similarities := s.similarities[:end-start]
	for i := range s.best {
		s.kernel.Scan(similarities, s.query(i), s.vectors.Data[start*s.Dim():end*s.Dim()])
		s.best[i].insertRows(start, similarities)
	}
}

// showNamed shows to the beams of a panel the rows that their sketches name.
func (s *flatScan) showNamed(p, start, end int) {
	panel, first := &s.panels[p], p*sq4.PanelQueries
	width := panel.Width()
	blocks := (end - start + sq4.BlockRows - 1) / sq4.BlockRows
	masks := s.masks[:blocks*width]
	s.sketches.Filter(s.kernel, panel, s.limits[first:], start/sq4.BlockRows, masks)
	for i := range panel.Len() {
		named := s.named[:0]
		for b := range blocks {
			for mask := masks[b*width+i]; mask != 0; mask &= mask - 1 {
				named = append(named, uint32(start+b*sq4.BlockRows+bits.TrailingZeros16(mask)))
			}
		}
		if len(named) == 0 {
			continue
		}
		best := &s.best[first+i]
		s.kernel.Gather(s.similarities[:], s.query(first+i), s.vectors.Data, named)
		best.insertNamed(named, s.similarities[:len(named)])
		s.setLimit(first + i)
	}
}
