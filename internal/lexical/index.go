package lexical

import (
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/kb"
)

// The grams of words that an [Index] compares. They, and the other constants of Index, were chosen on the dev sets of
// NCBI Disease, BC5CDR and MedMentions.
const (
	minGram = 2
	maxGram = 4
)

// Index finds the names most similar to a query, word by word. A word w has the vector
//
//	w[g] = d(w) * (ln((1 + N) / (1 + df(g))) + 1)
//
// over the grams g of the word padded with a space on both sides. N is the number of names, also of those not searched,
// and df(g) the number of names that contain g. The factor d is 2 for a designator (one character, or a number of at
// most three characters: the B of "hepatitis B") and 1 for any other word, since short words have few grams. The vector
// of a query q or a name n is the sum of the vectors of its distinct words, and
//
//	score(q, n) = Σ over words t of q: max(t·n, r(t, a)·a·n for each a) / (|q| |n|)
//
// where a ranges over the words of n that are synonyms of t with probability p (see replacementCounts), and
//
//	r(t, a) = .9 * p^(1/4) * min(1, |t| / |a|)
//
// A word that is in no name is also replaced by the words that it may misspell, with .9 for each error in place of
// .9 p^(1/4); see [TypingErrors]. Only the first 16 such words of a query are replaced. Without synonyms the score is the
// cosine of q and n, 1 for equal names. A word of the name is the synonym of one word of the query, the one that gains
// the most, and a name with synonyms scores less than 1.
//
// A query that has the same letters and digits as a short name, which is joined or apart in another way (IL-6, IL6;
// see normalize.JoinedForm), scores at least .95 with it: such words have few grams in common.
//
// Since t·n is the sum of t·w over the words w of n, grams lead to words and words to names: an index takes some 80
// bytes a name besides its text, most of them for the numbers of its words. It consists of arrays, which are built in
// memory or mapped from a file, and is safe for concurrent use.
type Index struct {
	names    safetensors.Strings    // the text of each row, as the dictionary writes it
	ids      func(int) kb.ConceptID // of a concept
	concepts []int32                // row -> concept
	order    []int32                // row -> its place in the order of concepts and of their names
	scales   []float32              // row -> 1/|n|
	words    safetensors.Lists      // row -> its words, ascending
	shares   []float32              // w·n/|n| for each word w of a row n, parallel to words
	rows     safetensors.Lists      // word -> the rows that have it
	lexicon  safetensors.Strings    // the words that names have, ascending
	factors  []uint8                // word -> d(w)
	inverses []float32              // word -> 1/|w|
	squares  []float64              // word -> |w|²
	grams    safetensors.Lists      // word -> its grams
	having   safetensors.Lists      // gram -> the words that have it
	texts    safetensors.Strings    // the grams, ascending
	idf      []float64              // by gram, then of one that no name has
	synonyms safetensors.Lists      // word -> the words that replace it
	weights  []float64              // .9 p^(1/4) of each, parallel to synonyms
	joined   keyTable               // joined form -> rows; see normalize.JoinedForm
	groups   []int32                // number of words -> first row that has as many or more

	scratch      sync.Pool              // of *search
	ofSubstances func() []substanceName // made when first asked
}

// word is a word of a query or a name.
type word struct {
	number  int32      // in the lexicon, -1 for none
	grams   []weighted // its vector, without the grams that no name has
	squares float64    // sum over all grams, including those that no name has
}

// wordOf returns the vector of a word, which need not be in the lexicon.
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

// distinctGrams returns the grams of a word, padded with a space on both sides, ascending.
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
	mostBySynonyms   = .999 // the score of a name with synonyms of words of the query
	leastMisspelled  = .08  // the cosine of a word and one of which it may be a misspelling
	maxMisspelled    = 16   // words of a query that are corrected; each is compared with a part of the lexicon
	maxDesignator    = 3    // bytes of a number with its letters: 2, 11, 12q
)

// wordWeight returns the factor of a word.
func wordWeight(word string) float64 {
	first, size := utf8.DecodeRuneInString(word)
	if size == len(word) || len(word) <= maxDesignator && '0' <= first && first <= '9' {
		return designatorWeight
	}
	return 1
}
