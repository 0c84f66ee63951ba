package knnindex

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// joined returns the join of an index of each matrix.
func joined(shards []*Vectors, of func(*Vectors) Index) *Join {
	indexes := make([]Index, len(shards))
	for i, shard := range shards {
		indexes[i] = of(shard)
	}
	return NewJoin(indexes[0], indexes[1:]...)
}

// split returns n matrices of consecutive rows, as even as can be, that share the memory of v.
func split(v *Vectors, n int) []*Vectors {
	parts := make([]*Vectors, n)
	for i := range parts {
		start, end := i*v.Len()/n*v.Dim, (i+1)*v.Len()/n*v.Dim
		parts[i] = &Vectors{Dim: v.Dim, Data: v.Data[start:end:end]}
	}
	return parts
}

// TestJoin compares exact search in random shards, some of them empty, with that in one index.
// A third of the rows are equal to others, so that many hits are at the same similarity.
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
			if err != nil {
				t.Fatal(err)
			}
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

// TestJoinOfGraphs has graphs of shards: their join finds at least what one graph finds.
func TestJoinOfGraphs(t *testing.T) {
	t.Parallel()
	c := newClusters(120, 32)
	v, queries := c.sample(3000), c.sample(100)
	graph := func(v *Vectors) Index { return buildHNSW(t, v, HNSWOptions{EfConstruction: 60, EfSearch: 40}) }
	shards := joined(split(v, 4), graph)
	exact, err := NewFlat(v).SearchBatch(t.Context(), queries.Data, 15, 0)
	if err != nil {
		t.Fatal(err)
	}
	recall := func(index Index) float64 {
		found, all := 0, 0
		for i, want := range exact {
			got := make(map[int32]bool)
			for _, hit := range index.Search(nil, queries.Row(i), 15) {
				got[hit.Row] = true
			}
			for _, hit := range want {
				all++
				if got[hit.Row] {
					found++
				}
			}
		}
		return float64(found) / float64(all)
	}
	one, four := recall(graph(v)), recall(shards)
	if four < one || four < .97 {
		t.Errorf("recall is %.4f in four graphs and %.4f in one", four, one)
	}
}

// fileBench holds the vectors of a file and queries like them.
type fileBench struct {
	v       *Vectors
	queries []float32
}

// newFileBench reads the file that CTXNORM_VECTORS names. Every 1000th row, with its direction changed a little,
// is a query.
func newFileBench(t *testing.T) *fileBench {
	path := os.Getenv(vectorsVariable)
	if path == "" {
		t.Skipf("%s is not set: skipping shards of trained vectors", vectorsVariable)
	}
	v, err := OpenNPY(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	})
	b := &fileBench{v: v}
	r := rand.New(rand.NewPCG(1, 8))
	for i := 0; i < v.Len(); i += 1000 {
		row := normal(r, v.Dim, .02)
		for j, x := range v.Row(i) {
			row[j] += x
		}
		b.queries = append(b.queries, unit(row)...)
	}
	return b
}

// search returns the 15 nearest of each query, and logs the time on one core.
func (b *fileBench) search(t *testing.T, what string, index Index) [][]Hit {
	t.Helper()
	start := time.Now()
	hits, err := index.SearchBatch(t.Context(), b.queries, 15, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s of %d x %d vectors: %d queries in %s on one core", what, b.v.Len(), b.v.Dim, len(hits), time.Since(start).Round(time.Millisecond))
	return hits
}

func flatIndex(v *Vectors) Index { return NewFlat(v) }

// TestJoinOfFile compares exact search of eight shards with that of one index: the hits must be the same to the last
// bit.
func TestJoinOfFile(t *testing.T) {
	b := newFileBench(t)
	want := b.search(t, "exact search", NewFlat(b.v))
	got := b.search(t, "exact search in eight shards", joined(split(b.v, 8), flatIndex))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("hits (-one index +shards):\n%s", diff)
	}
}

// TestJoinOfGraphsOfFile compares the recall of eight graphs with that of one, which must not be higher.
func TestJoinOfGraphsOfFile(t *testing.T) {
	b := newFileBench(t)
	want := b.search(t, "exact search", NewFlat(b.v))
	measure := func(what string, shards int) float64 {
		start := time.Now()
		graphs := joined(split(b.v, shards), func(v *Vectors) Index { return buildHNSW(t, v, HNSWOptions{Seed: 1}) })
		t.Logf("%s built in %s", what, time.Since(start).Round(time.Second))
		found := recall(b.search(t, what, graphs), want)
		t.Logf("%s: recall@15 %.4f", what, found)
		return found
	}
	if one, eight := measure("one graph", 1), measure("eight graphs", 8); eight < min(one, .99) {
		t.Errorf("recall is %.4f in eight graphs and %.4f in one", eight, one)
	}
}
