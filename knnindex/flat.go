package knnindex

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// Flat is exact search: its hits are those of comparing the query with every row, to the last bit.
//
// On processors with AVX2 or Arm's products of 8-bit integers, Flat quantizes each row to 4 bits after a few queries
// that read all rows. The quantized rows take 13 % of the memory of the vectors at 384 numbers and give an upper bound
// of each row's similarity. A query then compares all quantized rows, but reads only the rows with a bound above the
// k-th best similarity so far. For the nearest 15 these are 1,300 of 50,000 vectors of a trained encoder, and 1,100 of
// 326,575 clustered vectors. On other processors every query reads all rows.
type Flat struct {
	vectors   *Vectors
	kernel    dot.Kernel
	quantized func() *dot.QuantizedMatrix // computed on the first call; nil if all rows are always read
	searched  atomic.Int64                // number of queries
}

// fullScans is the number of queries that read all rows before the rows are quantized, which takes the time of about
// three such queries.
const fullScans = 3

// NewFlat returns an exact index over v, which must consist of whole rows and must not change afterwards. It does not
// read the rows yet.
func NewFlat(v *Vectors) *Flat { return newFlat(v, dot.Best()) }

func newFlat(v *Vectors, kernel dot.Kernel) *Flat {
	f := &Flat{vectors: v, kernel: kernel}
	if kernel.HasFilter() && v.Len() > 0 {
		f.quantized = sync.OnceValue(func() *dot.QuantizedMatrix { return dot.Quantize(v.Data, v.Dim) })
	}
	return f
}

// Len returns the number of rows.
func (f *Flat) Len() int { return f.vectors.Len() }

// Dim returns the dimension of the vectors.
func (f *Flat) Dim() int { return f.vectors.Dim }

// Search appends the k most similar rows to dst: see [Index].
func (f *Flat) Search(dst []Hit, query []float32, k int) []Hit {
	mustHaveDim(query, f.Dim())
	best := []topK{{k: max(0, min(k, f.Len()))}}
	s := newFlatScan(f, f.group(query), best)
	_ = s.scan(context.Background(), 0, f.Len()) // fails only if the context is done
	return best[0].appendHits(dst)
}

// groupQueries is the number of queries that are compared with rows while the rows are in cache: 256 quantized queries
// of 384 bytes are 98 kB.
const groupQueries = 256

// SearchBatch searches for all queries: see [Index]. The workers divide the rows, so even a single query is faster with
// them.
func (f *Flat) SearchBatch(ctx context.Context, queries []float32, k, workers int) ([][]Hit, error) {
	n, err := countQueries(queries, f.Dim())
	if err != nil {
		return nil, err
	}
	k = max(0, min(k, f.Len()))
	results := make([][]Hit, 0, n)
	for start := 0; start < n; start += groupQueries {
		end := min(n, start+groupQueries)
		group, err := f.searchGroup(ctx, queries[start*f.Dim():end*f.Dim()], k, workers)
		if err != nil {
			return nil, err
		}
		results = append(results, group...)
	}
	return results, nil
}

// searchGroup searches a range of the rows with each worker and merges their hits.
func (f *Flat) searchGroup(ctx context.Context, queries []float32, k, workers int) ([][]Hit, error) {
	workers = parallel.Workers(workers)
	n, group := len(queries)/f.Dim(), f.group(queries)
	tiles := (f.Len() + scanRows - 1) / scanRows
	rows := (tiles + workers - 1) / workers * scanRows // for each worker
	found := make([][]topK, workers)
	if err := parallel.ForErr(ctx, workers, workers, func(w int) error {
		found[w] = slices.Repeat([]topK{{k: k}}, n)
		return newFlatScan(f, group, found[w]).scan(ctx, min(w*rows, f.Len()), min((w+1)*rows, f.Len()))
	}); err != nil {
		return nil, err
	}
	results := make([][]Hit, n)
	for i := range results {
		for w := range workers {
			results[i] = found[w][i].appendHits(results[i])
		}
		slices.SortFunc(results[i], compareHits)
		results[i] = slices.Clip(results[i][:min(k, len(results[i]))])
	}
	return results, nil
}

