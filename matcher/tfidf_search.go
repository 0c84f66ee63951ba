package matcher

import "slices"

// tfidfScratch is what one search works with.
type tfidfScratch struct {
	scores []float32 // by row
	vector []gramWeight
}

// Search gives the k concepts with the names most like query, each by the best of
// its names, the best concept first and ties in the order of IDs. A concept no
// name of which shares a gram with the query is not among them.
func (x *TFIDF) Search(query string, k int) []NameHit {
	s, _ := x.scratch.Get().(*tfidfScratch)
	if s == nil {
		s = &tfidfScratch{scores: make([]float32, len(x.names))}
	}
	defer x.scratch.Put(s)
	clear(s.scores)
	s.vector = x.vector(s.vector[:0], x.options.count(Normal(query)))
	for _, g := range s.vector {
		// The order of additions is that of grams, so scores are the same each time.
		weight := float32(g.weight)
		for _, e := range x.entries[x.starts[g.gram]:x.starts[g.gram+1]] {
			s.scores[e.row] += weight * e.weight
		}
	}
	return x.best(s.scores, k)
}

// conceptScore is a concept by its best row.
type conceptScore struct {
	score   float32
	concept int32
	row     int32
}

// best gives the k best concepts. They are kept in order as they are found:
// after the first few, hardly one of thousands is better than the last of them.
func (x *TFIDF) best(scores []float32, k int) []NameHit {
	k = max(0, min(k, len(x.concepts)))
	top := make([]conceptScore, 0, k+1)
	least := float32(0) // to be among the top
	for concept := range x.concepts {
		first := x.firstRow[concept]
		b := conceptScore{concept: int32(concept)}
		for i, score := range scores[first:x.firstRow[concept+1]] {
			if score > b.score {
				b.score, b.row = score, first+int32(i)
			}
		}
		if b.score <= least || k == 0 {
			continue
		}
		i, _ := slices.BinarySearchFunc(top, b.score, func(t conceptScore, score float32) int {
			if t.score >= score {
				return -1
			}
			return 1
		})
		top = slices.Insert(top, i, b)
		if len(top) > k {
			top = top[:k]
		}
		if len(top) == k {
			least = top[k-1].score
		}
	}
	hits := make([]NameHit, len(top))
	for i, t := range top {
		hits[i] = NameHit{Concept: x.concepts[t.concept], Name: x.names[t.row], Score: float64(t.score)}
	}
	return hits
}
