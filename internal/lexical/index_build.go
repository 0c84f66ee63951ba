package lexical

import (
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// invert fills the vocabulary, the grams and the inverted indexes from the words of
// each row. Words and grams are numbered in the order of their first occurrence, those of
// unsearched names last.
func (x *Index) invert(searched, unsearched [][]string) {
	names := slices.Concat(searched, unsearched)
	wordsOf := make([][]int32, len(names)) // by row
	var gramsOf [][]int32                  // by word
	var words []string
	for row, name := range names {
		wordsOf[row] = make([]int32, len(name))
		for i, word := range name {
			number, known := x.vocabulary[word]
			if !known {
				number = int32(len(words))
				x.vocabulary[word] = number
				words = append(words, word)
				gramsOf = append(gramsOf, x.numberGrams(word))
			}
			wordsOf[row][i] = number
		}
	}
	gramSizes, wordSizes, frequencies := make([]int, len(x.grams)), make([]int, len(words)), make([]int, len(x.grams))
	lastRow := make([]int, len(x.grams)) // gram -> the last row that contained it, counted from 1
	for row, name := range wordsOf {
		posting := 1 // of the row in the list of each of its words and grams
		if row >= len(searched) {
			posting = 0
		}
		for _, word := range name {
			wordSizes[word] += posting
			for _, gram := range gramsOf[word] {
				if lastRow[gram] != row+1 {
					lastRow[gram] = row + 1
					frequencies[gram]++
					gramSizes[gram] += posting
				}
			}
		}
	}
	x.idf = make([]float64, len(frequencies))
	for gram, df := range frequencies {
		x.idf[gram] = idf(len(names), df)
	}
	x.unknownIDF = idf(len(names), 0)
	x.vectors = make([]wordVector, len(words))
	for number, word := range words {
		x.vectors[number] = x.knownVector(word, gramsOf[number])
	}
	x.fill(wordsOf[:len(searched)], gramSizes, wordSizes)
}

// joinCodes fills the map of joined forms.
func (x *Index) joinCodes() {
	x.joined = make(map[string][]int32)
	for row, name := range x.rows.names {
		if !normalize.IsCode(name) {
			continue
		}
		if form, ok := normalize.JoinedForm(name); ok {
			x.joined[form] = append(x.joined[form], int32(row))
		}
	}
}

// numberGrams returns the numbers of the distinct grams of a new word. It adds grams that are new.
func (x *Index) numberGrams(word string) []int32 {
	var numbers []int32 // about thirty
	eachWordGram(word, func(gram string) {
		n, known := x.grams[gram]
		if !known {
			n = int32(len(x.grams))
			x.grams[gram] = n
		}
		if !slices.Contains(numbers, n) {
			numbers = append(numbers, n)
		}
	})
	return numbers
}

// fill fills the inverted indexes. The vector of a row is the sum of the vectors of
// its words.
func (x *Index) fill(wordsOf [][]int32, gramSizes, wordSizes []int) {
	var gramCursors, wordCursors postingCursors
	x.byGram, gramCursors = newInvertedIndex(gramSizes)
	x.byWord, wordCursors = newInvertedIndex(wordSizes)
	sum := make([]float64, len(x.grams)) // vector of the row
	var grams []int32                    // of the row
	for row, words := range wordsOf {
		grams = grams[:0]
		for _, word := range words {
			for _, g := range x.vectors[word].grams {
				if sum[g.feature] == 0 {
					grams = append(grams, g.feature)
				}
				sum[g.feature] += g.weight
			}
		}
		squares := 0.0
		for _, gram := range grams {
			squares += sum[gram] * sum[gram]
		}
		length := math.Sqrt(squares)
		for _, gram := range grams {
			gramCursors.put(&x.byGram, gram, int32(row), sum[gram]/length)
		}
		for _, word := range words {
			product := 0.0
			for _, g := range x.vectors[word].grams {
				product += g.weight * sum[g.feature]
			}
			wordCursors.put(&x.byWord, word, int32(row), product/length)
		}
		for _, gram := range grams {
			sum[gram] = 0
		}
	}
}
