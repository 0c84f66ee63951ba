package matcher

import "math"

// invert fills the vocabulary, the grams and the postings from the words of each
// row. Words and grams are numbered as they come.
func (x *Lexical) invert(names [][]string) {
	wordsOf := make([][]int32, len(names)) // by row
	var gramsOf [][]int32                  // by word
	var words []string
	var heldBy []int32 // gram -> the last word that held it
	for row, name := range names {
		for _, word := range name {
			number, known := x.vocabulary[word]
			if !known {
				number = int32(len(words))
				x.vocabulary[word] = number
				words = append(words, word)
				var grams []int32
				grams, heldBy = x.numberGrams(word, number, heldBy)
				gramsOf = append(gramsOf, grams)
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
	for number, word := range words {
		x.vectors = append(x.vectors, x.weigh(word, gramsOf[number]))
	}
	x.fill(wordsOf, gramSizes, wordSizes)
}

// numberGrams gives the numbers of the distinct grams of a word that is new, and
// notes that it holds them.
func (x *Lexical) numberGrams(word string, number int32, heldBy []int32) (numbers, noted []int32) {
	x.options.grams().eachGram(word, func(gram string) {
		of, known := x.grams[gram]
		if !known {
			of = int32(len(x.grams))
			x.grams[gram] = of
			heldBy = append(heldBy, -1)
		}
		if heldBy[of] != number {
			heldBy[of] = number
			numbers = append(numbers, of)
		}
	})
	return numbers, heldBy
}

// weigh is the vector of a word of names, by its grams.
func (x *Lexical) weigh(word string, grams []int32) wordVector {
	v := wordVector{grams: make([]weighted, 0, len(grams))}
	factor := weightOf(word)
	for _, gram := range grams {
		v.add(gram, factor*x.idf[gram])
	}
	v.sort()
	return v
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