const (
	// scanRows is the number of rows in a tile, which is compared with all queries of a group before the next tile. The
	// rows that are read stay in a level 2 cache, at most 128 x 384 x 4 bytes = 197 kB, and their codes, 26 kB, in
	// level 1.
	scanRows   = scanBlocks * dot.BlockRows
	scanBlocks = 8
)

// queryGroup holds queries that are searched for together.
type queryGroup struct {
	queries   []float32
	quantized *dot.QuantizedMatrix // nil if the queries read all rows
	blocks    []dot.QueryBlock     // of queries, for the quantized rows
}

func (f *Flat) group(queries []float32) queryGroup {
	g := queryGroup{queries: queries}
	if f.quantized != nil && f.searched.Add(int64(len(queries)/f.Dim())) > fullScans {
		g.quantized = f.quantized()
		g.blocks = g.quantized.QueryBlocks(queries)
	}
	return g
}

// flatScan compares the rows, in order, with a group of queries.
type flatScan struct {
	*Flat
	queryGroup
	best   []topK    // for each query
	limits []float32 // for each query: the filter limit that corresponds to the floor of its best hits

	masks        [scanBlocks * dot.QueryBlockSize]uint16
	survivors    [scanRows]uint32
	similarities [scanRows]float32
}

func newFlatScan(f *Flat, g queryGroup, best []topK) *flatScan {
	s := &flatScan{Flat: f, queryGroup: g, best: best}
	none := float32(math.Inf(1)) // so no row survives for the padding of a block
	s.limits = slices.Repeat([]float32{none}, len(g.blocks)*dot.QueryBlockSize)
	for i := range best {
		s.updateLimit(i)
	}
	return s
}

func (s *flatScan) updateLimit(i int) {
	if len(s.blocks) > 0 {
		s.limits[i] = s.blocks[i/dot.QueryBlockSize].Limit(i%dot.QueryBlockSize, s.best[i].floor())
	}
}

// query returns query i of the group.
func (s *flatScan) query(i int) []float32 { return s.queries[i*s.Dim() : (i+1)*s.Dim()] }

// scan compares the rows from start, a multiple of scanRows, to end with all queries. The first tiles are short,
// because all rows are read until there are k hits.
func (s *flatScan) scan(ctx context.Context, start, end int) error {
	for row := start; row < end; {
		if err := ctx.Err(); err != nil {
			return err
		}
		next := min(end, row+min(scanRows, max(dot.BlockRows, row-start)))
		s.scanTile(row, next)
		row = next
	}
	return nil
}

// scanTile compares the rows from start, a multiple of dot.BlockRows, to end, at most
// scanRows of them, with all queries.
func (s *flatScan) scanTile(start, end int) {
	if s.queryGroup.quantized != nil {
		for b := range s.blocks {
			s.scanSurvivors(b, start, end)
		}
		return
	}
	similarities := s.similarities[:end-start]
	for i := range s.best {
		s.kernel.Scan(similarities, s.query(i), s.vectors.Data[start*s.Dim():end*s.Dim()])
		s.best[i].insertRows(start, similarities)
	}
}

// scanSurvivors compares each query of block b with the rows that the query's bounds do not rule out.
func (s *flatScan) scanSurvivors(b, start, end int) {
	block, first := &s.blocks[b], b*dot.QueryBlockSize
	width := block.Width()
	rowBlocks := (end - start + dot.BlockRows - 1) / dot.BlockRows
	masks := s.masks[:rowBlocks*width]
	s.queryGroup.quantized.Filter(s.kernel, block, s.limits[first:], start/dot.BlockRows, masks)
	for i := range block.Len() {
		survivors := s.survivors[:0]
		for r := range rowBlocks {
			for mask := masks[r*width+i]; mask != 0; mask &= mask - 1 {
				survivors = append(survivors, uint32(start+r*dot.BlockRows+bits.TrailingZeros16(mask)))
			}
		}
		if len(survivors) == 0 {
			continue
		}
		best := &s.best[first+i]
		s.kernel.Gather(s.similarities[:], s.query(first+i), s.vectors.Data, survivors)
		best.insertSurvivors(survivors, s.similarities[:len(survivors)])
		s.updateLimit(first + i)
	}
}
