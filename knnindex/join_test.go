package knnindex

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestJoin compares exact search in random shards, some of them empty, with search in one index. A third of the rows
// are equal to others, so many hits have the same similarity.
func TestJoin(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 3))
		v := newClusters(4, 24).sample(1 + r.IntN(600))
		for i := range v.Len() / 3 {
			copy(v.Row(i), v.Row(r.IntN(v.Len())))
		}
		queries := newClusters(4, 24).sample(1 + r.IntN(20))
		whole := NewFlat(v)
		var indexes []Index
		for at := 0; at < v.Len() || len(indexes) == 0; {
			next := min(v.Len(), at+r.IntN(200))
			indexes = append(indexes, NewFlat(&Vectors{Dim: v.Dim, Data: v.Data[at*v.Dim : next*v.Dim]}))
			at = next
		}
		shards := NewJoin(indexes[0], indexes[1:]...)
		if shards.Len() != v.Len() || shards.Dim() != v.Dim {
			t.Fatalf("seed %d: %d x %d, want those of %d x %d", seed, shards.Len(), shards.Dim(), v.Len(), v.Dim)
		}
		for _, k := range []int{0, 1, 15, v.Len() + 1} {
			want, err := whole.SearchBatch(t.Context(), queries.Data, k, 0)
			must.Succeed(t, err)
			got, err := shards.SearchBatch(t.Context(), queries.Data, k, 1+r.IntN(3))
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
				t.Fatalf("seed %d, %d shards, k %d: %v (-one index +shards):\n%s", seed, len(indexes), k, err, diff)
			}
			for i := range queries.Len() {
				single := shards.Search([]Hit{{9, 9}}, queries.Row(i), k)
				if diff := cmp.Diff(append([]Hit{{9, 9}}, want[i]...), single); diff != "" {
					t.Fatalf("seed %d, k %d, query %d alone (-one index +shards):\n%s", seed, k, i, diff)
				}
			}
		}
	}
}

// TestJoinOfGraphs has graphs of shards: their join finds at least as much as one graph.
func TestJoinOfGraphs(t *testing.T) {
	t.Parallel()
	c := newClusters(120, 32)
	v, queries := c.sample(3000), c.sample(100)
	graph := func(v *Vectors) Index { return buildHNSW(t, v, HNSWOptions{EfConstruction: 60, EfSearch: 40}) }
	var graphs []Index
	for shard := range slices.Chunk(v.Data, 750*v.Dim) {
		graphs = append(graphs, graph(&Vectors{Dim: v.Dim, Data: shard}))
	}
	shards := NewJoin(graphs[0], graphs[1:]...)
	exact := must.Get(NewFlat(v).SearchBatch(t.Context(), queries.Data, 15, 0))
	recallOf := func(index Index) float64 {
		found := must.Get(index.SearchBatch(t.Context(), queries.Data, 15, 0))
		return recall(found, exact)
	}
	one, four := recallOf(graph(v)), recallOf(shards)
	if four < one || four < .97 {
		t.Errorf("recall is %.4f in four graphs and %.4f in one", four, one)
	}
}
