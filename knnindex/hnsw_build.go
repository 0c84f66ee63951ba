package knnindex

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"ctxnorm/internal/cores"
)

// batchRows is how many rows are linked at once. The rows of a batch do not
// walk to each other; each is compared with all before it instead, 512 on
// average: less work than a walk, over memory that stays in cache (1.5 MB at 384
// numbers).
const batchRows = 1024

// BuildHNSW builds a graph over v, which must not change after. Rows are linked
// in their order, in batches, so that several workers may build:
//
//  1. Each row of the batch walks the graph as it was before the batch, and is
//     compared with the batch's rows before it; of both together it chooses its
//     links. It depends on no other row's choice.
//  2. The rows chosen are linked back, each to all that chose it. It depends on
//     the choices, not on their order.
//
// So the graph depends on the vectors, the options and the seed only, and not on
// the number of workers. (It may differ between machines whose kernels round
// differently: see package dot.) It is as good as one built row by row, since
// a comparison with the whole batch misses nothing that a walk would find.
func BuildHNSW(ctx context.Context, v *Vectors, o HNSWOptions) (*HNSW, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := v.checkShape(); err != nil {
		return nil, err
	}
	found, firsts := findCopies(v)
	h := newHNSW(v, o, found)
	toHugePages(v.Data)
	toHugePages(h.links)
	for batch := range slices.Chunk(firsts, batchRows) {
		if err := h.insert(ctx, batch); err != nil {
			return nil, err
		}
		if o.Progress != nil {
			o.Progress(int(batch[len(batch)-1])+1, v.Len())
		}
	}
	h.options.Workers, h.options.Progress = 0, nil // no part of the graph
	return h, nil
}

// backLink says that row from chose row to on a layer.
type backLink struct {
	layer    int
	to, from uint32
}

// insert is INSERT (algorithm 1) for a batch of rows.
func (h *HNSW) insert(ctx context.Context, batch []uint32) error {
	var (
		mu    sync.Mutex
		links []backLink
	)
	err := cores.Share(ctx, len(batch), h.options.Workers, func(i int) {
		chosen := h.chooseLinks(batch[i], batch[:i])
		mu.Lock()
		links = append(links, chosen...)
		mu.Unlock()
	})
	if err != nil {
		return err
	}
	slices.SortFunc(links, func(a, b backLink) int {
		return cmp.Or(cmp.Compare(a.layer, b.layer), cmp.Compare(a.to, b.to), cmp.Compare(a.from, b.from))
	})
	targets := slices.Collect(slicesBy(links, func(a, b backLink) bool { return a.layer == b.layer && a.to == b.to }))
	err = cores.Share(ctx, len(targets), h.options.Workers, func(i int) { h.linkBack(targets[i]) })
	if err != nil {
		return err
	}
	for _, row := range batch {
		h.enterAt(row)
	}
	return nil
}

// enterAt makes row the entry if it stands higher than the entry so far.
func (h *HNSW) enterAt(row uint32) {
	if h.entry < 0 || h.levels[row] > h.levels[h.entry] {
		h.entry = int(row)
	}
}

// slicesBy cuts s into the longest runs whose elements are the same.
func slicesBy[T any](s []T, same func(a, b T) bool) func(yield func([]T) bool) {
	return func(yield func([]T) bool) {
		for start := 0; start < len(s); {
			end := start + 1
			for end < len(s) && same(s[start], s[end]) {
				end++
			}
			if !yield(s[start:end]) {
				return
			}
			start = end
		}
	}
}

// chooseLinks links row to its neighbours among the graph and the rows of its
// batch before it, on each of its layers (algorithm 1, lines 5 to 11), and
// gives the links that are to be made back. As in the authors' own program,
// the walk of a layer starts from the best row of the layer above alone.
//
// NB: it runs for several rows at the same time. It writes to slots of its own
// row only, which no walk reaches before the rows are linked back.
func (h *HNSW) chooseLinks(row uint32, before []uint32) []backLink {
	w := h.walkers.Get().(*walker)
	defer h.walkers.Put(w)
	query := h.vectors.Row(int(row))
	near := make([]float32, len(before))
	h.kernel.Gather(near, query, h.vectors.Data, before)

	top := -1
	var start Hit
	if h.entry >= 0 {
		top = int(h.levels[h.entry])
		start = w.hit(query, uint32(h.entry))
	}
	level := int(h.levels[row])
	for layer := top; layer > level; layer-- {
		start = w.walk(query, start, 1, layer)
	}
	var back []backLink
	for layer := level; layer >= 0; layer-- {
		w.best.reset(h.options.EfConstruction)
		if layer <= top {
			start = w.walk(query, start, h.options.EfConstruction, layer)
		}
		for i, other := range before {
			if int(h.levels[other]) >= layer {
				w.best.insert(Hit{int32(other), near[i]})
			}
		}
		chosen := h.selectNeighbours(w.best.appendHits(nil), h.options.M)
		h.setNeighbours(row, layer, chosen)
		for _, to := range chosen {
			back = append(back, backLink{layer, to, row})
		}
	}
	return back
}

// linkBack links one row to all rows of the batch that chose it on a layer, and
// where these are too many, chooses among old and new (algorithm 1, lines 12 to
// 16).
//
// NB: it runs for several rows at the same time, and writes to the slot of the
// one row and layer only.
func (h *HNSW) linkBack(links []backLink) {
	row, layer := links[0].to, links[0].layer
	all := slices.Clone(h.neighbours(row, layer))
	for _, link := range links {
		all = append(all, link.from)
	}
	if most := h.maxLinks(layer); len(all) > most {
		similarities := make([]float32, len(all))
		h.kernel.Gather(similarities, h.vectors.Row(int(row)), h.vectors.Data, all)
		candidates := make([]Hit, len(all))
		for i, other := range all {
			candidates[i] = Hit{int32(other), similarities[i]}
		}
		slices.SortFunc(candidates, compareHits)
		all = h.selectNeighbours(candidates, most)
	}
	h.setNeighbours(row, layer, all)
}

// selectNeighbours is SELECT-NEIGHBORS-HEURISTIC (algorithm 4): of candidates,
// the best first, it takes at most m, leaving out each that is no more similar to
// the row itself than to one taken before it. So links lead in many directions,
// and out of a cluster, where the m nearest would all lie together.
func (h *HNSW) selectNeighbours(candidates []Hit, m int) []uint32 {
	taken := make([]uint32, 0, min(m, len(candidates)))
	if len(candidates) <= m {
		for _, c := range candidates {
			taken = append(taken, uint32(c.Row))
		}
		return taken
	}
	for _, c := range candidates {
		if len(taken) == m {
			break
		}
		if h.diverse(c, taken) {
			taken = append(taken, uint32(c.Row))
		}
	}
	return taken
}

// diverse reports whether c is more similar to the row whose candidate it is
// than to any row taken.
func (h *HNSW) diverse(c Hit, taken []uint32) bool {
	var similarities [4]float32
	row := h.vectors.Row(int(c.Row))
	for len(taken) > 0 {
		n := min(4, len(taken))
		h.kernel.Gather(similarities[:n], row, h.vectors.Data, taken[:n])
		for _, s := range similarities[:n] {
			if s >= c.Similarity {
				return false
			}
		}
		taken = taken[n:]
	}
	return true
}
