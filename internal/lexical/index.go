package lexical

import (
	"fmt"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/kb"
)

// The lengths of the word grams that an [Index] compares. They and the other constants of Index were chosen on the dev
// sets of NCBI Disease, BC5CDR and MedMentions.
const (
	minGram = 2
	maxGram = 4
)

// Index finds the names most similar to a query, word by word. A word w has the vector
//
//	w[g] = d(w) * (ln((1 + N) / (1 + df(g))) + 1)
//
// over the grams g of the word padded with a space on both sides. N is the number of names, including those that are
// not searched, and df(g) the number of names that contain g. The factor d is 2 for a designator (one character, or a
// number of at most three characters: the B of "hepatitis B") and 1 for any other word, since short words have few
// grams. The vector of a query q or a name n is the sum of the vectors of its distinct words, and
//
//	score(q, n) = Σ over words t of q: max(t·n, r(t, a)·a·n for each a) / (|q| |n|)
//
// where a ranges over the words of n that are synonyms of t with probability p (see replacementCounts), and
//
//	r(t, a) = .9 * p^(1/4) * min(1, |t| / |a|)
//
// A query word that occurs in no name is also replaced by the words that it may misspell, with .9 for each error
// instead of .9 p^(1/4); see [TypingErrors]. This applies only to the first 16 such words of a query. Without synonyms
// the score is the cosine of q and n, which is 1 for equal names. A word of the name can be the synonym of only one
// word of the query, the one that gains the most. A name with synonyms scores less than 1.
//
// A query scores at least .95 with a short name that has the same letters and digits but is joined or split differently
// (IL-6, IL6; see normalize.JoinedForm), because such words have few grams in common.
//
// Since t·n is the sum of t·w over the words w of n, the search goes from grams to words and from words to names. An
// index takes some 80 bytes a name besides its text, most of them for the word numbers. It consists of arrays, which
// are built in memory or mapped from a file, and is safe for concurrent use.
type Index struct {
	names    safetensors.Strings    // text of each row, as written in the dictionary
	ids      func(int) kb.ConceptID // concept -> its ID
	concepts []int32                // row -> concept
	order    []int32                // row -> its place when names are ordered by concept, then by position
	scales   []float32              // row -> 1/|n|
	words    safetensors.Lists      // row -> numbers of its words, ascending
	shares   []float32              // w·n/|n| for each word w of a row n, parallel to words
	rows     safetensors.Lists      // word -> rows that contain it
	lexicon  safetensors.Strings    // the words of the names, ascending
	factors  []uint8                // word -> d(w)
	inverses []float32              // word -> 1/|w|
	squares  []float64              // word -> |w|²
	grams    safetensors.Lists      // word -> its grams
	having   safetensors.Lists      // gram -> words that contain it
	texts    safetensors.Strings    // the grams, ascending
	idf      []float64              // by gram, and last that of an unknown gram
	synonyms safetensors.Lists      // word -> words that may replace it
	weights  []float64              // .9 p^(1/4) of each synonym, parallel to synonyms
	joined   keyTable               // joined form -> rows; see normalize.JoinedForm
	groups   []int32                // number of words -> first row with at least as many

	scratch sync.Pool // of *search
}

// word is a word of a query or a name.
type word struct {
	number  int32      // in the lexicon; -1 if it is not there
	grams   []weighted // its vector, without grams that occur in no name
	squares float64    // squared length, including grams that occur in no name
}

// wordOf returns the vector of a word, which may be missing from the lexicon.
func (x *Index) wordOf(text string) word {
	factor := wordWeight(text)
	if number, ok := x.lexicon.Find(text); ok {
		w := word{number: int32(number), squares: x.squares[number]}
		for _, gram := range x.grams.At(w.number) {
			w.grams = append(w.grams, weighted{gram, factor * x.idf[gram]})
		}
		return w
	}
	w, unknown := word{number: -1}, x.idf[len(x.idf)-1]
	for _, gram := range distinctGrams(text) {
		if number, known := x.texts.Find(gram); known {
			weight := factor * x.idf[number]
			w.grams = append(w.grams, weighted{int32(number), weight})
			w.squares += weight * weight
		} else {
			w.squares += factor * unknown * factor * unknown
		}
	}
	return w
}

// distinctGrams returns the distinct grams of a word padded with a space on both sides, ascending.
func distinctGrams(word string) []string {
	var grams []string // about thirty
	eachGram(" "+word+" ", minGram, maxGram, func(gram string) { grams = append(grams, gram) })
	slices.Sort(grams)
	return slices.Compact(grams)
}

const (
	designatorWeight = 2
	joinedScore      = .95
	synonymWeight    = .9
	synonymExponent  = .25
	mostBySynonyms   = .999 // maximum score of a name that matches by synonyms
	leastMisspelled  = .08  // minimum cosine of a word with one that it may misspell
	maxMisspelled    = 16   // maximum number of query words to correct; each is compared with a part of the lexicon
	maxDesignator    = 3    // maximum bytes of a number with its letters: 2, 11, 12q
)

// wordWeight returns the factor d of a word.
func wordWeight(word string) float64 {
	first, size := utf8.DecodeRuneInString(word)
	if size == len(word) || len(word) <= maxDesignator && '0' <= first && first <= '9' {
		return designatorWeight
	}
	return 1
}

// Fields returns the arrays of an index as fields of a file.
func (x *Index) Fields() []safetensors.Field {
	return []safetensors.Field{
		{Name: "names", Data: &x.names}, {Name: "concepts", Data: &x.concepts}, {Name: "order", Data: &x.order},
		{Name: "scales", Data: &x.scales}, {Name: "words", Data: &x.words}, {Name: "shares", Data: &x.shares},
		{Name: "groups", Data: &x.groups}, {Name: "rows", Data: &x.rows}, {Name: "lexicon", Data: &x.lexicon},
		{Name: "factors", Data: &x.factors}, {Name: "squares", Data: &x.squares}, {Name: "inverses", Data: &x.inverses},
		{Name: "grams", Data: &x.grams}, {Name: "having", Data: &x.having}, {Name: "texts", Data: &x.texts},
		{Name: "idf", Data: &x.idf}, {Name: "synonyms", Data: &x.synonyms}, {Name: "weights", Data: &x.weights},
		{Name: "joined.", Data: &x.joined},
	}
}

// Check returns an error if the lengths of the arrays in a file do not match.
func (x *Index) Check() error {
	rows, words, grams := x.names.Len(), x.lexicon.Len(), x.texts.Len()
	for _, lengths := range [][]int{
		{rows, len(x.concepts), len(x.order), len(x.scales), x.words.Len()}, {len(x.shares), len(x.words.Values())},
		{words, x.rows.Len(), len(x.factors), len(x.squares), len(x.inverses), x.grams.Len(), x.synonyms.Len()},
		{grams + 1, x.having.Len() + 1, len(x.idf)}, {len(x.weights), len(x.synonyms.Values())},
	} {
		for _, length := range lengths {
			if length != lengths[0] {
				return fmt.Errorf("want arrays of %d elements, got %v", lengths[0], lengths)
			}
		}
	}
	return nil
}
