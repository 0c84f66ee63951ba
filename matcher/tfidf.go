package matcher

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"ctxnorm"
)

// TFIDFOptions says what runs of characters (grams) names are compared by. The
// zero value is not valid; [PaperTFIDF] is the baseline of the BioCoM paper.
type TFIDFOptions struct {
	MinGram     int  `json:"min_gram"`     // characters in the shortest gram, 1 or more
	MaxGram     int  `json:"max_gram"`     // characters in the longest gram, MinGram or more
	WordBounded bool `json:"word_bounded"` // grams within words only, with the spaces around them
	Sublinear   bool `json:"sublinear"`    // a gram that occurs n times counts 1 + ln n, not n
}

// PaperTFIDF are grams of one and two characters, the baseline of Ujiie, Iso &
// Aramaki, "文脈化埋め込み表現を用いた対照学習による病名正規化", 2021.
func PaperTFIDF() TFIDFOptions { return TFIDFOptions{MinGram: 1, MaxGram: 2} }

func (o TFIDFOptions) validate() error {
	if o.MinGram < 1 || o.MaxGram < o.MinGram {
		return fmt.Errorf("TF-IDF: grams of %d to %d characters, want 1 <= min <= max", o.MinGram, o.MaxGram)
	}
	return nil
}

// TFIDF finds the names most like a query by the cosine of their vectors of
// grams, weighted as scikit-learn's TfidfVectorizer does by default:
//
//	weight of gram g in name s = tf(g, s) * (ln((1 + N) / (1 + df(g))) + 1)
//
// for N names, df(g) of which hold g; tf is the number of times that g occurs in
// s, or 1 + ln of it if Sublinear. A query is weighted alike, over the grams that
// any name has. All vectors are of unit length. A name counts once for each of its concepts.
//
// The index is inverted: for each gram the names that hold it. A query adds up
// the scores of all names gram by gram, so the best are exact. It is safe for
// concurrent use.
type TFIDF struct {
	options  TFIDFOptions
	grams    map[string]int32 // gram -> number, in the order of grams
	idf      []float64
	postings postings // gram -> names
	rows     nameRows
	scratch  sync.Pool // of *tfidfScratch
}

// NewTFIDF indexes every name of d that holds a gram.
func NewTFIDF(d *ctxnorm.Dictionary, options TFIDFOptions) (*TFIDF, error) {
	if err := options.validate(); err != nil {
		return nil, err
	}
	x := &TFIDF{options: options, grams: make(map[string]int32)}
	ids, names := namesOf(d)
	rows, perRow := newNameRows(ids, names, func(name string) (string, map[string]int, string) {
		key := Normal(name)
		counts := options.count(key)
		if len(counts) == 0 {
			key = ""
		}
		return name, counts, key
	})
	x.rows = rows
	x.invert(perRow)
	return x, nil
}

// invert gives each gram its number and its idf, and fills the postings; perRow
// is how often a row holds each gram.
func (x *TFIDF) invert(perRow []map[string]int) {
	df := make(map[string]int)
	for _, counts := range perRow {
		for gram := range counts {
			df[gram]++
		}
	}
	var sizes []int
	for _, gram := range slices.Sorted(maps.Keys(df)) {
		x.grams[gram] = int32(len(x.idf))
		x.idf = append(x.idf, inverseFrequency(len(perRow), df[gram]))
		sizes = append(sizes, df[gram])
	}
	p, fill := newPostings(sizes)
	var vector []weighted
	for row, counts := range perRow {
		vector = x.vector(vector[:0], counts)
		for _, g := range vector {
			fill.put(&p, g.feature, int32(row), g.weight)
		}
	}
	x.postings = p
}

// inverseFrequency is the weight of a gram that df of n names hold, smoothed as
// if one more name held every gram.
func inverseFrequency(n, df int) float64 { return math.Log(float64(1+n)/float64(1+df)) + 1 }

// count counts the grams of a name.
func (o TFIDFOptions) count(name string) map[string]int {
	counts := make(map[string]int)
	o.eachGram(name, func(gram string) { counts[gram]++ })
	return counts
}

// vector appends the vector of a name, of unit length, in the order of grams.
func (x *TFIDF) vector(dst []weighted, counts map[string]int) []weighted {
	for gram, n := range counts {
		number, ok := x.grams[gram]
		if !ok {
			continue
		}
		tf := float64(n)
		if x.options.Sublinear {
			tf = 1 + math.Log(tf)
		}
		dst = append(dst, weighted{number, tf * x.idf[number]})
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
