package lexical

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
)

// WordIndex is an inverted index of names by their words: see [normalize.NameWordsOf]. It ignores
// their order. Words have numbers, in the order of words.
type WordIndex struct {
	vocabulary safetensors.Strings // number -> stem
	weights    []float64           // number -> inverse document frequency, see NewWordIndex; last that of an unknown word
	rows       safetensors.Lists   // number -> rows of names with the word, ascending
	words      safetensors.Lists   // row -> numbers of its words, ascending
	// unsplit holds the numbers of the content words, which documents are compared by, of the
	// rows of names that have other words than these.
	unsplitRows []int32
	unsplit     safetensors.Lists
	wordEdits
}

// NewWordIndex indexes names, given the canonical tokens of each and its concepts, in functions that are called
// concurrently. The first names are searched; the others only count in weights and probabilities. No search finds an
// empty name. The weight of a word is ln((1 + names) / (1 + names with the word)). It ends early with ctx.
func NewWordIndex(ctx context.Context, names, searched int, tokens func(row int) []string,
	concepts func(row int32) []int32) (*WordIndex, error) {
	all := newTokenNumbers()
	var tokensOf safetensors.Lists
	err := inOrder(ctx, names, tokens, func(_ int, name []string) { tokensOf.Append(all.of(name)...) })
	if err != nil {
		return nil, err
	}
	distinct := all.distinct
	stems, plain := make([]string, len(distinct)), make([][]string, len(distinct)) // of each token
	onAllCores(len(distinct), func(i int) {
		stems[i], plain[i] = normalize.Stem(distinct[i]), normalize.PlainWords(distinct[i])
	})
	vocabulary := slices.Concat(append(plain, stems)...)
	slices.Sort(vocabulary)
	vocabulary = slices.Compact(vocabulary)
	x, numbers := new(WordIndex), make(map[string]int32, len(vocabulary))
	for number, stem := range vocabulary {
		numbers[stem] = int32(number)
		x.vocabulary.Append(stem)
	}
	var stemOf, plainOf safetensors.Lists
	for i := range distinct {
		stemOf.Append(numbers[stems[i]])
		var of []int32
		for _, stem := range plain[i] {
			of = append(of, numbers[stem])
		}
		plainOf.Append(of...)
	}
	x.add(ctx, &tokensOf, &stemOf, &plainOf, searched)
	return x, x.countEdits(ctx, concepts)
}

// add adds names, given the numbers of the tokens of each, and the numbers of the stem of each token, and of the plain
// words for its combining forms.
func (x *WordIndex) add(ctx context.Context, tokensOf, stemOf, plainOf *safetensors.Lists, searched int) {
	var all safetensors.Lists // row -> numbers of its words, split or not
	var stems, plain []int32
	count := 0 // names with words
	for row := int32(0); int(row) < tokensOf.Len() && ctx.Err() == nil; row++ {
		stems, plain = stems[:0], plain[:0]
		for _, token := range tokensOf.At(row) {
			stems, plain = append(stems, stemOf.At(token)...), append(plain, plainOf.At(token)...)
		}
		isSplit := len(plain) > len(stems)
		plain = sortedDistinct(plain)
		x.words.Append(plain...)
		if isSplit {
			stems = sortedDistinct(stems)
			x.unsplitRows = append(x.unsplitRows, row)
			x.unsplit.Append(stems...)
			plain = appendDifference(plain, stems, plain)
		}
		all.Append(plain...)
		count += min(1, len(plain))
	}
	words := x.vocabulary.Len()
	rows := all.Inverted(words)
	for number := range int32(words) {
		having := rows.At(number)
		x.weights = append(x.weights, math.Log(float64(1+count)/float64(1+len(having))))
		end, _ := slices.BinarySearch(having, int32(searched))
		x.rows.Append(having[:end]...)
	}
	x.weights = append(x.weights, math.Log(float64(1+count)))
}

// sortedDistinct sorts numbers in place and returns the distinct ones.
func sortedDistinct(numbers []int32) []int32 {
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// Fields returns what a file has of an index.
func (x *WordIndex) Fields() []safetensors.Field {
	return []safetensors.Field{
		{Name: "vocabulary", Data: &x.vocabulary}, {Name: "weights", Data: &x.weights}, {Name: "rows", Data: &x.rows},
		{Name: "words", Data: &x.words}, {Name: "unsplit", Data: &x.unsplit}, {Name: "unsplit.rows", Data: &x.unsplitRows},
		{Name: "log_p", Data: &x.logP}, {Name: "replaced", Data: &x.replaced}, {Name: "log_replaced", Data: &x.logReplaced},
	}
}

// Check returns an error if the arrays of a file do not fit together.
func (x *WordIndex) Check() error {
	n := x.vocabulary.Len()
	if x.rows.Len() != n || x.replaced.Len() != n || len(x.weights) != n+1 || len(x.logP) != n+1 ||
		len(x.logReplaced) != len(x.replaced.Values()) || len(x.unsplitRows) != x.unsplit.Len() {
		return fmt.Errorf("arrays that should have %d elements have others", n)
	}
	return nil
}

// Has reports whether a name has a word, given its stem.
func (x *WordIndex) Has(stem string) bool {
	_, found := x.vocabulary.Find(stem)
	return found
}

// Words returns the numbers of the words of the name in a row, ascending. The slice must not be changed.
func (x *WordIndex) Words(row int32) []int32 { return x.words.At(row) }

// WithAllOf returns the rows of names that have all of the words, ascending. It returns none if there are no words. The
// slice must not be changed.
func (x *WordIndex) WithAllOf(m *MentionWords) []int32 {
	if m.Unknown > 0 || len(m.Known) == 0 {
		return nil
	}
	size := func(number int32) int {
		start, end := x.rows.Range(number)
		return int(end - start)
	}
	numbers := slices.Clone(m.Known)
	slices.SortFunc(numbers, func(a, b int32) int { return cmp.Compare(size(a), size(b)) }) // the rarest first
	found := x.rows.At(numbers[0])
	for _, number := range numbers[1:] {
		var both []int32
		eachCommon(found, x.rows.At(number), func(i, _ int) { both = append(both, found[i]) })
		found = both
	}
	return found
}

// eachCommon calls do with the positions of each number that two ascending lists have in common. It takes time by the
// length of the shorter one, and the logarithm of that of the other.
func eachCommon(a, b []int32, do func(i, j int)) {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] < b[j]:
			i += countLess(a[i:], b[j])
		case b[j] < a[i]:
			j += countLess(b[j:], a[i])
		default:
			do(i, j)
			i, j = i+1, j+1
		}
	}
}

