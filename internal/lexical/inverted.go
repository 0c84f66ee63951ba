package lexical

// invertedIndex holds a posting list for each feature (a gram, a word): the rows that
// contain the feature, in order, and its weight in each.
type invertedIndex struct {
	starts   []int // feature -> index of its first posting; one more for the end
	postings []posting
}

// posting is one entry of a posting list.
type posting struct {
	row    int32
	weight float32
}

// weighted is one element of a sparse vector.
type weighted struct {
	feature int32
	weight  float64
}

// newInvertedIndex returns an empty index with room for sizes[f] postings of each
// feature f, and the cursors that fill it.
func newInvertedIndex(sizes []int) (x invertedIndex, cursors postingCursors) {
	total := 0
	for _, size := range sizes {
		x.starts = append(x.starts, total)
		total += size
	}
	cursors = append([]int(nil), x.starts...)
	x.starts = append(x.starts, total)
	x.postings = make([]posting, total)
	return x, cursors
}

// postingCursors holds the index of the next posting of each feature.
type postingCursors []int

// put adds a posting. Rows must be added in order.
func (c postingCursors) put(x *invertedIndex, feature, row int32, weight float64) {
	x.postings[c[feature]] = posting{row, float32(weight)}
	c[feature]++
}

// list returns the posting list of a feature.
func (x *invertedIndex) list(feature int32) []posting {
	return x.postings[x.starts[feature]:x.starts[feature+1]]
}

// addDotProducts adds to the score of each row its dot product with a vector. It adds
// in the order of the vector, so scores are the same in every run.
func (x *invertedIndex) addDotProducts(scores []float32, vector []weighted) {
	for _, f := range vector {
		weight := float32(f.weight)
		list := x.list(f.feature)
		for ; len(list) >= 4; list = list[4:] { // four in a round, which is faster than one
			scores[list[0].row] += weight * list[0].weight
			scores[list[1].row] += weight * list[1].weight
			scores[list[2].row] += weight * list[2].weight
			scores[list[3].row] += weight * list[3].weight
		}
		for _, p := range list {
			scores[p.row] += weight * p.weight
		}
	}
}
