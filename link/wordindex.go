package link

import (
	"math"
	"slices"
	"strings"

	"ctxnorm/matcher"
)

// wordIndex finds names by the content words that they hold, whatever their order
// and derivation.
type wordIndex struct {
	numbers    map[string]int32 // word -> its number
	vocabulary []string         // by number
	weights    []float64        // of words, see newWordIndex
	rows       [][]int32        // word -> rows of names that hold it, ascending
	words      [][]int32        // row -> its content words, in the order of words
}

// newWordIndex indexes names by their row; an empty one is not found. The weight of a
// word is how much it tells: ln((1 + names) / (1 + names that hold it)).
func newWordIndex(names []matcher.Spelt) *wordIndex {
	x := &wordIndex{numbers: make(map[string]int32), words: make([][]int32, len(names))}
	stems := make(map[string]int32) // word as it is spelt -> number of its stem
	count := 0                      // of names that have words
	for row := range names {
		words := names[row].Words
		if len(words) == 0 {
			continue
		}
		count++
		held := make([]int32, len(words))
		for i, word := range words {
			number, known := stems[word]
			if !known {
				number = x.number(matcher.Stem(word))
				stems[word] = number
			}
			held[i] = number
		}
		slices.SortFunc(held, func(a, b int32) int { return strings.Compare(x.vocabulary[a], x.vocabulary[b]) })
		x.words[row] = slices.Compact(held)
		for _, number := range x.words[row] {
			x.rows[number] = append(x.rows[number], int32(row))
		}
	}
	for _, rows := range x.rows {
		x.weights = append(x.weights, math.Log(float64(1+count)/float64(1+len(rows))))
	}
	return x
}

// number is that of a word, which may be new.
func (x *wordIndex) number(word string) int32 {
	number, known := x.numbers[word]
	if !known {
		number = int32(len(x.vocabulary))
		x.numbers[word] = number
		x.vocabulary = append(x.vocabulary, word)
		x.rows = append(x.rows, nil)
	}
	return number
}

// contentWords are the distinct words of a text by their stems, sorted, function
// words left out unless there are no others: those that the index has of a name.
func contentWords(text string) []string {
	words := matcher.Spelling(text)
	for i, word := range words {
		words[i] = matcher.Stem(word)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// holding lists the rows of names that hold all the words; none where there are
// no words.
func (x *wordIndex) holding(words []string) []int32 {
	var found []int32
	for i, word := range words {
		number, known := x.numbers[word]
		if !known {
			return nil
		}
		rows := x.rows[number]
		if i == 0 {
			found = slices.Clone(rows)
			continue
		}
		found = slices.DeleteFunc(found, func(row int32) bool {
			_, in := slices.BinarySearch(rows, row)
			return !in
		})
	}
	return found
}

// same lists the rows of names with exactly these content words.
func (x *wordIndex) same(words []string) []int32 {
	return slices.DeleteFunc(x.holding(words), func(row int32) bool { return len(x.words[row]) != len(words) })
}

// gain is the share of a name's words, by weight, that a text holds and a mention
// in it does not. Both are sets of content words; the mention's is sorted.
func (x *wordIndex) gain(row int32, mention []string, text map[string]bool) float64 {
	all, gained := 0.0, 0.0
	for _, number := range x.words[row] {
		word, weight := x.vocabulary[number], x.weights[number]
		all += weight
		if _, said := slices.BinarySearch(mention, word); !said && text[word] {
			gained += weight
		}
	}
	if all == 0 {
		return 0
	}
	return gained / all
}
