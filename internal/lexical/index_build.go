package lexical

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/kb"
)

// UnreadIndex returns an index whose fields still have to be read from a file. ids returns the ID of a concept.
func UnreadIndex(ids func(concept int) kb.ConceptID) *Index { return &Index{ids: ids} }

// NewIndex returns an index of the names of n concepts. names returns the names of a concept and is called
// concurrently; ids returns its ID. unsearched holds further names by concept, such as names that a filter removed.
// Searches do not return them, but they count in the weights of grams and contribute to the word synonyms. NewIndex
// returns early if ctx ends.
func NewIndex(ctx context.Context, ids func(concept int) kb.ConceptID, n int, names func(concept int) []string,
	unsearched [][]string) (*Index, error) {
	x := UnreadIndex(ids)
	b := builder{Index: x, tokens: newTokenNumbers(), replaced: newReplacementCounts()}
	err := b.addConcepts(ctx, n, names)
	searched := b.words.Len()
	err = cmp.Or(err, b.addConcepts(ctx, len(unsearched), func(i int) []string { return unsearched[i] }))
	if err != nil {
		return nil, err
	}
	numbers := b.sortLexicon()
	if err := b.addGrams(ctx); err != nil {
		return nil, err
	}
	if err := b.sortRows(ctx, searched); err != nil {
		return nil, err
	}
	x.joined = newKeyTable(ctx, x.names.Len(), func(row int) uint32 { return hashOf(normalize.JoinedForm(x.names.At(row))) })
	learned := b.replaced.synonyms(numbers)
	for number := range x.lexicon.Len() {
		var list []int32
		for _, other := range learned[int32(number)] {
			list = append(list, other.word)
			x.weights = append(x.weights, synonymWeight*math.Pow(other.probability, synonymExponent))
		}
		x.synonyms.Append(list...)
	}
	return x, nil
}

// builder fills an index. Rows are in the order of concepts until sortRows, and words are numbered in the order of
// their first occurrence until sortLexicon.
type builder struct {
	*Index
	tokens   *tokenNumbers
	replaced *replacementCounts
}

// addConcepts adds the names of n concepts.
func (b *builder) addConcepts(ctx context.Context, n int, names func(concept int) []string) error {
	return inOrder(ctx, n, func(concept int) (tokens [][]string) {
		for _, name := range names(concept) {
			tokens = append(tokens, normalize.CanonicalTokens(name))
		}
		return tokens
	}, func(concept int, tokens [][]string) {
		var words [][]int32
		for _, name := range tokens {
			words = append(words, b.tokens.of(name))
		}
		b.replaced.add(words)
		b.addNames(int32(concept), names(concept), words)
	})
}

// addNames adds the names of a concept as rows. Of names with the same words it adds only the first.
func (b *builder) addNames(concept int32, names []string, words [][]int32) {
	added := make(map[string]bool)
	var key []byte
	for i, name := range names {
		distinct := sortedDistinct(words[i])
		key = key[:0]
		for _, word := range distinct {
			key = binary.LittleEndian.AppendUint32(key, uint32(word))
		}
		if len(distinct) > 0 && !added[string(key)] {
			added[string(key)] = true
			b.words.Append(distinct...)
			b.concepts = append(b.concepts, concept)
			b.names.Append(name)
		}
	}
}

// sortLexicon renumbers the words in alphabetical order and returns a map from old to new numbers.
func (b *builder) sortLexicon() (numbers []int32) {
	numbers = b.tokens.sorted(&b.lexicon)
	for row := range b.words.Len() {
		words := b.words.At(int32(row))
		for i, number := range words {
			words[i] = numbers[number]
		}
		slices.Sort(words)
	}
	b.tokens = nil
	return numbers
}

