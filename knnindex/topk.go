package knnindex

import (
	"math"
	"slices"
	"sort"
)

// topK keeps the k best hits inserted so far, in order. In a graph search it is also the candidate list: it records
// which hits have been expanded.
//
// It is a sorted array and not a heap: with the few hundred hits of a search, moving elements costs no more than
// sifting, the hits are in order, and a graph search needs no second heap for its candidates.
type topK struct {
	k       int
	entries []rankedHit
	next    int // INVARIANT: all entries before next are expanded
}

// rankedHit is a hit, and whether the search of a graph has expanded it.
type rankedHit struct {
	Hit
	expanded bool
}

func (t *topK) reset(k int) {
	t.k, t.entries, t.next = k, t.entries[:0], 0
}

// floor returns the k-th best similarity so far, or -Inf if there are fewer than k hits. A row after all the inserted
// ones is kept only if its similarity is greater.
func (t *topK) floor() float32 {
	switch n := len(t.entries); {
	case n < t.k:
		return float32(math.Inf(-1))
	case n == 0: // k is 0, so nothing is kept
		return float32(math.Inf(1))
	default:
		return t.entries[n-1].Similarity
	}
}

// insert adds h if it is among the k best.
func (t *topK) insert(h Hit) {
	if n := len(t.entries); n == t.k {
		if n == 0 || compareHits(h, t.entries[n-1].Hit) >= 0 {
			return
		}
		t.entries = t.entries[:n-1]
	}
	at := sort.Search(len(t.entries), func(i int) bool { return compareHits(h, t.entries[i].Hit) < 0 })
	t.entries = slices.Insert(t.entries, at, rankedHit{Hit: h})
	t.next = min(t.next, at)
}

// insertRows inserts consecutive rows starting with first. No later row may have been inserted before.
func (t *topK) insertRows(first int, similarities []float32) {
	floor := t.floor()
	for i, s := range similarities {
		if s > floor { // false for NaN
			t.insert(Hit{int32(first + i), s})
			floor = t.floor()
		}
	}
}

// insertSurvivors inserts rows in ascending order. No later row may have been inserted before.
func (t *topK) insertSurvivors(rows []uint32, similarities []float32) {
	for i, row := range rows {
		if s := similarities[i]; s > t.floor() { // false for NaN
			t.insert(Hit{int32(row), s})
		}
	}
}

// expand returns the best unexpanded hit and marks it as expanded; ok is false if there is none.
func (t *topK) expand() (best Hit, ok bool) {
	for ; t.next < len(t.entries); t.next++ {
		if e := &t.entries[t.next]; !e.expanded {
			e.expanded = true
			return e.Hit, true
		}
	}
	return Hit{}, false
}

// appendHits appends the hits in order.
func (t *topK) appendHits(dst []Hit) []Hit {
	for _, e := range t.entries {
		dst = append(dst, e.Hit)
	}
	return dst
}
