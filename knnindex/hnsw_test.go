package knnindex

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

func buildHNSW(t testing.TB, v *Vectors, o HNSWOptions) *HNSW {
	t.Helper()
	h := must.Get(BuildHNSW(context.Background(), v, o))
	checkGraph(t, h)
	return h
}

// checkGraph checks the invariants of a graph: the limits of links, no link to the row itself, no link twice. From M =
// 8, every row that is not a duplicate must be reachable from the entry point; a graph with fewer links may lose some.
func checkGraph(t testing.TB, h *HNSW) {
	t.Helper()
	must.Succeed(t, h.check())
	for row := range uint32(h.Len()) {
		for layer := range int(h.levels[row]) + 1 {
			links := slices.Sorted(slices.Values(h.neighbors(row, layer)))
			if slices.Contains(links, row) || len(slices.Compact(slices.Clone(links))) != len(links) {
				t.Fatalf("row %d, layer %d: links to itself or twice to a row: %v", row, layer, links)
			}
		}
	}
	if h.entryPoint < 0 || h.options.M < 8 {
		return
	}
	reached := map[uint32]bool{uint32(h.entryPoint): true}
	for queue := []uint32{uint32(h.entryPoint)}; len(queue) > 0; queue = queue[1:] {
		for _, to := range h.neighbors(queue[0], 0) {
			if !reached[to] {
				reached[to] = true
				queue = append(queue, to)
			}
		}
	}
	must.Equal(t, len(reached), h.Len()-len(h.duplicates), "rows that can be reached")
}

// TestHNSWRecall compares the graph with exact search on vectors distributed like those of
// an encoder.
func TestHNSWRecall(t *testing.T) {
	must.SkipShort(t)
	t.Parallel()
	c := newClusters(160, 64)
	v, queries := c.sample(4000), c.sample(300)
	want := must.Get(NewFlat(v).SearchBatch(t.Context(), queries.Data, 15, 0))
	for _, o := range []struct {
		HNSWOptions
		least float64
	}{
		{HNSWOptions{}, .99}, // the defaults
		{HNSWOptions{M: 8, EfConstruction: 60, EfSearch: 60}, .93},
		{HNSWOptions{M: 2, EfConstruction: 10, EfSearch: 400}, .5}, // hardly a graph
	} {
		got := must.Get(buildHNSW(t, v, o.HNSWOptions).SearchBatch(t.Context(), queries.Data, 15, 0))
		r := recall(got, want)
		t.Logf("%+v: recall@15 %.4f", o.HNSWOptions, r)
		if r < o.least {
			t.Errorf("%+v: recall@15 is %.4f, want %.2f at least", o.HNSWOptions, r, o.least)
		}
	}
}

// TestHNSWFindsWhatFlatFinds uses sets so small that the search compares all rows.
func TestHNSWFindsWhatFlatFinds(t *testing.T) {
	for n := range 30 {
		v := newClusters(3, 8).sample(n)
		h, f := buildHNSW(t, v, HNSWOptions{}), NewFlat(v)
		for i := range n {
			got, want := h.Search(nil, v.Row(i), 5), f.Search(nil, v.Row(i), 5)
			must.Equal(t, got, want, n, "rows, query", i)
		}
	}
}

// TestHNSWDuplicates has a few distinct rows, many times each: like Flat, the graph must find the first of them by row.
func TestHNSWDuplicates(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	distinct := newClusters(5, 32).sample(20)
	v := &Vectors{Dim: 32}
	for range 3000 {
		v.Data = append(v.Data, distinct.Row(r.IntN(20))...)
	}
	h, f := buildHNSW(t, v, HNSWOptions{}), NewFlat(v)
	must.Equal(t, len(h.duplicates), 3000-20, "duplicates found")
	for i := range 20 {
		for _, k := range []int{1, 15, 500} {
			if got, want := h.Search(nil, distinct.Row(i), k), f.Search(nil, distinct.Row(i), k); !slices.Equal(got, want) {
				t.Fatalf("query %d, k %d: got %v, want %v", i, k, got, want)
			}
		}
	}
}

// TestHNSWZeroVectors has rows of zeros among others, which the graph must still find.
func TestHNSWZeroVectors(t *testing.T) {
	v := newClusters(20, 32).sample(500)
	for i := 0; i < 500; i += 7 {
		clear(v.Row(i))
	}
	h := buildHNSW(t, v, HNSWOptions{})
	for i := range 500 {
		if i%7 == 0 {
			continue
		}
		if got := h.Search(nil, v.Row(i), 1); got[0].Row != int32(i) {
			t.Errorf("row %d finds %v", i, got)
		}
	}
}

