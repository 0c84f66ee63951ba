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

// PaperTFIDF are grams of one and two characters, the baseline of Ujiie et al.,
// "Biomedical Entity Linking with Contrastive Context Matching", 2021.
func PaperTFIDF() TFIDFOptions { return TFIDFOptions{MinGram: 1, MaxGram: 2} }

// LexicalTFIDF are grams of two to four characters, which link better.
func LexicalTFIDF() TFIDFOptions { return TFIDFOptions{MinGram: 2, MaxGram: 4} }

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
	starts   []int // gram number -> where its entries start; one more for the end
	entries  []gramEntry
	names    []string // row -> name, in the order of concepts
	concepts []ctxnorm.ConceptID
	firstRow []int32   // concept -> its first row; one more for the end
	scratch  sync.Pool // of *tfidfScratch
}

type gramEntry struct {
	row    int32
	weight float32
}

// NameHit is a concept by the name of it that is most like a query.
type NameHit struct {
	Concept ctxnorm.ConceptID
	Name    string  // as the dictionary has it; the first of several alike
	Score   float64 // cosine, in (0, 1]
}

// NewTFIDF indexes every name of d that holds a gram.
func NewTFIDF(d *ctxnorm.Dictionary, options TFIDFOptions) (*TFIDF, error) {
	if err := options.validate(); err != nil {
		return nil, err
	}
	x := &TFIDF{options: options, grams: make(map[string]int32)}
	var perRow []map[string]int // how often a row holds each gram
	df := make(map[string]int)
	for i := range d.Len() {
		concept := d.At(i)
		x.concepts = append(x.concepts, concept.ID)
		x.firstRow = append(x.firstRow, int32(len(x.names)))
		seen := make(map[string]bool)
		for _, name := range concept.Names() {
			key := Normal(name)
			counts := options.count(key)
			if seen[key] || len(counts) == 0 {
				continue
			}
			seen[key] = true
			for gram := range counts {
				df[gram]++
			}
			x.names = append(x.names, name)
			perRow = append(perRow, counts)
		}
	}
	x.firstRow = append(x.firstRow, int32(len(x.names)))
	x.number(df)
	x.invert(perRow)
	return x, nil
}

// number gives each gram its number, its idf and the place of its entries.
func (x *TFIDF) number(df map[string]int) {
	total := 0
	for _, gram := range slices.Sorted(maps.Keys(df)) {
		x.grams[gram] = int32(len(x.idf))
		x.idf = append(x.idf, math.Log(float64(1+len(x.names))/float64(1+df[gram]))+1)
		x.starts = append(x.starts, total)
		total += df[gram]
	}
	x.starts = append(x.starts, total)
	x.entries = make([]gramEntry, total)
}

// invert fills the entries, those of a gram in the order of rows.
func (x *TFIDF) invert(perRow []map[string]int) {
	next := slices.Clone(x.starts)
	var vector []gramWeight
	for row, counts := range perRow {
		vector = x.vector(vector[:0], counts)
		for _, g := range vector {
			x.entries[next[g.gram]] = gramEntry{row: int32(row), weight: float32(g.weight)}
			next[g.gram]++
		}
	}
}

// count counts the grams of a name.
func (o TFIDFOptions) count(name string) map[string]int {
	counts := make(map[string]int)
	o.eachGram(name, func(gram string) { counts[gram]++ })
	return counts
}

// gramWeight is one element of a sparse vector.
type gramWeight struct {
	gram   int32
	weight float64
}

// vector appends the vector of a name, of unit length, in the order of grams.
func (x *TFIDF) vector(dst []gramWeight, counts map[string]int) []gramWeight {
	for gram, n := range counts {
		number, ok := x.grams[gram]
		if !ok {
			continue
		}
		tf := float64(n)
		if x.options.Sublinear {
			tf = 1 + math.Log(tf)
		}
		dst = append(dst, gramWeight{number, tf * x.idf[number]})
	}
	slices.SortFunc(dst, func(a, b gramWeight) int { return cmp.Compare(a.gram, b.gram) })
	squares := 0.0
	for _, g := range dst {
		squares += g.weight * g.weight
	}
	for i := range dst {
		dst[i].weight /= math.Sqrt(squares)
	}
	return dst
}
