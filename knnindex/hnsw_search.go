package knnindex

import (
	"cmp"
	"context"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// Search appends the k most similar rows that the search finds to dst: see [Index].
func (h *HNSW) Search(dst []Hit, query []float32, k int) []Hit {
	return h.SearchEf(dst, query, k, h.options.EfSearch)
}

// SearchEf is [HNSW.Search] with ef in place of EfSearch (K-NN-SEARCH, algorithm 5). It finds the duplicates of a row
// along with it.
func (h *HNSW) SearchEf(dst []Hit, query []float32, k, ef int) []Hit {
	mustHaveDim(query, h.Dim())
	k = min(k, h.Len())
	if h.entryPoint < 0 || k <= 0 {
		return dst
	}
	s := h.searchers.Get().(*searcher)
	defer h.searchers.Put(s)
	start := s.compare(query, uint32(h.entryPoint))
	if start.Similarity != start.Similarity { // NaN
		return dst
	}
	for layer := int(h.levels[h.entryPoint]); layer > 0; layer-- {
		start = s.searchLayer(query, start, 1, layer)
	}
	s.searchLayer(query, start, max(ef, k), 0)

	first := len(dst)
	for _, e := range s.best.entries[:min(k, len(s.best.entries))] {
		dst = append(dst, e.Hit)
		dst = h.duplicates.appendHits(dst, e.Hit, k)
	}
	found := dst[first:]
	slices.SortFunc(found, compareHits)
	return dst[:first+min(k, len(found))]
}

// SearchBatch searches for all queries, which the workers divide: see [Index].
func (h *HNSW) SearchBatch(ctx context.Context, queries []float32, k, workers int) ([][]Hit, error) {
	n, err := countQueries(queries, h.Dim())
	if err != nil {
		return nil, err
	}
	results := make([][]Hit, n)
	err = parallel.For(ctx, n, workers, func(i int) {
		results[i] = h.Search(nil, queries[i*h.Dim():(i+1)*h.Dim()], k)
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// searcher holds the reusable buffers for one search of a graph.
type searcher struct {
	h    *HNSW
	best topK

	// visited[row] == version if the current search of a layer has compared the row. Each search takes a new version;
	// the array is cleared when the versions run out, every 65,535 searches.
	visited []uint16
	version uint16

	rows         []uint32 // neighbors to compare
	similarities []float32
}

func newSearcher(h *HNSW) *searcher {
	maxLinks := h.maxLinks(0)
	return &searcher{
		h:            h,
		visited:      make([]uint16, h.Len()),
		rows:         make([]uint32, 0, maxLinks),
		similarities: make([]float32, maxLinks),
	}
}

// compare returns one row as a hit.
func (s *searcher) compare(query []float32, row uint32) Hit {
	return Hit{int32(row), s.h.kernel.Dot(query, s.h.vectors.Row(int(row)))}
}

// searchLayer is SEARCH-LAYER (algorithm 2). From start it repeatedly expands the best unexpanded row, as long as there
// is one among the best ef rows compared. It leaves these rows in s.best and returns the best.
//
// This is the loop of the paper, which stops when the nearest candidate is further away than the furthest of the ef
// rows found: such a candidate has dropped out of s.best.
func (s *searcher) searchLayer(query []float32, start Hit, ef, layer int) Hit {
	h := s.h
	s.version++
	if s.version == 0 {
		clear(s.visited)
		s.version = 1
	}
	s.best.reset(ef)
	s.best.insert(start)
	s.visited[start.Row] = s.version
	for {
		from, ok := s.best.expand()
		if !ok {
			return s.best.entries[0].Hit
		}
		s.rows = s.rows[:0]
		for _, row := range h.neighbors(uint32(from.Row), layer) {
			if s.visited[row] != s.version {
				s.visited[row] = s.version
				s.rows = append(s.rows, row)
			}
		}
		h.kernel.Gather(s.similarities, query, h.vectors.Data, s.rows)
		for i, row := range s.rows {
			s.best.insert(Hit{int32(row), s.similarities[i]})
		}
	}
}

// duplicates lists the rows that are equal, bit for bit, to an earlier row, ordered by the first equal row and then by
// the duplicate.
//
// In a graph, many equal rows would be linked only to each other and either be out of reach of a search or trap it. So
// the first of them stands for all.
type duplicates []duplicate

type duplicate struct{ first, row uint32 }

func compareDuplicates(a, b duplicate) int {
	return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.row, b.row))
}

// findDuplicates returns the duplicates, and all other rows in firsts.
func findDuplicates(v *Vectors) (found duplicates, firsts []uint32) {
	seen := make(map[uint64]uint32, v.Len()) // checksum -> first row with it
	for row := range v.Len() {
		sum := checksum64(asBytes(v.Row(row)))
		first, known := seen[sum]
		if known && slices.Equal(v.Row(int(first)), v.Row(row)) {
			found = append(found, duplicate{first, uint32(row)})
			continue
		}
		if !known {
			seen[sum] = uint32(row)
		}
		firsts = append(firsts, uint32(row))
	}
	slices.SortFunc(found, compareDuplicates)
	return found, firsts
}

// appendHits appends up to limit duplicates of the row of hit.
func (d duplicates) appendHits(dst []Hit, hit Hit, limit int) []Hit {
	if len(d) == 0 {
		return dst
	}
	at, _ := slices.BinarySearchFunc(d, duplicate{uint32(hit.Row), 0}, compareDuplicates)
	for _, other := range d[at:min(len(d), at+limit)] {
		if other.first != uint32(hit.Row) {
			break
		}
		dst = append(dst, Hit{int32(other.row), hit.Similarity})
	}
	return dst
}
