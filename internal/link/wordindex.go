package link

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// wordIndex is an inverted index of names by their words: see [normalize.NameWords]. It ignores
// their order.
type wordIndex struct {
	numbers    map[string]int32 // stem -> its number
	vocabulary []string         // number -> stem
	weights    []float64        // number -> inverse document frequency, see newWordIndex
	rows       [][]int32        // number -> rows of names with the word, ascending
	words      [][]int32        // row -> numbers of its words, in the order of stems
	series     []int32          // number -> the series that it is a member of, see [normalize.Series]; 0 for none
	seriesAt   map[string]int32 // what identifies a series -> its number, from 1
	// unsplit holds the numbers of the content words, which documents are compared by, of the
	// rows of names that have other words than these.
	unsplit map[int32][]int32
	// unknownWeight is the weight of a word that no name has.
	unknownWeight float64
}

// newWordIndex indexes names by their row. No search finds an empty name. The weight of
// a word is ln((1 + names) / (1 + names with the word)).
func newWordIndex(names []normalize.TokenizedName) *wordIndex {
	x := &wordIndex{numbers: make(map[string]int32), seriesAt: make(map[string]int32),
		words: make([][]int32, len(names)), unsplit: make(map[int32][]int32)}
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
		x.addRow(int32(row), x.words[row])
		if len(plain) > len(stems) {
			x.unsplit[int32(row)] = x.distinct(stems)
			x.addRow(int32(row), missing(x.unsplit[int32(row)], x.words[row]))
		}
	}
	for _, rows := range x.rows {
		x.weights = append(x.weights, math.Log(float64(1+count)/float64(1+len(rows))))
	}
	x.unknownWeight = math.Log(float64(1 + count))
	return x
}

// truncate removes the rows from n on. Words keep their numbers and weights.
func (x *wordIndex) truncate(n int) {
	if n == len(x.words) {
		return
	}
	x.words = x.words[:n]
	for number, rows := range x.rows {
		end, _ := slices.BinarySearch(rows, int32(n))
		x.rows[number] = rows[:end]
	}
	maps.DeleteFunc(x.unsplit, func(row int32, _ []int32) bool { return row >= int32(n) })
}

// distinct returns the distinct numbers of stems, in the order of stems.
func (x *wordIndex) distinct(numbers []int32) []int32 {
	sorted := slices.Clone(numbers)
	slices.SortFunc(sorted, func(a, b int32) int { return strings.Compare(x.vocabulary[a], x.vocabulary[b]) })
	return slices.Compact(sorted)
}

// addRow adds a row to the rows of each of the words.
func (x *wordIndex) addRow(row int32, words []int32) {
	for _, number := range words {
		x.rows[number] = append(x.rows[number], row)
	}
}

// number returns the number of a stem. It adds a stem that is new.
func (x *wordIndex) number(word string) int32 {
	number, known := x.numbers[word]
	if !known {
		number = int32(len(x.vocabulary))
		x.numbers[word] = number
		x.vocabulary = append(x.vocabulary, word)
		x.rows = append(x.rows, nil)
		series := normalize.Series(word)
		if series != "" && x.seriesAt[series] == 0 {
			x.seriesAt[series] = int32(len(x.seriesAt) + 1)
		}
		x.series = append(x.series, x.seriesAt[series])
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

// mentionOpposites holds the words that the words of a mention exclude.
type mentionOpposites struct {
	known    []int32          // words of the mention
	opposite map[int32]string // number of an opposite -> the word of the mention
	members  map[int32]string // series -> its member in the mention
}

// oppositesOf returns what the words of a mention exclude; known are those of them that names have.
func (x *wordIndex) oppositesOf(words []string, mention mentionNumbers) mentionOpposites {
	o := mentionOpposites{known: mention.known}
	for _, word := range words {
		for _, opposite := range normalize.Opposites(word) {
			if number, known := x.numbers[opposite]; known && !slices.Contains(o.known, number) {
				if o.opposite == nil {
					o.opposite = make(map[int32]string)
				}
				o.opposite[number] = word
			}
		}
		if series := x.seriesAt[normalize.Series(word)]; series != 0 {
			if o.members == nil {
				o.members = make(map[int32]string)
			}
			o.members[series] = word
		}
	}
	return o
}

// excludes reports whether the name in a row has a word that a word of the mention excludes, and
// has that word not.
func (o *mentionOpposites) excludes(x *wordIndex, row int32) bool {
	if o.opposite == nil && o.members == nil {
		return false
	}
	for _, number := range x.words[row] {
		if slices.Contains(o.known, number) {
			continue
		}
		if word, ok := o.opposite[number]; ok && !x.hasWord(row, word) {
			return true
		}
		if word, ok := o.members[x.series[number]]; ok && !x.hasWord(row, word) {
			return true
		}
	}
	return false
}

// hasWord reports whether the name in a row has a word.
func (x *wordIndex) hasWord(row int32, word string) bool {
	number, known := x.numbers[word]
	return known && slices.Contains(x.words[row], number)
}
