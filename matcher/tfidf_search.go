package matcher

// tfidfScratch is what one search works with.
type tfidfScratch struct {
	scores []float32 // by row
	vector []weighted
}

// Search gives the k concepts with the names most like query, each by the best of
// its names, the best concept first and ties in the order of IDs. A concept no
// name of which shares a gram with the query is not among them.
func (x *TFIDF) Search(query string, k int) []NameHit {
	s, _ := x.scratch.Get().(*tfidfScratch)
	if s == nil {
		s = &tfidfScratch{scores: make([]float32, len(x.rows.names))}
	}
	defer x.scratch.Put(s)
	clear(s.scores)
	s.vector = x.vector(s.vector[:0], x.options.count(Normal(query)))
	x.postings.addTo(s.scores, s.vector)
	return x.rows.best(s.scores, k)
}
