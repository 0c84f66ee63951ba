package link

import (
	"math"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// wordIndex is an inverted index of names by their words: see [normalize.NameWordsOf]. It ignores
// their order.
type wordIndex struct {
	numbers    map[string]int32 // stem -> its number
	vocabulary []string         // number -> stem
	weights    []float64        // number -> inverse document frequency, see newWordIndex
	rows       [][]int32        // number -> rows of names with the word, ascending
	words      [][]int32        // row -> numbers of its words, in the order of stems
	// unsplit holds the numbers of the content words, which documents are compared by, of the
	// rows of names that have other words than these.
	unsplit map[int32][]int32
	// unknownWeight is the weight of a word that no name has.
	unknownWeight float64
}

// newWordIndex indexes the first names, which are searched, by their row; the others only count in the weights and have
// words. No search finds an empty name. The weight of a word is ln((1 + names) / (1 + names with the word)).
func newWordIndex(names []normalize.TokenizedName, searched int) *wordIndex {
	x := &wordIndex{numbers: make(map[string]int32), words: make([][]int32, len(names)), unsplit: make(map[int32][]int32)}
	var frequencies []int // of the words, by number
	add := func(row int, words []int32) {
		frequencies = append(frequencies, make([]int, len(x.vocabulary)-len(frequencies))...)
		for _, number := range words {
			if frequencies[number]++; row < searched {
				x.rows[number] = append(x.rows[number], int32(row))
			}
		}
	}
	type numbers struct {
		stem  int32
		plain []int32 // of the plain words for its combining forms
	}
	known := make(map[string]numbers)
	count := 0 // names with words
	var stems, plain []int32
	for row := range names {
		words := names[row].Words
		if len(words) == 0 {
			continue
		}
		count++
		stems, plain = stems[:0], plain[:0]
		for _, word := range words {
			of, found := known[word]
			if !found {
				of.stem = x.number(normalize.Stem(word))
				for _, stem := range normalize.PlainWords(word) {
					of.plain = append(of.plain, x.number(stem))
				}
				known[word] = of
			}
			stems, plain = append(stems, of.stem), append(plain, of.plain...)
		}
		x.words[row] = x.distinct(plain)
		add(row, x.words[row])
		if len(plain) > len(stems) {
			unsplit := x.distinct(stems)
			x.unsplit[int32(row)] = unsplit
			add(row, missing(nil, unsplit, x.words[row]))
		}
	}
	for _, n := range frequencies {
		x.weights = append(x.weights, math.Log(float64(1+count)/float64(1+n)))
	}
	x.unknownWeight = math.Log(float64(1 + count))
	return x
}

// distinct returns the distinct numbers of stems, in the order of stems.
func (x *wordIndex) distinct(numbers []int32) []int32 {
	sorted := slices.Clone(numbers)
	slices.SortFunc(sorted, func(a, b int32) int { return strings.Compare(x.vocabulary[a], x.vocabulary[b]) })
	return slices.Compact(sorted)
}

// number returns the number of a stem. It adds a stem that is new.
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

// withAllOf returns the rows of names that have all of the words, ascending. It returns
// none if there are no words.
func (x *wordIndex) withAllOf(words []string) []int32 {
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

// withExactly returns the rows of names that have exactly these content words, ascending.
func (x *wordIndex) withExactly(words []string) []int32 {
	return slices.DeleteFunc(x.withAllOf(words), func(row int32) bool { return len(x.words[row]) != len(words) })
}

// documentGain returns the share, by weight, of a name's content words that the document has and
// the mention lacks. mention holds its content words, sorted.
func (x *wordIndex) documentGain(row int32, mention []string, document map[string]int) float64 {
	words, split := x.unsplit[row]
	if !split {
		words = x.words[row]
	}
	all, gained := 0.0, 0.0
	for _, number := range words {
		word, weight := x.vocabulary[number], x.weights[number]
		all += weight
		if _, inMention := slices.BinarySearch(mention, word); !inMention && document[word] > 0 {
			gained += weight
		}
	}
	if all == 0 {
		return 0
	}
	return gained / all
}

// weightUnknown returns the sum of the weights of those words that no name has, and of all
// of the words.
func (x *wordIndex) weightUnknown(words []string) (unknown, all float64) {
	for _, word := range words {
		if number, known := x.numbers[word]; known {
			all += x.weights[number]
		} else {
			unknown += x.unknownWeight
		}
	}
	return unknown, all + unknown
}

// weightIn returns the sum of the weights of those words that are in any of the rows.
func (x *wordIndex) weightIn(rows []int32, words []string) float64 {
	sum := 0.0
	for _, word := range words {
		number, known := x.numbers[word]
		if known && slices.ContainsFunc(rows, func(row int32) bool { return slices.Contains(x.words[row], number) }) {
			sum += x.weights[number]
		}
	}
	return sum
}

// exclusions maps the words that the words of a mention exclude, and the series of these behind a zero byte, to the word
// of the mention.
type exclusions map[string]string

// exclusionsOf returns what the words of a mention exclude.
func exclusionsOf(words []string) exclusions {
	e := make(exclusions)
	for _, word := range words {
		for _, opposite := range normalize.Opposites(word) {
			e[opposite] = word
		}
		if series := normalize.Series(word); series != "" {
			e["\x00"+series] = word
		}
	}
	return e
}

// excludes reports whether the name in a row has a word that a word of the mention excludes, and lacks that word. known
// are the words of the mention.
func (x *wordIndex) excludes(row int32, e exclusions, known []int32) bool {
	return slices.ContainsFunc(x.words[row], func(number int32) bool {
		if slices.Contains(known, number) {
			return false
		}
		for _, key := range []string{x.vocabulary[number], "\x00" + normalize.Series(x.vocabulary[number])} {
			if word, ok := e[key]; ok && !x.hasWord(row, word) {
				return true
			}
		}
		return false
	})
}

// hasWord reports whether the name in a row has a word.
func (x *wordIndex) hasWord(row int32, word string) bool {
	number, known := x.numbers[word]
	return known && slices.Contains(x.words[row], number)
}

// otherNames are names that a filter left out: no candidates, but they tell how much a word weighs and which words
// are synonyms.
type otherNames struct {
	names    []normalize.TokenizedName
	concepts [][]int32 // of each; those that the dictionary lacks have numbers of their own, after its
	first    int       // of these numbers
	count    int       // of these concepts
}

func newOtherNames(dict *kb.Dictionary, leftOut []text.Exemplar) *otherNames {
	o := &otherNames{first: dict.Len()}
	texts := make([]string, len(leftOut))
	numbers := make(map[kb.ConceptID]int32)
	for row := range leftOut {
		texts[row] = leftOut[row].Text
		var concepts []int32
		for _, id := range leftOut[row].Mention.Concepts {
			number, known := numbers[id]
			if at, kept := dict.Index(id); kept {
				number, known = int32(at), true
			}
			if !known {
				number = int32(o.first + o.count)
				numbers[id] = number
				o.count++
			}
			concepts = append(concepts, number)
		}
		o.concepts = append(o.concepts, concepts)
	}
	o.names = lexical.TokenizeNames(texts)
	return o
}

// byConcept returns the names of each concept that the dictionary lacks.
func (o *otherNames) byConcept() [][]normalize.TokenizedName {
	names := make([][]normalize.TokenizedName, o.count)
	for row, concepts := range o.concepts {
		for _, concept := range concepts {
			if at := int(concept) - o.first; at >= 0 {
				names[at] = append(names[at], o.names[row])
			}
		}
	}
	return names
}
