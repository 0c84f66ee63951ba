package knnindex

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
)

// smallGraph returns a small graph with duplicates and upper layers, and the content of its file.
func smallGraph(t testing.TB) (*HNSW, graphFile) {
	t.Helper()
	v := newClusters(4, 8).sample(60)
	copy(v.Row(50), v.Row(3))
	copy(v.Row(40), v.Row(3))
	h := buildHNSW(t, v, HNSWOptions{M: 3, EfConstruction: 20, EfSearch: 30, Seed: 5})
	if len(h.duplicates) != 2 || len(h.upper) == 0 {
		t.Fatalf("%d duplicates and %d words of upper layers: choose another seed", len(h.duplicates), len(h.upper))
	}
	path := filepath.Join(t.TempDir(), "graph")
	must.Succeed(t, h.WriteFile(path))
	file := must.Get(safetensors.Open(path))
	defer file.Close()
	var g graphFile
	must.Succeed(t, safetensors.ViewFields(file, "", g.fields()))
	return h, graphFile{slices.Clone(g.header), slices.Clone(g.links), slices.Clone(g.upper), slices.Clone(g.duplicates)}
}

func TestGraphRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 2, 500} {
		v := newClusters(5, 12).sample(n)
		h := buildHNSW(t, v, HNSWOptions{M: 5, EfConstruction: 33, EfSearch: 44, Seed: 6})
		path := filepath.Join(t.TempDir(), "graph")
		must.Succeed(t, h.WriteFile(path))
		back := must.Get(OpenHNSW(path, v))
		if back.entryPoint != h.entryPoint || !slices.Equal(back.links, h.links) || !slices.Equal(back.upper, h.upper) {
			t.Errorf("%d rows: another graph comes back", n)
		}
		if got, want := back.options, h.options; got.M != 5 || got.EfConstruction != 33 || got.EfSearch != 44 || got.Seed != want.Seed {
			t.Errorf("options come back as %+v", got)
		}
		for i := range n {
			if got, want := back.Search(nil, v.Row(i), 9), h.Search(nil, v.Row(i), 9); !slices.Equal(got, want) {
				t.Fatalf("query %d: got %v, want %v", i, got, want)
			}
		}
	}
}

func TestOpenHNSWRefuses(t *testing.T) {
	other := newClusters(4, 8).sample(60)
	other.Data[0] = -other.Data[0]
	for name, c := range map[string]struct {
		edit func(*graphFile)
		v    *Vectors // nil for the graph's own
		want string
	}{
		"header":            {func(g *graphFile) { g.header = g.header[1:] }, nil, "header has 6 numbers, want 7"},
		"other dimension":   {nil, newClusters(4, 9).sample(60), "graph belongs to 60 x 8 vectors"},
		"other rows":        {nil, newClusters(4, 8).sample(61), "graph belongs to 60 x 8 vectors"},
		"other vectors":     {nil, other, "graph belongs to 60 x 8 vectors with the fingerprint "},
		"M of 0":            {func(g *graphFile) { g.header[4] = 0 }, nil, "M, efConstruction and efSearch are 0, 20 and 30, want more than 0"},
		"M of 2^31":         {func(g *graphFile) { g.header[4] = 1 << 31 }, nil, "hnsw: M is 2147483648, want 2 to 128"},
		"cut":               {func(g *graphFile) { g.links = g.links[1:] }, nil, "419 words of links, "},
		"odd duplicates":    {func(g *graphFile) { g.duplicates = g.duplicates[1:] }, nil, "3 of duplicates, want "},
		"too many links":    {func(g *graphFile) { g.links[0] = 7 }, nil, "row 0 has 7 links on layer 0, want at most 6"},
		"link to nowhere":   {func(g *graphFile) { g.links[1] = 60 }, nil, "row 0 links to row 60 on layer 0, want rows of that layer"},
		"duplicate of self": {func(g *graphFile) { g.duplicates[0] = 40 }, nil, "duplicates contain row 40 of row 40, want ordered pairs of rows under 60"},
		"not in order":      {func(g *graphFile) { g.duplicates[3] = 40 }, nil, "duplicates contain row 40 of row 3, want ordered pairs of rows under 60"},
		"no vectors":        {nil, &Vectors{}, "dimension is 0, want at least 1"},
	} {
		t.Run(name, func(t *testing.T) {
			h, g := smallGraph(t)
			if c.edit != nil {
				c.edit(&g)
			}
			if c.v == nil {
				c.v = h.vectors
			}
			path := filepath.Join(t.TempDir(), "graph")
			must.Succeed(t, safetensors.WriteArrays(path, safetensors.Arrays("", g.fields())))
			_, err := OpenHNSW(path, c.v)
			damage, isDamage := errors.AsType[*files.DamagedError](err)
			if err == nil || !strings.Contains(err.Error(), c.want) || isDamage && damage.Path != path {
				t.Errorf("got error %v, want %s", err, c.want)
			}
		})
	}
	h, _ := smallGraph(t)
	_, err := OpenHNSW(filepath.Join(t.TempDir(), "graph"), h.vectors)
	must.FailWith(t, err, os.ErrNotExist, "a missing file")
}

// FuzzGraphFile reads arbitrary links over the vectors of a graph: they are rejected or form a graph that can be
// searched.
func FuzzGraphFile(f *testing.F) {
	h, g := smallGraph(f)
	f.Add(0, uint32(7), 0, uint32(1))
	f.Add(1, uint32(60), 5, uint32(9))
	f.Fuzz(func(t *testing.T, link int, to uint32, upper int, above uint32) {
		changed := graphFile{g.header, slices.Clone(g.links), slices.Clone(g.upper), g.duplicates}
		if link >= 0 && link < len(changed.links) {
			changed.links[link] = to
		}
		if upper >= 0 && upper < len(changed.upper) {
			changed.upper[upper] = above
		}
		graph, err := changed.graph(h.vectors)
		if err != nil {
			return
		}
		for i := range 3 {
			if got := graph.Search(nil, h.vectors.Row(i), 5); len(got) > 5 {
				t.Errorf("found %d rows, want at most 5", len(got))
			}
		}
	})
}
