package lexical

import (
	"fmt"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
)

// TFIDFOptions selects the character n-grams by which names are compared. The zero
// value is not valid; [PaperTFIDF] is the baseline of the BioCoM paper.
type TFIDFOptions struct {
	MinGram     int  `json:"min_gram"`     // characters in the shortest gram, 1 or more
	MaxGram     int  `json:"max_gram"`     // characters in the longest gram, MinGram or more
	WordBounded bool `json:"word_bounded"` // grams lie within a word, with the spaces around it
	Sublinear   bool `json:"sublinear"`    // a gram that occurs n times has the term frequency 1 + ln n, not n
}

// PaperTFIDF returns the options for grams of one and two characters, the baseline of Ujiie, Iso &
// Aramaki, "文脈化埋め込み表現を用いた対照学習による病名正規化", 2021.
func PaperTFIDF() TFIDFOptions { return TFIDFOptions{MinGram: 1, MaxGram: 2} }

func (o TFIDFOptions) validate() error {
	if o.MinGram < 1 || o.MaxGram < o.MinGram {
		return fmt.Errorf("min_gram is %d and max_gram is %d, want 1 <= min_gram <= max_gram", o.MinGram, o.MaxGram)
	}
	return nil
}

// TFIDF finds the names most similar to a query by the cosine of their gram vectors,
// weighted as scikit-learn's TfidfVectorizer does by default:
//
//	weight of gram g in name s = tf(g, s) * (ln((1 + N) / (1 + df(g))) + 1)
//
// N is the number of names with a gram and df(g) the number of names that contain g. tf is the
// number of times that g occurs in s, or 1 + ln of it if Sublinear is set. A query is
// weighted in the same way, over the grams that occur in any name. All vectors have
// unit length. A name counts once for each of its concepts.
//
// TFIDF is safe for concurrent use; for its working see [GramIndex].
type TFIDF struct {
	grams *GramIndex
	rows  nameRows
}

// NewTFIDF returns an index of every name of d that contains a gram. It fails if options
// are not valid.
func NewTFIDF(d *kb.Dictionary, options TFIDFOptions) (*TFIDF, error) {
	if err := options.validate(); err != nil {
		return nil, err
	}
	ids, names := namesOf(d)
	rows, perRow := newNameRows(ids, names, func(name string) (string, map[string]int, string) {
		key := normalize.Normal(name)
		counts := options.count(key)
		if len(counts) == 0 {
			key = ""
		}
		return name, counts, key
	})
	return &TFIDF{grams: newGramIndex(perRow, options), rows: rows}, nil
}

// count returns the number of times that each gram occurs in a name.
func (o TFIDFOptions) count(name string) map[string]int {
	counts := make(map[string]int)
	o.eachGram(name, func(gram string) { counts[gram]++ })
	return counts
}

// Search returns the k concepts whose names are most similar to query, each with its
// best name, in descending order of score, ties in the order of IDs. A concept is left
// out if no name of it shares a gram with the query.
func (x *TFIDF) Search(query string, k int) (hits []NameHit) {
	x.grams.withScores(normalize.Normal(query), func(scores []float32) { hits = x.rows.best(scores, k) })
	return hits
}

// eachGram calls yield for each occurrence of a gram in a name in normal form. The
// grams are those of scikit-learn's TfidfVectorizer with the analyzer "char", or
// "char_wb" if WordBounded is set: each word is padded with a space on both sides, and
// a word that is shorter than a gram is one gram.
func (o TFIDFOptions) eachGram(name string, yield func(gram string)) {
	if !o.WordBounded {
		o.eachNGram(name, yield)
		return
	}
	for word := range strings.FieldsSeq(name) {
		o.eachNGram(" "+word+" ", yield)
	}
}

// eachNGram calls yield for each gram of a string.
func (o TFIDFOptions) eachNGram(s string, yield func(gram string)) {
	var few [64]int
	starts := few[:0] // of characters, and the end
	for i := range s {
		starts = append(starts, i)
	}
	length := len(starts)
	starts = append(starts, len(s))
	if o.WordBounded && length < o.MinGram {
		yield(s)
		return
	}
	for n := o.MinGram; n <= min(o.MaxGram, length); n++ {
		for i := 0; i+n <= length; i++ {
			yield(s[starts[i]:starts[i+n]])
		}
	}
}
