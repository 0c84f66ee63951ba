package knnindex

import (
	"fmt"
	"math"
	"strconv"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
)

// HNSW is approximate search in a graph: Malkov & Yashunin, "Efficient and robust approximate nearest neighbor search
// using Hierarchical Navigable Small World graphs", IEEE TPAMI 2020 (arXiv:1603.09320). Comments name the algorithm of
// the paper that a function implements.
//
//	layer 2        a --------------------- f          few rows, long links
//	layer 1        a ------- c ----------- f --- g
//	layer 0        a -- b -- c -- d -- e - f --- g    all rows, at most 2 M links each
//
// From the top layer down, a search moves greedily to the row nearest to the query. On layer 0 it keeps the best
// efSearch rows that it has compared and expands each of them.
//
// The graph takes 4 x (2 M + 3) bytes a row and about 4 x (M + 1) / M bytes for the upper layers: 145 bytes at M = 16,
// 9 % of a vector of 384 numbers.
type HNSW struct {
	vectors    *Vectors
	kernel     dot.Kernel
	options    HNSWOptions
	duplicates duplicates // rows equal to an earlier one; they are on no layer

	// links has one slot of 1 + 2 M words per row for layer 0: the number of neighbors, then the neighbors. upper has
	// slots of 1 + M words. The slots of row r, for layers 1, 2, … up to levels[r], start at slot firstUpper[r].
	links      []uint32
	upper      []uint32
	levels     []uint8
	firstUpper []uint32
	entryPoint int // the row where every search starts; -1 if there are no rows

	searchers sync.Pool // of *searcher
}

// HNSWOptions holds the settings for building and searching a graph. The zero value of a field stands for its default.
type HNSWOptions struct {
	// M is the number of links that a row makes, 2 to 128. More links cost memory and
	// time and raise the recall. Default 16.
	M int
	// EfConstruction is the number of candidates from which these links are chosen. More candidates cost building time
	// and raise the recall. Default 200.
	EfConstruction int
	// EfSearch is the number of best rows that a search keeps; its time is proportional to it. A search for k rows
	// keeps at least k. Default 200: measured recall@15 on 100,000 clustered vectors of 384 numbers is .976 at 50, .995
	// at 100 and .9993 at 200.
	EfSearch int
	// Seed is the seed of the rows' random levels.
	Seed uint64
	// Workers is the number of goroutines that build the graph; 0 for GOMAXPROCS. The graph does not depend on it.
	Workers int
}

const (
	defaultM  = 16
	defaultEf = 200
	maxM      = 128
	maxEf     = 1 << 16
)

// withDefaults sets the defaults and returns an error for values out of range.
func (o HNSWOptions) withDefaults() (HNSWOptions, error) {
	for _, field := range []struct {
		name            string
		value           *int
		least, def, max int
	}{
		{"M", &o.M, 2, defaultM, maxM},
		{"EfConstruction", &o.EfConstruction, 1, defaultEf, maxEf},
		{"EfSearch", &o.EfSearch, 1, defaultEf, maxEf},
	} {
		if *field.value == 0 {
			*field.value = field.def
		}
		if v := *field.value; v < field.least || v > field.max {
			return o, fmt.Errorf("hnsw: %s is %d, want %d to %d", field.name, v, field.least, field.max)
		}
	}
	return o, nil
}

// newHNSW returns a graph of the rows of v without links.
func newHNSW(v *Vectors, o HNSWOptions, found duplicates) *HNSW {
	n := v.Len()
	h := &HNSW{
		vectors:    v,
		kernel:     dot.Best(),
		options:    o,
		duplicates: found,
		links:      make([]uint32, n*(1+2*o.M)),
		levels:     make([]uint8, n),
		firstUpper: make([]uint32, n),
		entryPoint: -1,
	}
	slots := 0
	for row := range n {
		h.levels[row] = randomLevel(o.Seed, row, o.M)
		h.firstUpper[row] = uint32(slots)
		slots += int(h.levels[row])
	}
	h.upper = make([]uint32, slots*(1+o.M))
	h.searchers.New = func() any { return newSearcher(h) }
	return h
}

// randomLevel returns the highest layer of a row: ⌊-ln(u) / ln(M)⌋ for u uniform in (0, 1], so each layer has 1/M of
// the rows of the layer below (algorithm 1, line 4, with mL = 1/ln(M)). u has 53 bits, so the highest layer is at most
// 53.
func randomLevel(seed uint64, row, m int) uint8 {
	u := 1 - sampling.Unit(seed, strconv.Itoa(row))
	return uint8(-math.Log(u) / math.Log(float64(m)))
}

// Len returns the number of rows.
func (h *HNSW) Len() int { return h.vectors.Len() }

// Dim returns the dimension of the vectors.
func (h *HNSW) Dim() int { return h.vectors.Dim }

// slot returns the links of a row on a layer: their number, then the neighbors.
func (h *HNSW) slot(row uint32, layer int) []uint32 {
	size := 1 + h.maxLinks(layer)
	if layer == 0 {
		return h.links[int(row)*size : (int(row)+1)*size]
	}
	at := int(h.firstUpper[row]) + layer - 1
	return h.upper[at*size : (at+1)*size]
}

// neighbors returns the rows that a row links to on a layer.
func (h *HNSW) neighbors(row uint32, layer int) []uint32 {
	slot := h.slot(row, layer)
	return slot[1 : 1+slot[0]]
}

// setNeighbors replaces the links of a row on a layer.
func (h *HNSW) setNeighbors(row uint32, layer int, to []uint32) {
	slot := h.slot(row, layer)
	slot[0] = uint32(copy(slot[1:], to))
}

// maxLinks returns the maximum number of links of a row on a layer: Mmax0 = 2 M, Mmax = M.
func (h *HNSW) maxLinks(layer int) int {
	if layer == 0 {
		return 2 * h.options.M
	}
	return h.options.M
}
