package lexical

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
)

// The grams of words that an [Index] compares. They, and the other constants of Index, were chosen on the dev sets of
// NCBI Disease, BC5CDR and MedMentions.
const (
	minGram = 2
	maxGram = 4
)

// eachWordGram calls yield for each occurrence of a gram of a word, padded with a space on both sides.
func eachWordGram(word string, yield func(gram string)) {
	eachGram(" "+word+" ", minGram, maxGram, yield)
}

// tokenizedWords returns the distinct canonical tokens of a name, sorted, so that names which differ only in the order
// of words score the same to the last bit.
func tokenizedWords(name normalize.TokenizedName) []string {
	words := slices.Clone(name.Words)
	slices.Sort(words)
	return slices.Compact(words)
}

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
// where a ranges over the words of n that are synonyms of t with probability p (see
// learnWordSynonyms), and
//
//	r(t, a) = .9 * p^(1/4) * min(1, |t| / |a|)
//
// Without synonyms that is the cosine of q and n, 1 for equal names. Synonyms of
// several words of a query count together. They cost one addition for each name that
// contains them; no second search is made.
//
// A query that has the same letters and digits as a code among the names, which is joined or
// apart in another way (IL-6, IL6; see normalize.JoinedForm), scores at least .95 with it: such words have few
// grams in common.
//
// Like [GramIndex] it is an inverted index, exact, and safe for concurrent use. For half
// of MEDIC, 40 k names, two cores build it in .5 s, and a search takes .45 ms.
type Index struct {
	rows       nameRows
	vocabulary map[string]int32 // word -> number
	vectors    []wordVector     // by word
	grams      map[string]int32 // gram -> number
	idf        []float64        // by gram
	unknownIDF float64          // of a gram that no name has
	byGram     invertedIndex    // gram -> its weight in each name, divided by the name's length
	byWord     invertedIndex    // word -> its dot product with each name that has it, divided by the name's length
	synonyms   map[string][]synonym
	joined     map[string][]int32 // joined form of a code -> its rows; see normalize.JoinedForm
	scratch    sync.Pool          // of *searchScratch

	ofSubstances func() []substanceName // made when first asked
}

// wordVector is the vector of a word.
type wordVector struct {
	grams   []weighted // in the order of grams, without those that no name has
	squares float64    // sum over all grams, including those that no name has
}

// synonym is a word that replaces another.
type synonym struct {
	word   int32
	weight float64 // .9 p^(1/4)
}

// NewIndex returns an index of every name of d that has a word.
func NewIndex(d *kb.Dictionary) *Index { return TokenizeDictionary(d).NewIndex(nil) }

// NewIndex returns the index of the dictionary. See [NewTokenizedIndex] for unsearched.
func (t *TokenizedDictionary) NewIndex(unsearched [][]normalize.TokenizedName) *Index {
	return NewTokenizedIndex(t.ids, t.names, unsearched)
}

// NewTokenizedIndex is like [NewIndex] for names that are tokenized already. names[i] are the names of the concept
// ids[i]. The IDs must ascend. unsearched are further names, by concept, such as those that a filter leaves out. They
// are not searched, but count in the weights of grams, and word synonyms are learned from them too.
func NewTokenizedIndex(ids []kb.ConceptID, names, unsearched [][]normalize.TokenizedName) *Index {
	var learned wordSynonyms
	var learning sync.WaitGroup // in parallel with the rest
	learning.Go(func() { learned = learnWordSynonyms(slices.Concat(names, unsearched)) })
	x := &Index{vocabulary: make(map[string]int32), grams: make(map[string]int32)}
	form := func(name normalize.TokenizedName) (string, []string, string) {
		words := tokenizedWords(name)
		return name.Name, words, strings.Join(words, " ")
	}
	rows, words := newNameRows(ids, names, form)
	_, others := newNameRows(make([]kb.ConceptID, len(unsearched)), unsearched, form)
	x.rows = rows
	x.invert(words, others)
	x.joinCodes()
	learning.Wait()
	x.addSynonyms(learned)
	x.ofSubstances = sync.OnceValue(x.substanceNames)
	return x
}

// vector returns the vector of a word, which need not be in the vocabulary.
func (x *Index) vector(word string) wordVector {
	var v wordVector
	factor := wordWeight(word)
	unknown := factor * x.unknownIDF
	var seen []string // about thirty
	eachWordGram(word, func(gram string) {
		if slices.Contains(seen, gram) {
			return
		}
		seen = append(seen, gram)
		if number, known := x.grams[gram]; known {
			v.add(number, factor*x.idf[number])
		} else {
			v.squares += unknown * unknown
		}
	})
	v.sort()
	return v
}

// knownVector returns the vector of a word of the vocabulary, given its grams, in a third of the time.
func (x *Index) knownVector(word string, grams []int32) wordVector {
	v := wordVector{grams: make([]weighted, 0, len(grams))}
	factor := wordWeight(word)
	for _, gram := range grams {
		v.add(gram, factor*x.idf[gram])
	}
	v.sort()
	return v
}

func (v *wordVector) add(gram int32, weight float64) {
	v.grams = append(v.grams, weighted{gram, weight})
	v.squares += weight * weight
}

func (v *wordVector) sort() {
	slices.SortFunc(v.grams, func(a, b weighted) int { return cmp.Compare(a.feature, b.feature) })
}

const (
	designatorWeight = 2
	joinedScore      = .95
	synonymWeight    = .9
	synonymExponent  = .25
	maxDesignator    = 3 // bytes of a number with its letters: 2, 11, 12q
)

// wordWeight returns the factor of a word.
func wordWeight(word string) float64 {
	if isDesignator(word) {
		return designatorWeight
	}
	return 1
}

func isDesignator(word string) bool {
	first, size := utf8.DecodeRuneInString(word)
	return size == len(word) || len(word) <= maxDesignator && '0' <= first && first <= '9'
}

// addSynonyms keeps the learned synonyms that are in the vocabulary.
func (x *Index) addSynonyms(learned wordSynonyms) {
	x.synonyms = make(map[string][]synonym, len(learned))
	for word, others := range learned {
		for _, other := range others {
			if number, ok := x.vocabulary[other.word]; ok {
				weight := synonymWeight * math.Pow(other.probability, synonymExponent)
				x.synonyms[word] = append(x.synonyms[word], synonym{number, weight})
			}
		}
	}
}
