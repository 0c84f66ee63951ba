package knnindex

// walker is the memory of one search: what it has seen and what it keeps.
type walker struct {
	h    *HNSW
	best beam

	// visited[row] == version says that this walk has compared the row. A new walk
	// takes a new version, and the array is cleared when the versions run out,
	// every 65,535 walks.
	visited []uint16
	version uint16

	rows         []uint32 // neighbours to compare
	similarities []float32
}

func newWalker(h *HNSW) *walker {
	most := h.maxLinks(0)
	return &walker{
		h:            h,
		visited:      make([]uint16, h.Len()),
		rows:         make([]uint32, 0, most),
		similarities: make([]float32, most),
	}
}

// hit compares one row.
func (w *walker) hit(query []float32, row uint32) Hit {
	return Hit{int32(row), w.h.kernel.Dot(query, w.h.vectors.Row(int(row)))}
}

// walk is SEARCH-LAYER (algorithm 2): from start, it expands the best row that
// is not expanded, as long as there is one among the ef best seen. These are in
// w.best after; the very best is returned.
//
// That is the loop of the paper, which stops when the nearest candidate is
// further than the furthest of ef found: such a candidate falls out of the beam.
func (w *walker) walk(query []float32, start Hit, ef, layer int) Hit {
	h := w.h
	w.version++
	if w.version == 0 {
		clear(w.visited)
		w.version = 1
	}
	w.best.reset(ef)
	w.best.insert(start)
	w.visited[start.Row] = w.version
	for {
		from, ok := w.best.expand()
		if !ok {
			return w.best.entries[0].Hit
		}
		w.rows = w.rows[:0]
		for _, row := range h.neighbours(uint32(from.Row), layer) {
			if w.visited[row] != w.version {
				w.visited[row] = w.version
				w.rows = append(w.rows, row)
			}
		}
		h.kernel.Gather(w.similarities, query, h.vectors.Data, w.rows)
		for i, row := range w.rows {
			w.best.insert(Hit{int32(row), w.similarities[i]})
		}
	}
}
