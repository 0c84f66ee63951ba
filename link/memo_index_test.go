package link

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm/knnindex"
)

// countingIndex counts the queries that it is asked, and fails when it is told to.
type countingIndex struct {
	knnindex.Index
	asked int
	err   error
}

func (x *countingIndex) SearchBatch(ctx context.Context, queries []float32, k, workers int) ([][]knnindex.Hit, error) {
	x.asked += len(queries) / x.Dim()
	if x.err != nil {
		return nil, x.err
	}
	return x.Index.SearchBatch(ctx, queries, k, workers)
}

func TestMemoizedIndex(t *testing.T) {
	const dim, rows = 3, 40
	r := rand.New(rand.NewPCG(1, 9))
	v := &knnindex.Vectors{Dim: dim, Data: make([]float32, rows*dim)}
	for i := range v.Data {
		v.Data[i] = float32(r.NormFloat64())
	}
	counting := &countingIndex{Index: knnindex.NewFlat(v)}
	x := memoizeIndex(counting)
	if again := memoizeIndex(x); again != x {
		t.Error("what remembers is made to remember again")
	}
	ask := func(k int, queries ...int) {
		t.Helper()
		var vectors []float32
		for _, row := range queries {
			vectors = append(vectors, v.Row(row)...)
		}
		want, err := counting.Index.SearchBatch(t.Context(), vectors, k, 0)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time from memory
			got, err := x.SearchBatch(t.Context(), vectors, k, 0)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%d nearest of %v (-want +got):\n%s", k, queries, diff)
			}
			for i := range got {
				got[i] = slices.Delete(got[i], 0, 1) // the caller's own
			}
		}
	}
	counting.err = context.Canceled
	if _, err := x.SearchBatch(t.Context(), v.Row(0), 5, 0); err == nil {
		t.Fatal("a search that failed has no error")
	}
	counting.err, counting.asked = nil, 0
	ask(5, 0, 1, 0)
	ask(5, 1, 2)
	ask(7, 2, 0)
	// Rows 0, 1 and 2 by 5, rows 2 and 0 by 7.
	if counting.asked != 3+2 {
		t.Errorf("%d searches, want 5", counting.asked)
	}
}
