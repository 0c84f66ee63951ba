package matcher

import (
	"cmp"
	"math"
	"slices"
)

// lexicalScratch is what one search works with.
type lexicalScratch struct {
	scores []float32 // by row
	word   []float32 // by row, what the word at hand adds
	query  []weighted
}

// Search gives the k concepts with the names most like query, each by the best of
// its names, the best concept first and ties in the order of IDs. A concept no
// name of which shares a gram with the query, or holds a translation of one of
// its words, is not among them.
func (x *Lexical) Search(query string, k int) []NameHit {
	s, _ := x.scratch.Get().(*lexicalScratch)
	if s == nil {
		n := len(x.rows.names)
		s = &lexicalScratch{scores: make([]float32, n), word: make([]float32, n)}
	}
	defer x.scratch.Put(s)
	clear(s.scores)
	words := x.options.words(query)
	vectors := make([]wordVector, len(words))
	for i, word := range words {
		vectors[i] = x.vectorOf(word)
	}
	length := x.length(s, vectors)
	for i, word := range words {
		x.addWord(s, word, vectors[i], length)
	}
	return x.rows.best(s.scores, k)
}

func (x *Lexical) vectorOf(word string) wordVector {
	if number, ok := x.vocabulary[word]; ok {
		return x.vectors[number]
	}
	return x.vector(word)
}

// length is that of the sum of the vectors. Grams that no name has belong to it,
// those of each word by themselves, though nothing is multiplied with them.
func (x *Lexical) length(s *lexicalScratch, vectors []wordVector) float64 {
	s.query = s.query[:0]
	squares := 0.0
	for _, v := range vectors {
		squares += v.squares
		for _, g := range v.grams {
			squares -= g.weight * g.weight // counted below, summed
		}
		s.query = append(s.query, v.grams...)
	}
	slices.SortFunc(s.query, func(a, b weighted) int {
		return cmp.Or(cmp.Compare(a.feature, b.feature), cmp.Compare(a.weight, b.weight))
	})
	for i := 0; i < len(s.query); {
		sum, gram := 0.0, s.query[i].feature
		for ; i < len(s.query) && s.query[i].feature == gram; i++ {
			sum += s.query[i].weight
		}
		squares += sum * sum
	}
	return math.Sqrt(squares)
}

// addWord adds to the scores what a word of the query gives each name: by its own
// grams, or by a word of the name that stands for it if that is more.
func (x *Lexical) addWord(s *lexicalScratch, word string, v wordVector, length float64) {
	s.query = s.query[:0]
	for _, g := range v.grams {
		s.query = append(s.query, weighted{g.feature, g.weight / length})
	}
	standIns := x.standIns[word]
	if len(standIns) == 0 {
		x.byGram.addTo(s.scores, s.query)
		return
	}
	clear(s.word)
	x.byGram.addTo(s.word, s.query)
	for _, other := range standIns {
		ratio := min(1, math.Sqrt(v.squares/x.vectors[other.word].squares))
		weight := float32(other.weight * ratio / length)
		for _, e := range x.byWord.of(other.word) {
			s.word[e.row] = max(s.word[e.row], weight*e.weight)
		}
	}
	for row, score := range s.word {
		s.scores[row] += score
	}
}
