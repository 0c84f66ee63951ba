package lexical

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/kb"
)

// NewIndex returns an index of the names of n concepts. names, which is called concurrently, returns those of a concept,
// and ids its ID. unsearched are further names, by concept, such as those that a filter leaves out. They are not searched,
// but count in the weights of grams, and word synonyms are learned from them too.
func NewIndex(ids func(concept int32) kb.ConceptID, n int, names func(concept int) []string, unsearched [][]string) *Index {
	x := &Index{ids: ids}
	b := builder{Index: x, numbers: make(map[string]int32), replaced: newReplacementCounts()}
	b.addConcepts(n, names)
	searched := b.words.Len()
	b.addConcepts(len(unsearched), func(i int) []string { return unsearched[i] })
	b.sortLexicon()
	b.addGrams()
	b.sortRows(searched)
	x.codes = newKeyTable(x.names.Len(), func(row int) string { return joinedCode(x.names.At(row)) })
	x.addSynonyms(b.replaced.synonyms())
	x.ofSubstances = sync.OnceValue(x.substanceNames)
	return x
}

// builder fills an index. Its rows are in the order of concepts until sortRows, and the numbers of words in the order of
// their first occurrence until sortLexicon.
type builder struct {
	*Index
	numbers  map[string]int32 // of words
	replaced *replacementCounts
}

// addConcepts adds the names of n concepts.
func (b *builder) addConcepts(n int, names func(concept int) []string) {
	const block = 1 << 12 // concepts whose names are tokenized before they are added
	tokenized := make([][]normalize.TokenizedName, min(n, block))
	for start := 0; start < n; start += block {
		count := min(block, n-start)
		onAllCores(count, func(i int) {
			tokenized[i] = tokenized[i][:0]
			for _, name := range names(start + i) {
				tokenized[i] = append(tokenized[i], normalize.TokenizeName(name))
			}
		})
		for i, own := range tokenized[:count] {
			b.replaced.add(own)
			b.addNames(int32(start+i), own)
		}
	}
}

// addNames adds the names of a concept as rows, those with the same words once.
func (b *builder) addNames(concept int32, names []normalize.TokenizedName) {
	first := b.words.Len()
names:
	for _, name := range names {
		words := tokenizedWords(name)
		numbers := make([]int32, len(words))
		for i, word := range words {
			number, known := b.numbers[word]
			if !known {
				number = int32(len(b.numbers))
				b.numbers[word] = number
			}
			numbers[i] = number
		}
		for row := first; row < b.words.Len(); row++ {
			if slices.Equal(b.words.At(int32(row)), numbers) {
				continue names
			}
		}
		if len(numbers) > 0 {
			b.words.Append(numbers...)
			b.concepts = append(b.concepts, concept)
			_ = b.names.Append(name.Name)
		}
	}
}

// sortLexicon numbers the words in their order.
func (b *builder) sortLexicon() {
	words := make([]string, 0, len(b.numbers))
	for word := range b.numbers {
		words = append(words, word)
	}
	slices.Sort(words)
	renumbered := make([]int32, len(words))
	for number, word := range words {
		renumbered[b.numbers[word]] = int32(number)
		_ = b.lexicon.Append(word)
	}
	for i, number := range b.words.Values() {
		b.words.Values()[i] = renumbered[number]
	}
	b.numbers = nil
}

// addGrams sets the vectors of words.
func (b *builder) addGrams() {
	ofWords := make([][]string, b.lexicon.Len())
	onAllCores(len(ofWords), func(i int) { ofWords[i] = distinctGrams(b.lexicon.At(i)) })
	numbers := make(map[string]int32)
	for _, grams := range ofWords {
		for _, gram := range grams {
			numbers[gram] = 0
		}
	}
	texts := make([]string, 0, len(numbers))
	for gram := range numbers {
		texts = append(texts, gram)
	}
	slices.Sort(texts)
	for number, gram := range texts {
		numbers[gram] = int32(number)
		_ = b.texts.Append(gram)
	}
	for _, grams := range ofWords {
		list := make([]int32, len(grams))
		for i, gram := range grams {
			list[i] = numbers[gram]
		}
		b.grams.Append(list...)
	}
	b.having = b.grams.Inverted(len(texts))
	frequencies, lastRow := make([]int, len(texts)), make([]int, len(texts)) // the last row with the gram, from 1
	for row := range b.words.Len() {
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
	b.squares, b.factors = make([]float64, len(ofWords)), make([]uint8, len(ofWords))
	for word := range b.squares {
		factor := wordWeight(b.lexicon.At(word))
		b.factors[word] = uint8(factor)
		for _, gram := range b.grams.At(int32(word)) {
			b.squares[word] += factor * b.idf[gram] * factor * b.idf[gram]
		}
		b.inverses = append(b.inverses, float32(1/math.Sqrt(b.squares[word])))
	}
}

// sortRows keeps the rows that are searched, those with few words first, and sets what is known of each. A search takes
// rows of equal length one after another in a third of the time.
func (b *builder) sortRows(searched int) {
	scales, shares := make([]float32, searched), make([]float32, len(b.words.Values()))
	parallel.Ranges(searched, 0, func(from, to int) {
		sum := make([]float64, len(b.idf)) // vector of the row
		for row := from; row < to; row++ {
			start, end := b.words.Range(int32(row))
			scales[row] = b.addRow(sum, b.words.Values()[start:end], shares[start:end])
		}
	})
	order := make([]int32, searched)
	for row := range order {
		order[row] = int32(row)
	}
	length := func(row int32) int { return len(b.words.At(row)) }
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(length(a), length(b)) })
	names, words, concepts := b.names, b.words, b.concepts
	b.names, b.words, b.concepts, b.order = safetensors.Strings{}, safetensors.Lists{}, nil, order
	for _, row := range order {
		start, end := words.Range(row)
		_ = b.names.Append(names.At(int(row)))
		b.words.Append(words.At(row)...)
		b.shares = append(b.shares, shares[start:end]...)
		b.concepts = append(b.concepts, concepts[row])
		b.scales = append(b.scales, scales[row])
	}
	b.rows = b.words.Inverted(b.lexicon.Len())
	for row := range b.scales {
		for len(b.groups) <= len(b.words.At(int32(row))) {
			b.groups = append(b.groups, int32(row))
		}
	}
}

// addRow sets the shares of the words of a row and returns its scale. sum, by gram, is zero before and after.
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

// joinedCode returns the joined form of a name that is a code, and "" for others.
func joinedCode(name string) string {
	if !normalize.IsCode(name) {
		return ""
	}
	form, _ := normalize.JoinedForm(name)
	return form
}

// addSynonyms keeps the learned synonyms that are in the lexicon.
func (x *Index) addSynonyms(learned wordSynonyms) {
	for number := range x.lexicon.Len() {
		var list []int32
		for _, other := range learned[x.lexicon.At(number)] {
			if at, ok := x.lexicon.Find(other.word); ok {
				list = append(list, int32(at))
				x.weights = append(x.weights, synonymWeight*math.Pow(other.probability, synonymExponent))
			}
		}
		x.synonyms.Append(list...)
	}
}