// addGrams computes the vectors of words.
func (b *builder) addGrams(ctx context.Context) error {
	grams := newTokenNumbers()
	err := inOrder(ctx, b.lexicon.Len(), func(word int) []string { return distinctGrams(b.lexicon.At(word)) },
		func(_ int, ofWord []string) { b.grams.Append(grams.of(ofWord)...) })
	if err != nil {
		return err
	}
	numbers := grams.sorted(&b.texts)
	for i, gram := range b.grams.Values() {
		b.grams.Values()[i] = numbers[gram]
	}
	b.having = b.grams.Inverted(len(numbers))
	frequencies, lastRow := make([]int, len(numbers)), make([]int, len(numbers)) // last row with the gram, counted from 1
	for row := 0; row < b.words.Len() && ctx.Err() == nil; row++ {
		for _, word := range b.words.At(int32(row)) {
			for _, gram := range b.grams.At(word) {
				if lastRow[gram] != row+1 {
					lastRow[gram] = row + 1
					frequencies[gram]++
				}
			}
		}
	}
	for _, df := range append(frequencies, 0) {
		b.idf = append(b.idf, idf(b.words.Len(), df))
	}
	b.squares, b.factors = make([]float64, b.lexicon.Len()), make([]uint8, b.lexicon.Len())
	for word := range b.squares {
		factor := wordWeight(b.lexicon.At(word))
		b.factors[word] = uint8(factor)
		for _, gram := range b.grams.At(int32(word)) {
			b.squares[word] += factor * b.idf[gram] * factor * b.idf[gram]
		}
		b.inverses = append(b.inverses, float32(1/math.Sqrt(b.squares[word])))
	}
	return nil
}

// sortRows keeps only the rows that are searched, ordered by number of words, and sets their arrays. Handling rows of
// equal length together makes a search three times as fast.
func (b *builder) sortRows(ctx context.Context, searched int) error {
	var lengths safetensors.Lists // row -> number of its words
	for row := range searched {
		lengths.Append(int32(len(b.words.At(int32(row)))))
	}
	byLength := lengths.Inverted(int(slices.Max(append(lengths.Values(), 0))) + 1)
	for length := range int32(byLength.Len()) {
		start, _ := byLength.Range(length)
		b.groups = append(b.groups, int32(start))
	}
	names, words, concepts := b.names, b.words, b.concepts
	b.names, b.words, b.concepts, b.order = safetensors.Strings{}, safetensors.Lists{}, nil, byLength.Values()
	for _, row := range b.order {
		b.names.Append(names.At(int(row)))
		b.words.Append(words.At(row)...)
		b.concepts = append(b.concepts, concepts[row])
	}
	b.scales, b.shares = make([]float32, searched), make([]float32, len(b.words.Values()))
	parallel.Ranges(searched, 0, func(from, to int) {
		sum := make([]float64, len(b.idf)) // vector of the row
		for row := from; row < to && parallel.Step(ctx, row, searched) == nil; row++ {
			start, end := b.words.Range(int32(row))
			b.scales[row] = b.addRow(sum, b.words.Values()[start:end], b.shares[start:end])
		}
	})
	b.rows = b.words.Inverted(b.lexicon.Len())
	return ctx.Err()
}

// addRow sets the shares of the words of a row and returns its scale. sum, by gram, must be zero and is zero again
// afterwards.
func (x *Index) addRow(sum []float64, words []int32, shares []float32) (scale float32) {
	for _, word := range words {
		factor := float64(x.factors[word])
		for _, gram := range x.grams.At(word) {
			sum[gram] += factor * x.idf[gram]
		}
	}
	products := make([]float64, len(words))
	squares := 0.
	for i, word := range words {
		factor := float64(x.factors[word])
		for _, gram := range x.grams.At(word) {
			products[i] += factor * x.idf[gram] * sum[gram]
		}
		squares += products[i]
	}
	length := math.Sqrt(squares)
	for i, word := range words {
		shares[i] = float32(products[i] / length)
		for _, gram := range x.grams.At(word) {
			sum[gram] = 0
		}
	}
	return float32(1 / length)
}
