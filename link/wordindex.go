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
	rows  map[string][]int32 // word -> rows of names that hold it, ascending
	equal map[string][]int32 // all content words, sorted and joined -> rows
	words [][]string         // row -> its content words
	names int                // that have words
}

// newWordIndex indexes names by their row; an empty one is not found.
func newWordIndex(names []string) *wordIndex {
	x := &wordIndex{rows: make(map[string][]int32), equal: make(map[string][]int32), words: make([][]string, len(names))}
	for row, name := range names {
		words := contentWords(name)
		if len(words) == 0 {
			continue
		}
		x.names++
		x.words[row] = words
		for _, word := range words {
			x.rows[word] = append(x.rows[word], int32(row))
		}
		key := strings.Join(words, " ")
		x.equal[key] = append(x.equal[key], int32(row))
	}
	return x
}

// contentWords are the distinct words of a name by their stems, sorted, function
// words left out unless there are no others.
func contentWords(name string) []string {
	words := matcher.Spelling(name)
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
		rows := x.rows[word]
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
	if len(words) == 0 {
		return nil
	}
	return x.equal[strings.Join(words, " ")]
}

// weight of a word is how much it tells: ln((1 + names) / (1 + names that hold it)).
func (x *wordIndex) weight(word string) float64 {
	return math.Log(float64(1+x.names) / float64(1+len(x.rows[word])))
}

// gain is the share of a name's words, by weight, that a text holds and a mention
// in it does not. Both are sets of content words; the mention's is sorted.
func (x *wordIndex) gain(row int32, mention []string, text map[string]bool) float64 {
	all, gained := 0.0, 0.0
	for _, word := range x.words[row] {
		weight := x.weight(word)
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
