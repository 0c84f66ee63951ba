package lexical

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
)

// NewTokenizedIndex is like [NewIndex] for names that are tokenized already. names[i] are the names of the concept
// ids[i]. The IDs must ascend. unsearched are further names, by concept, such as those that a filter leaves out. They
// are not searched, but count in the weights of grams, and word synonyms are learned from them too.
func NewTokenizedIndex(ids []kb.ConceptID, names, unsearched [][]normalize.TokenizedName) *Index {
	var learned wordSynonyms
	var learning sync.WaitGroup // in parallel with the rest
	learning.Go(func() { learned = learnWordSynonyms(slices.Concat(names, unsearched)) })
	x := &Index{ids: func(concept int32) kb.ConceptID { return ids[concept] }}
	b := builder{Index: x, numbers: make(map[string]int32)}
	b.addNames(names)
	searched := b.words.Len()
	b.addNames(unsearched)
	b.sortLexicon()
	b.addGrams(searched)
	b.sortRows(searched)
	b.joinCodes()
	learning.Wait()
	x.addSynonyms(learned)
	x.ofSubstances = sync.OnceValue(x.substanceNames)
	return x
}

// builder fills an index. Its rows are in the order of concepts until sortRows, and the numbers of words in the order of
// their first occurrence until sortLexicon.
type builder struct {
	*Index
	numbers map[string]int32 // of words
}

// addNames adds the names of concepts as rows, those with the same words once for each concept.
func (b *builder) addNames(names [][]normalize.TokenizedName) {
	for concept, own := range names {
		first := b.words.Len()
	names:
		for _, name := range own {
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
				b.concepts = append(b.concepts, int32(concept))
				_ = b.names.Append(name.Name)
			}
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
func (b *builder) addGrams(searched int) {
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

// joinCodes fills the table of joined forms.
func (b *builder) joinCodes() {
	var forms []string
	var rows []int32
	for row := range b.names.Len() {
		name := b.names.At(row)
		if !normalize.IsCode(name) {
			continue
		}
		if form, ok := normalize.JoinedForm(name); ok {
			forms, rows = append(forms, form), append(rows, int32(row))
		}
	}
	b.codes = newKeyTable(forms, rows)
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

// keyTable finds the rows that have a key, by the hashes of keys. A caller compares the key: one in 2^64 others has its
// hash.
type keyTable struct {
	hashes []uint64 // ascending
	rows   []int32
}

// newKeyTable returns the table of keys and the rows that have them.
func newKeyTable(keys []string, rows []int32) keyTable {
	order := make([]int, len(keys))
	hashes := make([]uint64, len(keys))
	for i, key := range keys {
		order[i], hashes[i] = i, sampling.Hash(0, key)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(hashes[a], hashes[b]), cmp.Compare(rows[a], rows[b])) })
	var t keyTable
	for _, i := range order {
		t.hashes, t.rows = append(t.hashes, hashes[i]), append(t.rows, rows[i])
	}
	return t
}

// find returns the rows that may have a key.
func (t *keyTable) find(key string) []int32 {
	hash := sampling.Hash(0, key)
	start, _ := slices.BinarySearch(t.hashes, hash)
	end := start
	for end < len(t.hashes) && t.hashes[end] == hash {
		end++
	}
	return t.rows[start:end]
}
