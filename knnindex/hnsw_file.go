package knnindex

import (
	"errors"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
)

// graphFile holds the tensors of a graph in a safetensors file. The number of upper slots of a row is its level, which
// follows from seed and M (randomLevel). The entry point is the first row of the highest level that is not a duplicate.
type graphFile struct {
	header       []uint64 // rows, dimension and fingerprint of the vectors; seed, M, efConstruction, efSearch
	links, upper []uint32 // see [HNSW]
	duplicates   []uint32 // the first of equal rows, then the duplicate; sorted
}

func (g *graphFile) fields() []safetensors.Field {
	return []safetensors.Field{
		{Name: "header", Data: &g.header}, {Name: "links", Data: &g.links}, {Name: "upper", Data: &g.upper},
		{Name: "duplicates", Data: &g.duplicates},
	}
}

// headerOf returns the header of a graph over the vectors.
func headerOf(v *Vectors, o HNSWOptions) []uint64 {
	return []uint64{uint64(v.Len()), uint64(v.Dim), v.fingerprint(), o.Seed, uint64(o.M), uint64(o.EfConstruction),
		uint64(o.EfSearch)}
}

// WriteFile atomically writes the graph, without the vectors, to the file at path.
func (h *HNSW) WriteFile(path string) error {
	g := graphFile{header: headerOf(h.vectors, h.options), links: h.links, upper: h.upper}
	for _, d := range h.duplicates {
		g.duplicates = append(g.duplicates, d.first, d.row)
	}
	return safetensors.WriteArrays(path, safetensors.Arrays("", g.fields()))
}

// OpenHNSW reads the graph file at path. v must be the vectors that the graph was built over; OpenHNSW compares their
// fingerprint. It returns a [*files.DamagedError] if the file belongs to other vectors or its links lead out of the
// graph. The file has no checksum of its own.
func OpenHNSW(path string, v *Vectors) (*HNSW, error) {
	if err := v.checkShape(); err != nil {
		return nil, err
	}
	file, err := safetensors.Open(path)
	if err != nil {
		return nil, err
	}
	var g graphFile
	var h *HNSW
	if err = safetensors.ViewFields(file, "", g.fields()); err == nil {
		h, err = g.graph(v)
	}
	return h, errors.Join(artifact.WithPath(path, err), file.Close())
}

// graph returns a copy of the graph over the vectors, or an error without a path.
func (g *graphFile) graph(v *Vectors) (*HNSW, error) {
	if n, want := len(g.header), len(headerOf(v, HNSWOptions{})); n != want {
		return nil, damaged("header has %d numbers, want %d", n, want)
	}
	o := HNSWOptions{Seed: g.header[3], M: int(g.header[4]), EfConstruction: int(g.header[5]), EfSearch: int(g.header[6])}
	if want := headerOf(v, o); !slices.Equal(g.header, want) {
		return nil, damaged("graph belongs to %d x %d vectors with the fingerprint %016x, want %d x %d and %016x",
			g.header[0], g.header[1], g.header[2], want[0], want[1], want[2])
	}
	if o.M == 0 || o.EfConstruction == 0 || o.EfSearch == 0 { // 0 would stand for the defaults
		return nil, damaged("M, efConstruction and efSearch are %d, %d and %d, want more than 0", o.M, o.EfConstruction,
			o.EfSearch)
	}
	o, err := o.withDefaults()
	if err != nil {
		return nil, damaged("%v", err)
	}
	// NB: from here on, sizes follow from the vectors and from M, which is at most maxM, so a damaged header cannot
	// cause large allocations.
	h := newHNSW(v, o, make(duplicates, len(g.duplicates)/2))
	if len(g.links) != len(h.links) || len(g.upper) != len(h.upper) || len(g.duplicates)%2 != 0 {
		return nil, damaged("%d words of links, %d of upper layers and %d of duplicates, want %d, %d and pairs", len(g.links),
			len(g.upper), len(g.duplicates), len(h.links), len(h.upper))
	}
	copy(h.links, g.links)
	copy(h.upper, g.upper)
	for i := range h.duplicates {
		h.duplicates[i] = duplicate{g.duplicates[2*i], g.duplicates[2*i+1]}
	}
	return h, h.check()
}

// check ensures that no search can leave the graph, whatever the file contained, and sets the entry point.
func (h *HNSW) check() error {
	isDuplicate := make([]bool, h.Len())
	for i, d := range h.duplicates {
		if int(d.first) >= h.Len() || int(d.row) >= h.Len() || d.first >= d.row ||
			i > 0 && compareDuplicates(h.duplicates[i-1], d) >= 0 {
			return damaged("duplicates contain row %d of row %d, want ordered pairs of rows under %d", d.row, d.first,
				h.Len())
		}
		isDuplicate[d.row] = true
	}
	for row := range uint32(h.Len()) {
		if !isDuplicate[row] {
			h.updateEntryPoint(row)
		}
		for layer := range int(h.levels[row]) + 1 {
			if err := h.checkSlot(row, layer); err != nil {
				return err
			}
		}
	}
	return nil
}

func (h *HNSW) checkSlot(row uint32, layer int) error {
	if n := h.slot(row, layer)[0]; int(n) > h.maxLinks(layer) {
		return damaged("row %d has %d links on layer %d, want at most %d", row, n, layer, h.maxLinks(layer))
	}
	for _, to := range h.neighbors(row, layer) {
		if int(to) >= h.Len() || int(h.levels[to]) < layer {
			return damaged("row %d links to row %d on layer %d, want rows of that layer", row, to, layer)
		}
	}
	return nil
}

// damaged returns an error without a path and an offset.
func damaged(format string, args ...any) error { return artifact.Damaged("", format, args...) }
