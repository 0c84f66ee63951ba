package knnindex

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// searchNaively compares every row and sorts the hits.
func searchNaively(kernel dot.Kernel, v *Vectors, query []float32, k int) []Hit {
	var hits []Hit
	for i := range v.Len() {
		if s := kernel.Dot(query, v.Row(i)); s == s { // false for NaN
			hits = append(hits, Hit{int32(i), s})
		}
	}
	slices.SortFunc(hits, compareHits)
	return hits[:min(k, len(hits))]
}

// coarse returns vectors of few distinct numbers, so many rows are equal or equally similar.
func coarse(r *rand.Rand, n, dim int) *Vectors {
	v := &Vectors{Dim: dim, Data: make([]float32, n*dim)}
	for i := range v.Data {
		v.Data[i] = float32(r.IntN(3) - 1)
	}
	return v
}

// odd sets some numbers to values at which products overflow, underflow or are NaN.
func odd(r *rand.Rand, v *Vectors) {
	numbers := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat32, 1e20, 1e-45}
	for range r.IntN(5) {
		if len(v.Data) > 0 {
			v.Data[r.IntN(len(v.Data))] = float32(numbers[r.IntN(len(numbers))])
		}
	}
}

func TestFlatAgainstSorting(t *testing.T) {
	must.SkipShort(t)
	t.Parallel()
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 2))
		dim, n := 1+r.IntN(40), r.IntN(1200)
		v, k := coarse(r, n, dim), r.IntN(30)
		queries := coarse(r, r.IntN(300), dim)
		if seed%3 == 0 {
			odd(r, v)
			odd(r, queries)
		}
		for _, kernel := range dot.Supported() {
			checkFlat(t, fmt.Sprintf("seed %d, %v", seed, kernel), newFlat(v, kernel), queries, k)
			checkFlat(t, fmt.Sprintf("seed %d, %v, quantized", seed, kernel), newQuantized(v, kernel), queries, k)
		}
	}
}

// checkFlat checks that f finds the hits of sorting, query by query and in batches.
func checkFlat(t *testing.T, name string, f *Flat, queries *Vectors, k int) {
	t.Helper()
	want := make([][]Hit, queries.Len())
	for i := range want {
		want[i] = searchNaively(f.kernel, f.vectors, queries.Row(i), k)
		if got := f.Search(nil, queries.Row(i), k); !slices.Equal(got, want[i]) {
			t.Fatalf("%s, query %d alone: got %v, want %v", name, i, got, want[i])
		}
	}
	for _, workers := range []int{0, 1, 2, 3, 7} {
		got := must.Get(f.SearchBatch(context.Background(), queries.Data, k, workers))
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("%s, %d workers: %s", name, workers, cmp.Diff(want, got))
		}
	}
}

// TestFlatOnClusters does the same for vectors most of which the quantization rules out.
func TestFlatOnClusters(t *testing.T) {
	t.Parallel()
	c := newClusters(100, 96)
	v, queries := c.sample(3001), c.sample(100)
	for _, kernel := range dot.Supported() {
		checkFlat(t, kernel.String(), newQuantized(v, kernel), queries, 15)
	}
}

// newQuantized returns an index that compares quantized rows from the first query on.
func newQuantized(v *Vectors, kernel dot.Kernel) *Flat {
	f := newFlat(v, kernel)
	f.searched.Store(fullScans)
	return f
}

// TestFlatQuantizesLate: the first queries, together or alone, read all rows; the hits stay the same.
func TestFlatQuantizesLate(t *testing.T) {
	v := newClusters(10, 32).sample(300)
	for _, kernel := range dot.Supported() {
		f := newFlat(v, kernel)
		if f.quantized == nil {
			continue
		}
		for i := range 2 * fullScans {
			query := v.Row(i)
			must.Equal(t, f.group(query).quantized != nil, i >= fullScans, kernel, "query", i, "quantized")
		}
		if newFlat(v, kernel).group(v.Data[:(fullScans+1)*v.Dim]).quantized == nil {
			t.Errorf("%v: a large batch reads all rows", kernel)
		}
	}
}

