package knnindex

import (
	"math"
	"slices"
	"sort"
)

// beam keeps the best hits it is shown, at most size of them, in order. For the
// walk of a graph it also remembers which have been expanded.
//
// A sorted array and not a heap: with the few hundred hits of a search, moving
// entries up costs no more than sifting, the hits come out in order, and the
// beam of a graph search needs no second heap beside it.
type beam struct {
	size    int
	entries []entry
	next    int // INVARIANT: all entries before next are expanded
}

type entry struct {
	Hit
	expanded bool
}

func (b *beam) reset(size int) {
	b.size, b.entries, b.next = size, b.entries[:0], 0
}

// floor is the similarity that a row later than all those shown must exceed to
// be kept: the last hit's, or less than any while there is room.
func (b *beam) floor() float32 {
	switch n := len(b.entries); {
	case n < b.size:
		return float32(math.Inf(-1))
	case n == 0: // a beam of size 0 keeps nothing
		return float32(math.Inf(1))
	default:
		return b.entries[n-1].Similarity
	}
}

// insert shows h to the beam.
func (b *beam) insert(h Hit) {
	if n := len(b.entries); n == b.size {
		if n == 0 || compareHits(h, b.entries[n-1].Hit) >= 0 {
			return
		}
		b.entries = b.entries[:n-1]
	}
	at := sort.Search(len(b.entries), func(i int) bool { return compareHits(h, b.entries[i].Hit) < 0 })
	b.entries = slices.Insert(b.entries, at, entry{Hit: h})
	b.next = min(b.next, at)
}

// insertRows shows the rows from first on to a beam that has seen no later ones.
func (b *beam) insertRows(first int, similarities []float32) {
	floor := b.floor()
	for i, s := range similarities {
		if s > floor { // which a NaN is not
			b.insert(Hit{int32(first + i), s})
			floor = b.floor()
		}
	}
}

// insertNamed shows the named rows, in their order, to a beam that has seen no
// later ones.
func (b *beam) insertNamed(rows []uint32, similarities []float32) {
	for i, row := range rows {
		if s := similarities[i]; s > b.floor() { // which a NaN is not
			b.insert(Hit{int32(row), s})
		}
	}
}

// expand gives the best hit that has not been expanded, and marks it.
func (b *beam) expand() (Hit, bool) {
	for ; b.next < len(b.entries); b.next++ {
		if e := &b.entries[b.next]; !e.expanded {
			e.expanded = true
			return e.Hit, true
		}
	}
	return Hit{}, false
}

// appendHits appends the hits in order.
func (b *beam) appendHits(dst []Hit) []Hit {
	for _, e := range b.entries {
		dst = append(dst, e.Hit)
	}
	return dst
}
