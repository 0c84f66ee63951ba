package knnindex

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTopK compares topK with sorting all hits, with few distinct similarities so that there are many ties.
func TestTopK(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		hits := make([]Hit, r.IntN(50))
		for i := range hits {
			hits[i] = Hit{int32(i), float32(r.IntN(8)) / 8}
		}
		best := topK{k: r.IntN(20)}
		for _, i := range r.Perm(len(hits)) {
			best.insert(hits[i])
		}
		slices.SortFunc(hits, compareHits)
		want := append([]Hit(nil), hits[:min(len(hits), best.k)]...)
		if diff := cmp.Diff(want, best.appendHits(nil)); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
	}
}

func TestTopKExpandsTheBestFirst(t *testing.T) {
	var best topK
	best.reset(3)
	expand := func(want int32) {
		t.Helper()
		if hit, ok := best.expand(); !ok || hit.Row != want {
			t.Errorf("expanded %v, %v, want row %d", hit, ok, want)
		}
	}
	best.insert(Hit{1, .5})
	expand(1)
	best.insert(Hit{2, .4})
	best.insert(Hit{3, .6})
	expand(3) // better than the expanded row 1
	expand(2)
	best.insert(Hit{4, .7}) // pushes out row 2
	best.insert(Hit{5, .1}) // finds no room
	expand(4)
	if hit, ok := best.expand(); ok {
		t.Errorf("expanded %v, want nothing more", hit)
	}
}