// TestFlatByHand searches for (.6, .8) among (1,0), (.6,.8), (0,-1) and (.6,.8).
func TestFlatByHand(t *testing.T) {
	v := &Vectors{Dim: 2, Data: []float32{1, 0, .6, .8, 0, -1, .6, .8}}
	var one float32 = .6*.6 + .8*.8
	got := NewFlat(v).Search([]Hit{{9, 9}}, []float32{.6, .8}, 9)
	want := []Hit{{9, 9}, {1, one}, {3, one}, {0, .6}, {2, -.8}} // after the hit passed in; ties by row
	must.Equal(t, got, want)
}

func TestSearchEdges(t *testing.T) {
	forEachIndex(t, newClusters(4, 16).sample(100), func(t *testing.T, index Index) {
		v := newClusters(4, 16).sample(100)
		for _, k := range []int{-1, 0} {
			if got := index.Search(nil, v.Row(0), k); len(got) != 0 {
				t.Errorf("k %d finds %v", k, got)
			}
		}
		must.Equal(t, len(index.Search(nil, v.Row(0), 1000)), 100, "hits of k 1000")
		query := slices.Clone(v.Row(0))
		query[3] = float32(math.NaN())
		if got := index.Search(nil, query, 5); len(got) != 0 {
			t.Errorf("a query that contains NaN finds %v", got)
		}
		if got := index.Search(nil, make([]float32, 16), 5); len(got) != 5 {
			t.Errorf("a query of zeros finds %v", got)
		}
		_, err := index.SearchBatch(t.Context(), make([]float32, 33), 5, 1)
		must.Fail(t, err, "", "a batch of 33 numbers is searched in 16 dimensions")
		if got, err := index.SearchBatch(t.Context(), nil, 5, 4); err != nil || len(got) != 0 {
			t.Errorf("no queries: %v, %v", got, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = index.SearchBatch(ctx, v.Data, 5, 2)
		must.FailWith(t, err, context.Canceled, "a canceled search")
		defer func() {
			if recover() == nil {
				t.Error("a query of another dimension is searched")
			}
		}()
		index.Search(nil, make([]float32, 15), 5)
	})
}

func TestFlatOverNothing(t *testing.T) {
	f := NewFlat(&Vectors{})
	if got := f.Search(nil, nil, 5); len(got) != 0 {
		t.Errorf("found %v", got)
	}
	_, err := f.SearchBatch(t.Context(), []float32{1}, 5, 1)
	must.Fail(t, err, "", "a number is searched in no dimensions")
}

// forEachIndex runs a test with both kinds of index over v.
func forEachIndex(t *testing.T, v *Vectors, test func(t *testing.T, index Index)) {
	graph := must.Get(BuildHNSW(t.Context(), v, HNSWOptions{}))
	for kind, index := range map[Kind]Index{KindFlat: NewFlat(v), KindHNSW: graph} {
		t.Run(string(kind), func(t *testing.T) {
			if index.Len() != v.Len() || index.Dim() != v.Dim {
				t.Errorf("%s: index of %d x %d, want %d x %d", kind, index.Len(), index.Dim(), v.Len(), v.Dim)
			}
			test(t, index)
		})
	}
}

// TestBatchIsSingle checks that a batch has the hits of single searches, to the last bit, with any number of workers.
func TestBatchIsSingle(t *testing.T) {
	c := newClusters(40, 50)
	v, queries := c.sample(1000), c.sample(70)
	forEachIndex(t, v, func(t *testing.T, index Index) {
		for _, workers := range []int{1, 2, 5} {
			got := must.Get(index.SearchBatch(t.Context(), queries.Data, 10, workers))
			for i := range got {
				if want := index.Search(nil, queries.Row(i), 10); !slices.Equal(got[i], want) {
					t.Fatalf("%d workers, query %d: got %v, alone %v", workers, i, got[i], want)
				}
			}
		}
	})
}

func ExampleFlat() {
	v := &Vectors{Dim: 2, Data: []float32{1, 0, 0, 1, .6, .8}}
	for _, hit := range NewFlat(v).Search(nil, []float32{0, 1}, 2) {
		fmt.Printf("row %d, similarity %.2f\n", hit.Row, hit.Similarity)
	}
	// Output:
	// row 1, similarity 1.00
	// row 2, similarity 0.80
}
