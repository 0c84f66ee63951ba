package lexical

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
)

// GramIndex compares strings with a list of names by the cosine of their vectors of grams of one and two characters,
// weighted like scikit-learn's TfidfVectorizer by default:
//
//	weight of gram g in name s = tf(g, s) * (ln((1 + N) / (1 + df(g))) + 1)
//
// N is the number of names, df(g) the number of names that contain g, and tf the number of times g occurs in s. A query
// is weighted in the same way, over the grams that occur in any name. It is the baseline of Ujiie, Iso & Aramaki,
// "文脈化埋め込み表現を用いた対照学習による病名正規化", 2021.
//
// GramIndex knows no concepts: row i is name i of the list. An inverted index maps each gram to the rows that contain
// it, so the result is exact. It is safe for concurrent use.
type GramIndex struct {
	rows   int
	grams  map[string]int32 // gram -> number, in the order of grams
	idf    []float64        // by gram
	byGram [][]posting      // gram -> rows with their weights
}

// posting is a row that contains a gram, with the gram's weight in it.
type posting struct {
	row    int32
	weight float32
}

// weighted is one element of a sparse vector.
type weighted struct {
	feature int32
	weight  float64
}

// NewGramIndex returns an index of names. It compares them as they are: the caller normalizes names and queries in the
// same way.
func NewGramIndex(names []string) *GramIndex {
	perRow := make([]map[string]int, len(names))
	onAllCores(len(names), func(i int) { perRow[i] = countGrams(names[i]) })
	x := &GramIndex{rows: len(perRow), grams: make(map[string]int32)}
	df := make(map[string]int)
	for _, counts := range perRow {
		for gram := range counts {
			df[gram]++
		}
	}
	for _, gram := range slices.Sorted(maps.Keys(df)) {
		x.grams[gram] = int32(len(x.idf))
		x.idf = append(x.idf, idf(len(perRow), df[gram]))
	}
	x.byGram = make([][]posting, len(x.idf))
	for row, counts := range perRow {
		for _, g := range x.vector(counts) {
			x.byGram[g.feature] = append(x.byGram[g.feature], posting{int32(row), float32(g.weight)})
		}
	}
	return x
}

// countGrams returns how often each gram of one or two characters occurs in a name.
func countGrams(name string) map[string]int {
	counts := make(map[string]int)
	eachGram(name, 1, 2, func(gram string) { counts[gram]++ })
	return counts
}

// eachGram calls yield for each run of least to most characters in s.
func eachGram(s string, least, most int, yield func(gram string)) {
	var few [64]int
	starts := few[:0] // byte offsets of characters, and the end
	for i := range s {
		starts = append(starts, i)
	}
	length := len(starts)
	starts = append(starts, len(s))
	for n := least; n <= min(most, length); n++ {
		for i := 0; i+n <= length; i++ {
			yield(s[starts[i]:starts[i+n]])
		}
	}
}

// idf returns the inverse document frequency of a gram that occurs in df of n names, smoothed as if one more name
// contained every gram.
func idf(n, df int) float64 { return math.Log(float64(1+n)/float64(1+df)) + 1 }

// vector returns the unit-length vector of a name, in the order of grams.
func (x *GramIndex) vector(counts map[string]int) (dst []weighted) {
	for gram, n := range counts {
		number, ok := x.grams[gram]
		if !ok {
			continue
		}
		dst = append(dst, weighted{number, float64(n) * x.idf[number]})
	}
	slices.SortFunc(dst, func(a, b weighted) int { return cmp.Compare(a.feature, b.feature) })
	squares := 0.0
	for _, g := range dst {
		squares += g.weight * g.weight
	}
	for i := range dst {
		dst[i].weight /= math.Sqrt(squares)
	}
	return dst
}

// Scores returns the score of every row for a query.
func (x *GramIndex) Scores(query string) []float32 {
	scores := make([]float32, x.rows)
	for _, g := range x.vector(countGrams(query)) {
		weight := float32(g.weight)
		for _, p := range x.byGram[g.feature] {
			scores[p.row] += weight * p.weight
		}
	}
	return scores
}

// Highest returns the k rows with the highest scores, or all rows if there are fewer. Equal scores are ordered by row.
func Highest(scores []float32, k int) (rows []int32) {
	top := topConcepts{k: max(0, min(k, len(scores)))}
	for row, score := range scores {
		if score >= top.least {
			top.offer(conceptScore{score: score, concept: int32(row)})
		}
	}
	for _, t := range top.best {
		rows = append(rows, t.concept)
	}
	return rows
}

// TFIDF finds the names of a dictionary most similar to a query, with a [GramIndex] of their normal forms. A name is
// indexed once for each of its concepts. It is safe for concurrent use.
type TFIDF struct {
	grams    *GramIndex
	dict     *kb.Dictionary
	names    []string // by row, as the dictionary writes them
	concepts []int32  // by row, in the order of concepts
}

// NewTFIDF returns an index of every name of d that contains a gram.
func NewTFIDF(d *kb.Dictionary) *TFIDF {
	x := &TFIDF{dict: d}
	var keys []string
	for i, concept := range d.All() {
		seen := map[string]bool{"": true}
		for _, name := range concept.Names() {
			if key := normalize.Normal(name); !seen[key] {
				seen[key] = true
				x.names, x.concepts, keys = append(x.names, name), append(x.concepts, int32(i)), append(keys, key)
			}
		}
	}
	x.grams = NewGramIndex(keys)
	return x
}

// Search returns the k concepts whose names are most similar to query, each with its best name, in descending order of
// score. Equal scores are ordered by ID. It omits concepts without a name that shares a gram with the query.
func (x *TFIDF) Search(query string, k int) []NameHit {
	top := topConcepts{k: max(0, min(k, len(x.names)))}
	for row, score := range x.grams.Scores(normalize.Normal(query)) {
		if score > 0 && score >= top.least {
			top.offer(conceptScore{score, x.concepts[row], int32(row), int32(row)})
		}
	}
	hits := make([]NameHit, len(top.best))
	for i, t := range top.best {
		hits[i] = NameHit{Concept: x.dict.ID(int(t.concept)), Name: x.names[t.row], Score: float64(t.score)}
	}
	return hits
}
