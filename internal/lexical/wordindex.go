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

// WordIndex is an inverted index of names by their words, in any order: see [normalize.NameWordsOf]. Words are numbered
// alphabetically.
type WordIndex struct {
	vocabulary safetensors.Strings // number -> stem
	weights    []float64           // number -> inverse document frequency, see NewWordIndex; last that of an unknown word
	rows       safetensors.Lists   // number -> rows of names with the word, ascending
	words      safetensors.Lists   // row -> numbers of its words, ascending
	// unsplit lists the numbers of the content words, by which names are compared with documents, for the names in
	// unsplitRows, whose combining forms are split into other words.
	unsplitRows []int32
	unsplit     safetensors.Lists
	wordEdits
}

// NewWordIndex indexes names. tokens returns the canonical tokens of a name and is called concurrently, and concepts
// returns its concepts. Searches return only the first names, as many as searched says; the others count in weights and
// probabilities. No search returns an empty name. The weight of a word is ln((1 + names) / (1 + names with the word)).
// NewWordIndex returns early if ctx ends.
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
		stems[i], plain[i] = normalize.Stem(distinct[i]), normalize.NameWordsOf(distinct[i:i+1])
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

// add adds names. tokensOf holds the token numbers of each name, stemOf the number of the stem of each token, and
// plainOf those of the plain words for its combining forms.
func (x *WordIndex) add(ctx context.Context, tokensOf, stemOf, plainOf *safetensors.Lists, searched int) {
	var all safetensors.Lists // row -> numbers of its words, split and unsplit
	var stems, plain []int32
	count := 0 // number of names that have words
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

// Fields returns the arrays of an index as fields of a file.
func (x *WordIndex) Fields() []safetensors.Field {
	return []safetensors.Field{
		{Name: "vocabulary", Data: &x.vocabulary}, {Name: "weights", Data: &x.weights}, {Name: "rows", Data: &x.rows},
		{Name: "words", Data: &x.words}, {Name: "unsplit", Data: &x.unsplit}, {Name: "unsplit.rows", Data: &x.unsplitRows},
		{Name: "log_p", Data: &x.logP}, {Name: "replaced", Data: &x.replaced}, {Name: "log_replaced", Data: &x.logReplaced},
	}
}

// Check returns an error if the lengths of the arrays in a file do not match.
func (x *WordIndex) Check() error {
	n := x.vocabulary.Len()
	if x.rows.Len() != n || x.replaced.Len() != n || len(x.weights) != n+1 || len(x.logP) != n+1 ||
		len(x.logReplaced) != len(x.replaced.Values()) || len(x.unsplitRows) != x.unsplit.Len() {
		return fmt.Errorf("want arrays of %d elements, got other lengths", n)
	}
	return nil
}

// Has reports whether the word with this stem occurs in a name.
func (x *WordIndex) Has(stem string) bool {
	_, found := x.vocabulary.Find(stem)
	return found
}

// Words returns the numbers of the words of the name in a row, ascending. The slice must not be changed.
func (x *WordIndex) Words(row int32) []int32 { return x.words.At(row) }

// WithAllOf returns the rows of names that contain all words of the mention, ascending, or nil if the mention has no
// words. The slice must not be changed.
func (x *WordIndex) WithAllOf(m *MentionWords) []int32 {
	if len(m.Unknown) > 0 || len(m.Known) == 0 {
		return nil
	}
	size := func(number int32) int {
		start, end := x.rows.Range(number)
		return int(end - start)
	}
	numbers := slices.Clone(m.Known)
	slices.SortFunc(numbers, func(a, b int32) int { return cmp.Compare(size(a), size(b)) }) // rarest first
	found := x.rows.At(numbers[0])
	for _, number := range numbers[1:] {
		var both []int32
		eachCommon(found, x.rows.At(number), func(i, _ int) { both = append(both, found[i]) })
		found = both
	}
	return found
}

// eachCommon calls do with the positions of each number that two ascending lists have in common. Its time is linear in
// the length of the shorter list and logarithmic in that of the longer.
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

// countLess returns how many numbers of an ascending list are less than least. The first one must be.
func countLess(list []int32, least int32) int {
	step := 1
	for step < len(list) && list[step] < least {
		step *= 2
	}
	at, _ := slices.BinarySearch(list[step/2:min(step, len(list))], least)
	return step/2 + at
}

// WithExactly returns the rows of names that have exactly the words of the mention, ascending.
func (x *WordIndex) WithExactly(m *MentionWords) []int32 {
	var same []int32
	for _, row := range x.WithAllOf(m) {
		if len(x.Words(row)) == len(m.Known) {
			same = append(same, row)
		}
	}
	return same
}

// DocumentGain returns the share, by weight, of a name's content words that occur in the document and not in the
// mention. mention holds the mention's content words, sorted.
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

// WeightUnknown returns the total weight of the mention's words that occur in no name, and of all of its words.
func (x *WordIndex) WeightUnknown(m *MentionWords) (unknown, all float64) {
	for range m.Unknown {
		unknown += x.weights[x.vocabulary.Len()]
	}
	for _, number := range m.Known {
		all += x.weights[number]
	}
	return unknown, all + unknown
}

// WeightIn returns the total weight of the mention's words that occur in any of the rows.
func (x *WordIndex) WeightIn(rows []int32, m *MentionWords) float64 {
	sum := 0.0
	for _, number := range m.Known {
		if slices.ContainsFunc(rows, func(row int32) bool { return slices.Contains(x.Words(row), number) }) {
			sum += x.weights[number]
		}
	}
	return sum
}

// IsWithin reports whether the name in a row has words and all of them are in known.
func (x *WordIndex) IsWithin(row int32, known []int32) bool {
	words := x.Words(row)
	return len(words) > 0 && !slices.ContainsFunc(words, func(number int32) bool { return !slices.Contains(known, number) })
}

// MentionWords holds the words of a mention, looked up in a [WordIndex].
type MentionWords struct {
	Known   []int32  // numbers of the words that occur in names, ascending
	Unknown []string // words that occur in no name
}

// Mention looks up the words of a mention, which must be distinct and sorted: see [normalize.NameWordsOf].
func (x *WordIndex) Mention(words []string) *MentionWords {
	m := new(MentionWords)
	for _, word := range words {
		if number, known := x.vocabulary.Find(word); known {
			m.Known = append(m.Known, int32(number))
		} else {
			m.Unknown = append(m.Unknown, word)
		}
	}
	return m
}

// Excludes reports whether the name in a row and the mention exclude each other, see [normalize.Exclude].
func (x *WordIndex) Excludes(row int32, m *MentionWords) bool {
	textsOf := func(numbers []int32) (words []string) {
		for _, number := range numbers {
			words = append(words, x.vocabulary.At(int(number)))
		}
		return words
	}
	words := x.Words(row)
	return normalize.Exclude(textsOf(appendDifference(nil, words, m.Known)),
		append(textsOf(appendDifference(nil, m.Known, words)), m.Unknown...))
}
