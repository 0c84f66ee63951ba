package lexical

import (
	"cmp"
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// searchScratch is the working memory of one search.
type searchScratch struct {
	scores []float32 // by row
	word   []float32 // by row, what the current word adds
	query  []weighted
}

// Search returns the k concepts whose names are most similar to query, each with its
// best name, in descending order of score, ties in the order of IDs. A concept is left
// out if no name of it shares a gram with the query or contains a synonym of one of
// its words.
func (x *Index) Search(query string, k int) []NameHit {
	return x.SearchName(normalize.TokenizeName(query), k)
}

// SearchName is [Index.Search] for a query with these canonical tokens.
func (x *Index) SearchName(query normalize.TokenizedName, k int) []NameHit {
	s, _ := x.scratch.Get().(*searchScratch)
	if s == nil {
		n := len(x.rows.names)
		s = &searchScratch{scores: make([]float32, n), word: make([]float32, n)}
	}
	defer x.scratch.Put(s)
	clear(s.scores)
	words := tokenizedWords(query)
	vectors := make([]wordVector, len(words))
	for i, word := range words {
		vectors[i] = x.vectorOf(word)
	}
	length := x.length(s, vectors)
	for i, word := range words {
		x.addWord(s, word, vectors[i], length)
	}
	if form, ok := normalize.JoinedForm(query.Name); ok {
		for _, row := range x.joined[form] {
			s.scores[row] = max(s.scores[row], joinedScore)
		}
	}
	return x.rows.best(s.scores, k)
}

// vectorOf returns the vector of a word.
func (x *Index) vectorOf(word string) wordVector {
	if number, ok := x.vocabulary[word]; ok {
		return x.vectors[number]
	}
	return x.vector(word)
}

// length returns the length of the sum of vectors. Grams that no name has count too,
// separately for each word, though no name is multiplied with them.
func (x *Index) length(s *searchScratch, vectors []wordVector) float64 {
	s.query = s.query[:0]
	squares := 0.0
	for _, v := range vectors {
		squares += v.squares
		for _, g := range v.grams {
			squares -= g.weight * g.weight // added below, summed over the words
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

// addWord adds to the score of each name what a word of the query contributes: by its
// own grams, or by a synonym in the name if that is more. length is that of the query.
func (x *Index) addWord(s *searchScratch, word string, v wordVector, length float64) {
	s.query = s.query[:0]
	for _, g := range v.grams {
		s.query = append(s.query, weighted{g.feature, g.weight / length})
	}
	synonyms := x.synonyms[word]
	if len(synonyms) == 0 {
		x.byGram.addDotProducts(s.scores, s.query)
		return
	}
	clear(s.word)
	x.byGram.addDotProducts(s.word, s.query)
	for _, other := range synonyms {
		ratio := min(1, math.Sqrt(v.squares/x.vectors[other.word].squares))
		weight := float32(other.weight * ratio / length)
		for _, p := range x.byWord.list(other.word) {
			s.word[p.row] = max(s.word[p.row], weight*p.weight)
		}
	}
	for row, score := range s.word {
		s.scores[row] += score
	}
}
