package knnindex

import (
	"cmp"
	"context"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// batchRows is the number of rows inserted at once. Searching the graph does not find rows of the same batch; instead
// each row is compared with all earlier rows of the batch, 512 on average. That is less work than a search, in memory
// that stays in cache (1.5 MB at 384 numbers).
const batchRows = 1024

// BuildHNSW returns a graph over v, which must not change afterwards. It returns an error if options are out of range
// or vectors are not whole rows. It inserts rows in order, in batches, so several workers can build:
//
//  1. Candidates for each row of the batch are found by searching the graph as it
//     was before the batch and by comparison with the earlier rows of the batch. Its
//     links are chosen among both. The links of one row do not depend on those of
//     another.
//  2. Each chosen row gets reverse links to all rows that chose it. They depend on the
//     choices, not on their order.
//
// So the graph depends only on the vectors, the options and the seed, not on the number of workers. (It may differ
// between machines with kernels that round differently: see package dot.) Its recall is that of a graph built row by
// row, because comparing all rows of the batch misses nothing that a search would find.
func BuildHNSW(ctx context.Context, v *Vectors, o HNSWOptions) (*HNSW, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := v.checkShape(); err != nil {
		return nil, err
	}
	found, firsts := findDuplicates(v)
	h := newHNSW(v, o, found)
	toHugePages(v.Data)
	toHugePages(h.links)
	for batch := range slices.Chunk(firsts, batchRows) {
		if err := h.insert(ctx, batch); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// reverseLink is a link to add on a layer from row to back to row from, which chose it.
type reverseLink struct {
	layer    int
	to, from uint32
}

// insert is INSERT (algorithm 1) for a batch of rows.
func (h *HNSW) insert(ctx context.Context, batch []uint32) error {
	chosen := make([][]reverseLink, len(batch))
	err := parallel.For(ctx, len(batch), h.options.Workers, func(i int) { chosen[i] = h.chooseLinks(batch[i], batch[:i]) })
	if err != nil {
		return err
	}
	links := slices.Concat(chosen...)
	slices.SortFunc(links, func(a, b reverseLink) int {
		return cmp.Or(cmp.Compare(a.layer, b.layer), cmp.Compare(a.to, b.to), cmp.Compare(a.from, b.from))
	})
	var byTarget [][]reverseLink
	for start, end := 0, 0; start < len(links); start = end {
		for end < len(links) && links[end].layer == links[start].layer && links[end].to == links[start].to {
			end++
		}
		byTarget = append(byTarget, links[start:end])
	}
	err = parallel.For(ctx, len(byTarget), h.options.Workers, func(i int) { h.addReverseLinks(byTarget[i]) })
	if err != nil {
		return err
	}
	for _, row := range batch {
		h.updateEntryPoint(row)
	}
	return nil
}

// updateEntryPoint makes row the entry point if its level is above that of the current one.
func (h *HNSW) updateEntryPoint(row uint32) {
	if h.entryPoint < 0 || h.levels[row] > h.levels[h.entryPoint] {
		h.entryPoint = int(row)
	}
}

// chooseLinks links row, on each of its layers, to neighbors in the graph and among the earlier rows of its batch
// (algorithm 1, lines 5 to 11), and returns the reverse links to add. As in the authors' implementation, the search of
// a layer starts only from the best row of the layer above.
//
// NB: it runs for several rows at the same time. It writes only to slots of its own row, which no search reaches until
// the reverse links are added.
func (h *HNSW) chooseLinks(row uint32, before []uint32) []reverseLink {
	s := h.searchers.Get().(*searcher)
	defer h.searchers.Put(s)
	query := h.vectors.Row(int(row))
	similarities := make([]float32, len(before))
	h.kernel.Gather(similarities, query, h.vectors.Data, before)

	top := -1
	var start Hit
	if h.entryPoint >= 0 {
		top = int(h.levels[h.entryPoint])
		start = s.compare(query, uint32(h.entryPoint))
	}
	level := int(h.levels[row])
	for layer := top; layer > level; layer-- {
		start = s.searchLayer(query, start, 1, layer)
	}
	var reverse []reverseLink
	for layer := level; layer >= 0; layer-- {
		s.best.reset(h.options.EfConstruction)
		if layer <= top {
			start = s.searchLayer(query, start, h.options.EfConstruction, layer)
		}
		for i, other := range before {
			if int(h.levels[other]) >= layer {
				s.best.insert(Hit{int32(other), similarities[i]})
			}
		}
		chosen := h.selectNeighbors(s.best.appendHits(nil), h.options.M)
		h.setNeighbors(row, layer, chosen)
		for _, to := range chosen {
			reverse = append(reverse, reverseLink{layer, to, row})
		}
	}
	return reverse
}

// addReverseLinks links one row to all rows of the batch that chose it on a layer. If that makes too many links, it
// chooses among old and new ones (algorithm 1, lines 12 to 16).
//
// NB: it runs for several rows at the same time. It writes only to the slot of its row and layer.
func (h *HNSW) addReverseLinks(links []reverseLink) {
	row, layer := links[0].to, links[0].layer
	all := slices.Clone(h.neighbors(row, layer))
	for _, link := range links {
		all = append(all, link.from)
	}
	if maxLinks := h.maxLinks(layer); len(all) > maxLinks {
		similarities := make([]float32, len(all))
		h.kernel.Gather(similarities, h.vectors.Row(int(row)), h.vectors.Data, all)
		candidates := make([]Hit, len(all))
		for i, other := range all {
			candidates[i] = Hit{int32(other), similarities[i]}
		}
		slices.SortFunc(candidates, compareHits)
		all = h.selectNeighbors(candidates, maxLinks)
	}
	h.setNeighbors(row, layer, all)
}

// selectNeighbors is SELECT-NEIGHBORS-HEURISTIC (algorithm 4). It takes at most m of the candidates, which are in
// descending order of similarity, and skips a candidate that is no more similar to the row itself than to one already
// taken. So links lead in many directions and out of a cluster, while the nearest m could all lie in one cluster.
func (h *HNSW) selectNeighbors(candidates []Hit, m int) []uint32 {
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

// diverse reports whether candidate c is more similar to its row than to any row in taken.
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