// TestHNSWSameWithAnyWorkers compares the files of graphs built with different numbers of
// workers, and with another seed.
func TestHNSWSameWithAnyWorkers(t *testing.T) {
	t.Parallel()
	v := newClusters(100, 24).sample(3000)
	path := filepath.Join(t.TempDir(), "graph")
	build := func(seed uint64, workers int) []byte {
		h := buildHNSW(t, v, HNSWOptions{EfConstruction: 40, Seed: seed, Workers: workers})
		must.Succeed(t, h.WriteFile(path))
		return must.Get(os.ReadFile(path))
	}
	one := build(1, 1)
	for _, workers := range []int{0, 1, 2, 8} {
		if !bytes.Equal(build(1, workers), one) {
			t.Errorf("%d workers build another graph than one", workers)
		}
	}
	if bytes.Equal(build(2, 1), one) {
		t.Error("another seed builds the same graph")
	}
}

func TestHNSWConcurrentSearches(t *testing.T) {
	v := newClusters(40, 24).sample(1000)
	h := buildHNSW(t, v, HNSWOptions{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 200 {
				if got := h.Search(nil, v.Row(i), 1); got[0].Row != int32(i) {
					t.Errorf("row %d finds %v", i, got)
				}
			}
		})
	}
	wg.Wait()
}

// TestSearcherVersions searches more often than there are versions.
func TestSearcherVersions(t *testing.T) {
	v := newClusters(2, 8).sample(40)
	h := buildHNSW(t, v, HNSWOptions{})
	s := newSearcher(h)
	query := v.Row(17)
	for i := range 1<<16 + 10 {
		if best := s.searchLayer(query, s.compare(query, 0), 40, 0); best.Row != 17 || len(s.best.entries) != 40 {
			t.Fatalf("search %d finds %v and %d rows", i, best, len(s.best.entries))
		}
	}
}

// TestSelectNeighbors on a plane: the row is at 0°, its candidates are at 10°, 20°, -30° and 90°; similarity is the
// cosine of the angle between. 10° is taken; 20° is nearer to 10° (cos 10° > cos 20°) than to the row, so it is
// skipped; -30° is 40° from 10°, so it is taken; 90° is 80° from 10°, so it is skipped.
func TestSelectNeighbors(t *testing.T) {
	v := &Vectors{Dim: 2, Data: []float32{
		1, 0, // row 0, at 0°
		.9848, .1736, // 10°
		.9397, .3420, // 20°
		.8660, -.5, // -30°
		0, 1, // 90°
	}}
	h := newHNSW(v, HNSWOptions{M: 2}, nil)
	candidates := NewFlat(v).Search(nil, v.Row(0), 5)[1:]
	for m, want := range map[int][]uint32{
		1: {1},
		2: {1, 3},
		3: {1, 3},
		4: {1, 2, 3, 4}, // there is room for all
	} {
		must.Equal(t, h.selectNeighbors(candidates, m), want, "m", m, "rows")
	}
}

// TestRandomLevel counts the rows of each layer: of 100,000, a share of 16^-l reaches layer l.
func TestRandomLevel(t *testing.T) {
	const rows = 100_000
	reach := make([]int, 60)
	for row := range rows {
		for l := range int(randomLevel(7, row, 16)) + 1 {
			reach[l]++
		}
	}
	// 100,000, 6,250 and 391 expected; bounds at five standard deviations √(n p (1-p)).
	for l, bounds := range [][2]int{{rows, rows}, {6250 - 383, 6250 + 383}, {391 - 99, 391 + 99}} {
		if reach[l] < bounds[0] || reach[l] > bounds[1] {
			t.Errorf("%d rows reach layer %d, want %d to %d", reach[l], l, bounds[0], bounds[1])
		}
	}
}

func TestHNSWOptions(t *testing.T) {
	v := newClusters(2, 8).sample(10)
	for _, o := range []HNSWOptions{{M: 1}, {M: 129}, {M: -3}, {EfConstruction: -1}, {EfSearch: 1 << 20}} {
		_, err := BuildHNSW(t.Context(), v, o)
		must.Fail(t, err, "", o, "builds")
	}
	_, err := BuildHNSW(t.Context(), &Vectors{Dim: 3, Data: make([]float32, 4)}, HNSWOptions{})
	must.Fail(t, err, "", "a row and a third builds")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = BuildHNSW(ctx, v, HNSWOptions{})
	must.FailWith(t, err, context.Canceled, "a canceled build")
	if o := buildHNSW(t, v, HNSWOptions{EfConstruction: 10}).options; o.M != 16 || o.EfConstruction != 10 || o.EfSearch != 200 {
		t.Errorf("options %+v", o)
	}
}
