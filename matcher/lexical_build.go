package matcher

import "math"

// invert fills the vocabulary, the grams and the postings from the words of each
// row. Words and grams are numbered as they come.
func (x *Lexical) invert(names [][]string) {
	wordsOf := make([][]int32, len(names)) // by row
	var gramsOf [][]int32                  // by word
	var words []string
	for row, name := range names {
		for _, word := range name {
			number, known := x.vocabulary[word]
			if !known {
				number = int32(len(words))
				x.vocabulary[word] = number
				words = append(words, word)
				gramsOf = append(gramsOf, x.numberGrams(word))
			}
			wordsOf[row] = append(wordsOf[row], number)
		}
	}
	gramSizes, wordSizes := make([]int, len(x.grams)), make([]int, len(words))
	lastRow := make([]int, len(x.grams)) // gram -> the last row that held it, from 1
	for row, name := range wordsOf {
		for _, word := range name {
			wordSizes[word]++
			for _, gram := range gramsOf[word] {
				if lastRow[gram] != row+1 {
					lastRow[gram] = row + 1
					gramSizes[gram]++
				}
			}
		}
	}
	for _, df := range gramSizes {
		x.idf = append(x.idf, inverseFrequency(len(names), df))
	}
	for _, word := range words {
		x.vectors = append(x.vectors, x.vector(word))
	}
	x.fill(wordsOf, gramSizes, wordSizes)
}

// numberGrams gives the numbers of a word's grams.
func (x *Lexical) numberGrams(word string) []int32 {
	var numbers []int32
	x.gramsOf(word, func(gram string) {
		number, known := x.grams[gram]
		if !known {
			number = int32(len(x.grams))
			x.grams[gram] = number
		}
		numbers = append(numbers, number)
	})
	return numbers
}

// fill makes the postings: the vector of a row is the sum of its words'.
func (x *Lexical) fill(wordsOf [][]int32, gramSizes, wordSizes []int) {
	var fillGrams, fillWords *postingsFill
	x.byGram, fillGrams = newPostings(gramSizes)
	x.byWord, fillWords = newPostings(wordSizes)
	sum := make([]float64, len(x.grams))
	for row, words := range wordsOf {
		var grams []int32 // of the row
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
			fillGrams.put(&x.byGram, gram, int32(row), sum[gram]/length)
		}
		for _, word := range words {
			product := 0.0
			for _, g := range x.vectors[word].grams {
				product += g.weight * sum[g.feature]
			}
			fillWords.put(&x.byWord, word, int32(row), product/length)
		}
		for _, gram := range grams {
			sum[gram] = 0
		}
	}
}