// countLess returns how many numbers of an ascending list are less than another. The first of them is.
func countLess(list []int32, least int32) int {
	step := 1
	for step < len(list) && list[step] < least {
		step *= 2
	}
	at, _ := slices.BinarySearch(list[step/2:min(step, len(list))], least)
	return step/2 + at
}

// WithExactly returns the rows of names that have exactly the words, ascending.
func (x *WordIndex) WithExactly(m *MentionWords) []int32 {
	var same []int32
	for _, row := range x.WithAllOf(m) {
		if len(x.Words(row)) == len(m.Known) {
			same = append(same, row)
		}
	}
	return same
}

// DocumentGain returns the share, by weight, of a name's content words that the document has and
// the mention lacks. mention holds its content words, sorted.
func (x *WordIndex) DocumentGain(row int32, mention []string, document map[string]int) float64 {
	words := x.Words(row)
	if at, split := slices.BinarySearch(x.unsplitRows, row); split {
		words = x.unsplit.At(int32(at))
	}
	all, gained := 0.0, 0.0
	for _, number := range words {
		weight := x.weights[number]
		all += weight
		if word := x.vocabulary.Bytes(int(number)); document[string(word)] > 0 {
			if _, inMention := slices.BinarySearch(mention, string(word)); !inMention {
				gained += weight
			}
		}
	}
	if all == 0 {
		return 0
	}
	return gained / all
}

// WeightUnknown returns the sum of the weights of those words that no name has, and of all of the words.
func (x *WordIndex) WeightUnknown(m *MentionWords) (unknown, all float64) {
	for range m.Unknown {
		unknown += x.weights[x.vocabulary.Len()]
	}
	for _, number := range m.Known {
		all += x.weights[number]
	}
	return unknown, all + unknown
}

// WeightIn returns the sum of the weights of those words that are in any of the rows.
func (x *WordIndex) WeightIn(rows []int32, m *MentionWords) float64 {
	sum := 0.0
	for _, number := range m.Known {
		if slices.ContainsFunc(rows, func(row int32) bool { return slices.Contains(x.Words(row), number) }) {
			sum += x.weights[number]
		}
	}
	return sum
}

// IsWithin reports whether the name in a row has words, and all of them are among those with the numbers known.
func (x *WordIndex) IsWithin(row int32, known []int32) bool {
	words := x.Words(row)
	return len(words) > 0 && !slices.ContainsFunc(words, func(number int32) bool { return !slices.Contains(known, number) })
}

// MentionWords is the words of a mention as a [WordIndex] knows them.
type MentionWords struct {
	Known   []int32 // numbers of those that names have, ascending
	Unknown int     // of the words, those that no name has
	// The words, and the series of words, that words of the mention exclude, with the number of the word of the mention: -1
	// if no name has it.
	opposites, series map[string]int32
	about             []int32 // the words of it that are about a thing, see normalize.IsAbout
}

// Mention returns the words of a mention, which are distinct and sorted: see [normalize.NameWordsOf].
func (x *WordIndex) Mention(words []string) *MentionWords {
	m := &MentionWords{opposites: make(map[string]int32), series: make(map[string]int32)}
	for _, word := range words {
		own := int32(-1)
		if number, known := x.vocabulary.Find(word); known {
			own = int32(number)
			m.Known = append(m.Known, own)
		} else {
			m.Unknown++
		}
		for _, opposite := range normalize.Opposites(word) {
			m.opposites[opposite] = own
		}
		if series := normalize.Series(word); series != "" {
			m.series[series] = own
		}
		if normalize.IsAbout(word) {
			m.about = append(m.about, own)
		}
	}
	return m
}

// Excludes reports whether the name in a row has a word that a word of the mention excludes, and lacks that word, or
// whether one of both has more words, and among them one that makes it something about the other: see
// [normalize.ExcludeEachOther].
func (x *WordIndex) Excludes(row int32, m *MentionWords) bool {
	words := x.Words(row)
	isOther := func(number int32) bool { return !slices.Contains(words, number) }
	switch more := len(m.Known) + m.Unknown - len(words); {
	case more > 0 && slices.ContainsFunc(m.about, isOther):
		return true
	case more < 0 && slices.ContainsFunc(words, func(number int32) bool {
		return !slices.Contains(m.Known, number) && normalize.IsAbout(string(x.vocabulary.Bytes(int(number))))
	}):
		return true
	}
	return slices.ContainsFunc(words, func(number int32) bool {
		if slices.Contains(m.Known, number) {
			return false
		}
		word := x.vocabulary.Bytes(int(number))
		if own, excluded := m.opposites[string(word)]; excluded && !slices.Contains(words, own) {
			return true
		}
		if len(m.series) == 0 {
			return false
		}
		own, excluded := m.series[normalize.Series(string(word))]
		return excluded && !slices.Contains(words, own)
	})
}
