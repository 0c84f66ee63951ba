package link

import (
	"slices"
	"strings"

	"ctxnorm/matcher"
)

// wordIndex finds names by the content words that they hold, whatever their order.
type wordIndex struct {
	rows  map[string][]int32 // word -> rows of names that hold it, ascending
	equal map[string][]int32 // all content words, sorted and joined -> rows
}

// newWordIndex indexes names by their row; an empty one is not found.
func newWordIndex(names []string) *wordIndex {
	x := &wordIndex{make(map[string][]int32), make(map[string][]int32)}
	for row, name := range names {
		words := contentWords(name)
		for _, word := range words {
			x.rows[word] = append(x.rows[word], int32(row))
		}
		key := strings.Join(words, " ")
		x.equal[key] = append(x.equal[key], int32(row))
	}
	return x
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

// functionWords tell nothing of what a name means.
var functionWords = map[string]bool{
	"a": true, "an": true, "and": true, "by": true, "due": true, "for": true, "from": true, "in": true,
	"of": true, "on": true, "or": true, "the": true, "to": true, "with": true,
}

// contentWords are the distinct words of a name in normal form and singular,
// sorted, function words left out.
func contentWords(name string) []string {
	var words []string
	for word := range strings.FieldsSeq(matcher.Normal(name)) {
		if !functionWords[word] {
			words = append(words, singular(word))
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// singular takes off the ending of an English plural: "anemias", "biopsies",
// "abscesses"; "lupus", "sepsis" and "loss" stay.
func singular(word string) string {
	switch {
	case len(word) > 4 && strings.HasSuffix(word, "ies"):
		return word[:len(word)-3] + "y"
	case len(word) > 4 && (strings.HasSuffix(word, "sses") || strings.HasSuffix(word, "xes")):
		return word[:len(word)-2]
	case len(word) > 3 && strings.HasSuffix(word, "s") &&
		!strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && !strings.HasSuffix(word, "is"):
		return word[:len(word)-1]
	}
	return word
}

// same lists the rows of names with exactly these content words.
func (x *wordIndex) same(words []string) []int32 {
	if len(words) == 0 {
		return nil
	}
	return x.equal[strings.Join(words, " ")]
}
