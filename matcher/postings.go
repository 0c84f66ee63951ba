package matcher

// postings are the lists of an inverted index: for each feature (a gram, a word)
// the rows that hold it, in order, and its weight in each.
type postings struct {
	starts  []int // feature -> where its entries start; one more for the end
	entries []entry
}

type entry struct {
	row    int32
	weight float32
}

// weighted is one element of a sparse vector.
type weighted struct {
	feature int32
	weight  float64
}

// newPostings has room for sizes[f] entries of each feature f.
func newPostings(sizes []int) (p postings, fill *postingsFill) {
	total := 0
	for _, size := range sizes {
		p.starts = append(p.starts, total)
		total += size
	}
	fill = &postingsFill{append([]int(nil), p.starts...)}
	p.starts = append(p.starts, total)
	p.entries = make([]entry, total)
	return p, fill
}

// postingsFill says where the next entry of each feature goes.
type postingsFill struct{ next []int }

// put adds an entry; rows come in order.
func (f *postingsFill) put(p *postings, feature, row int32, weight float64) {
	p.entries[f.next[feature]] = entry{row, float32(weight)}
	f.next[feature]++
}

// of is the list of a feature.
func (p *postings) of(feature int32) []entry {
	return p.entries[p.starts[feature]:p.starts[feature+1]]
}

// addTo adds to the score of each row its product with the vector. The additions
// are made in the order of the vector, so scores are the same each time.
func (p *postings) addTo(scores []float32, vector []weighted) {
	for _, f := range vector {
		weight := float32(f.weight)
		for _, e := range p.of(f.feature) {
			scores[e.row] += weight * e.weight
		}
	}
}
