package sense

import (
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/lsa"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/text"
)

// Profiles describes the contexts of each sense: the words around its exemplars, and the
// centroids of the vectors of their sentences. It is safe for concurrent use.
type Profiles struct {
	contexts   Contexts
	vectors    [vectorKinds]Vectors
	space      *lsa.Space       // of the latent vectors; nil for none
	words      map[string]int32 // -> number of the word
	inSpace    []int32          // word -> its number in space, -1 if it has no vector; nil without space
	background []int32          // word -> contexts with it
	rarity     []float64        // word -> ln(contexts+1 / contexts with it)
	counted    int              // contexts of all senses
	senses     map[string]*profile
	means      [vectorKinds][]float32 // of the unit centroids of all senses; nil without vectors
}

// profile describes the contexts of one sense.
type profile struct {
	words []int32                // of all contexts, each as often as contexts have it
	rows  []int32                // the exemplars, ascending
	sums  [vectorKinds][]float32 // of their vectors; nil without vectors

	count  sync.Once       // sets counts
	counts map[int32]int32 // word -> contexts with it; of the senses that were asked for
}

// contextsWith returns the number of contexts with a word.
func (o *profile) contextsWith(word int32) int32 {
	o.count.Do(func() {
		o.counts = make(map[int32]int32)
		for _, word := range o.words {
			o.counts[word]++
		}
	})
	return o.counts[word]
}

// VectorKind is a way to make a vector of the sentence of an exemplar, without its mention.
type VectorKind int

const (
	// Encoded is by the encoder of the model.
	Encoded VectorKind = iota
	// Latent is by latent semantic analysis of the sentence's words.
	Latent

	vectorKinds
)

// Vectors returns the vector of the sentence of an exemplar, without its mention, by row; nil
// for one that has none.
type Vectors func(row int) []float32

// Contexts are what is known of exemplars, each in its sentence, by row.
type Contexts struct {
	Len   int
	Sense func(row int) Sense    // the concepts, or the long form, that the mention is known to mean
	Words func(row int) []string // see [ContextWords]
}

// ContextsOf returns the contexts of exemplars.
func ContextsOf(exemplars []text.Exemplar) Contexts {
	return Contexts{
		Len: len(exemplars),
		Sense: func(row int) Sense {
			m := &exemplars[row].Mention
			return Sense{LongForm: m.LongForm, Concepts: m.Concepts}
		},
		Words: func(row int) []string { return ContextWords(&exemplars[row].Query) },
	}
}

// with returns the contexts of c and then those of more.
func (c Contexts) with(more Contexts) Contexts {
	return Contexts{
		Len: c.Len + more.Len,
		Sense: func(row int) Sense {
			if row < c.Len {
				return c.Sense(row)
			}
			return more.Sense(row - c.Len)
		},
		Words: func(row int) []string {
			if row < c.Len {
				return c.Words(row)
			}
			return more.Words(row - c.Len)
		},
	}
}

// NewProfiles describes contexts. One of concepts is a context of each of them, one without a
// concept a context of its long form. encoded and space may be nil.
func NewProfiles(contexts Contexts, encoded Vectors, space *lsa.Space) *Profiles {
	p := &Profiles{words: make(map[string]int32), senses: make(map[string]*profile), space: space}
	p.addRows(contexts, encoded)
	return p
}

// Extend returns the profiles of the contexts of p and of more exemplars. They are the same as
// [NewProfiles] returns of all of them, to the last bit: what is counted and summed row by row goes
// on where it ended. encoded is of all rows. The profiles of senses without a new exemplar are
// shared, and p does not change.
func (p *Profiles) Extend(exemplars []text.Exemplar, encoded Vectors) *Profiles {
	contexts := p.contexts.with(ContextsOf(exemplars))
	larger := &Profiles{
		contexts: p.contexts, space: p.space, counted: p.counted,
		words: maps.Clone(p.words), inSpace: slices.Clone(p.inSpace), background: slices.Clone(p.background),
		senses: maps.Clone(p.senses),
	}
	for row := p.contexts.Len; row < contexts.Len; row++ {
		for _, key := range contexts.keys(row) {
			if own := p.senses[key]; own != nil && larger.senses[key] == own {
				larger.senses[key] = own.clone()
			}
		}
	}
	larger.addRows(contexts, encoded)
	return larger
}

// blockRows is the number of contexts whose words are in memory at a time, while they are added.
const blockRows = 8192

// addRows adds the rows of contexts after those that p has, with which they start.
func (p *Profiles) addRows(contexts Contexts, encoded Vectors) {
	first, space := p.contexts.Len, p.space
	p.contexts, p.vectors[Encoded] = contexts, encoded
	if space != nil {
		p.vectors[Latent] = func(row int) []float32 { return space.Vector(contexts.Words(row)) }
	}
	var latent []float32 // of the rows of a block
	if space != nil {
		latent = make([]float32, min(blockRows, contexts.Len-first)*space.Dim())
	}
	for ; first < contexts.Len; first += blockRows {
		p.addBlock(first, min(first+blockRows, contexts.Len), latent)
	}
	p.rarity = make([]float64, len(p.background))
	for word, contexts := range p.background {
		p.rarity[word] = math.Log(float64(p.counted+1) / float64(contexts))
	}
	p.setMeans()
}

// addBlock adds the contexts of the rows from first up to end. latentRoom has room for their latent vectors.
func (p *Profiles) addBlock(first, end int, latentRoom []float32) {
	words := make([][]string, end-first)
	parallel.Ranges(end-first, 0, func(start, end int) {
		for i := start; i < end; i++ {
			words[i] = p.contexts.Words(first + i)
		}
	})
	numbers := make([][]int32, len(words))
	for i := range words {
		numbers[i] = p.number(words[i])
	}
	latent := p.latentVectors(numbers, latentRoom)
	encoded := p.vectors[Encoded]
	for i, numbers := range numbers {
		row := first + i
		p.counted++
		for _, word := range numbers {
			p.background[word]++
		}
		for _, key := range p.contexts.keys(row) {
			own := p.profile(key)
			own.rows = append(own.rows, int32(row))
			own.words = append(own.words, numbers...)
			if encoded != nil {
				own.sums[Encoded] = add(own.sums[Encoded], encoded(row), 1)
			}
			own.sums[Latent] = add(own.sums[Latent], latent[i], 1)
		}
	}
}

// latentVectors returns the latent vector of the words of each row, in room; nil for one that has none.
func (p *Profiles) latentVectors(words [][]int32, room []float32) [][]float32 {
	vectors := make([][]float32, len(words))
	if p.space == nil {
		return vectors
	}
	parallel.Ranges(len(words), 0, func(start, end int) {
		var inSpace []int32 // of a row
		for i := start; i < end; i++ {
			inSpace = inSpace[:0]
			for _, word := range words[i] {
				if number := p.inSpace[word]; number >= 0 {
					inSpace = append(inSpace, number)
				}
			}
			dim := p.space.Dim()
			if vector := room[i*dim : (i+1)*dim]; p.space.WriteVector(vector, inSpace) {
				vectors[i] = vector
			}
		}
	})
	return vectors
}

// clone returns a copy to which exemplars can be added.
func (o *profile) clone() *profile {
	same := &profile{words: slices.Clone(o.words), rows: slices.Clone(o.rows)}
	for kind, sum := range o.sums {
		same.sums[kind] = slices.Clone(sum)
	}
	return same
}

// add adds factor * x to sum, which it allocates if it is nil. x may be nil, for zero.
func add(sum, x []float32, factor float32) []float32 {
	if x == nil {
		return sum
	}
	if sum == nil {
		sum = make([]float32, len(x))
	}
	sum = sum[:len(x)]
	for i := range x {
		sum[i] += factor * x[i]
	}
	return sum
}

// setMeans sets the means of the unit centroids, which p must not have yet. Senses are added in the order of their
// keys, so that rounding is the same in every process.
func (p *Profiles) setMeans() {
	for _, key := range slices.Sorted(maps.Keys(p.senses)) {
		for kind, sum := range p.senses[key].sums {
			if length := norm(sum); length > 0 {
				p.means[kind] = add(p.means[kind], sum, 1/(length*float32(len(p.senses))))
			}
		}
	}
}

func norm(x []float32) float32 { return float32(math.Sqrt(float64(dot(x, x)))) }

func dot(a, b []float32) float32 {
	sum := float32(0)
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// keys returns the keys of the senses that a row is a context of.
func (c *Contexts) keys(row int) []string {
	s := c.Sense(row)
	return s.Keys()
}

func (p *Profiles) profile(key string) *profile {
	own := p.senses[key]
	if own == nil {
		own = new(profile)
		p.senses[key] = own
	}
	return own
}

// number returns the numbers of words. It adds words that are new.
func (p *Profiles) number(words []string) []int32 {
	numbers := make([]int32, len(words))
	for i, word := range words {
		number, known := p.words[word]
		if !known {
			number = int32(len(p.background))
			p.words[strings.Clone(word)] = number // which shares the memory of its sentence
			p.background = append(p.background, 0)
			if p.space != nil {
				inSpace, known := p.space.Number(word)
				if !known {
					inSpace = -1
				}
				p.inSpace = append(p.inSpace, inSpace)
			}
		}
		numbers[i] = number
	}
	return numbers
}

// CentroidScore returns the cosine of a vector of a kind, of the text around a mention, and
// the centroid of a sense's exemplars, less the mean of that cosine over all senses. It
// returns 0 for a sense without exemplars and for a zero vector. Exemplars that are excluded
// do not count.
func (p *Profiles) CentroidScore(kind VectorKind, key string, vector []float32, excluded *Excluded) float64 {
	own := p.senses[key]
	if own == nil || own.sums[kind] == nil || vector == nil {
		return 0
	}
	sum := own.sums[kind]
	if excluded != nil {
		sum = slices.Clone(sum)
		for i, row := range excluded.rows {
			if own.has(row) {
				add(sum, excluded.vectors[kind][i], -1)
			}
		}
		if excluded.contexts(own) == len(own.rows) {
			return 0
		}
	}
	length := norm(sum)
	if length == 0 {
		return 0
	}
	return float64(dot(sum, vector)/length - dot(p.means[kind], vector))
}

// has reports whether a row is an exemplar of the sense.
func (o *profile) has(row int32) bool {
	_, found := slices.BinarySearch(o.rows, row)
	return found
}

// ContextWords returns the distinct content words of the sentence around a mention, as
// stems in alphabetical order, without the words of the mention: see [normalize.ContentWords].
func ContextWords(q *text.Query) []string {
	body := q.Sentence.Of(q.Text)
	start, end := q.Mention.Start-q.Sentence.Start, q.Mention.End-q.Sentence.Start
	return without(normalize.ContentWords(body[:start]+" "+body[end:]), q.Surface())
}

func without(words []string, surface string) []string {
	own := normalize.ContentWords(surface)
	return slices.DeleteFunc(words, func(word string) bool { return slices.Contains(own, word) })
}

// backgroundShare is the weight of the background in the word probabilities of a sense.
// Of .5 to .98, .7 was the best for the ambiguous short forms of 109,176 records, and none
// was worse by more than .003.
const backgroundShare = .7

var logBackgroundShare = math.Log(backgroundShare)

// WordScore returns how much more probable words are around exemplars of a sense than
// around any exemplar:
//
//	1/sqrt(n) * sum over the n words of ln(((1-b) p(word | sense) + b p(word)) / p(word))
//
// the log-likelihood ratio of two unigram models, that of the sense smoothed by
// interpolation with the background (Jelinek-Mercer; Zhai & Lafferty, "A study of
// smoothing methods for language models applied to information retrieval", ACM TOIS 22,
// 2004), b = .7. Without the root a document would count ten times as much as a sentence
// of it, though its words are not ten times as much evidence. Words that the exemplars do
// not have count nothing.
//
// Exemplars that are excluded do not count. It returns 0 for a sense without exemplars. The words are given by their
// [Profiles.Numbers].
func (p *Profiles) WordScore(key string, words []int32, excluded *Excluded) float64 {
	own := p.senses[key]
	if own == nil {
		return 0
	}
	contexts := len(own.rows) - excluded.contexts(own)
	if contexts <= 0 {
		return 0
	}
	sum := 0.0
	for _, word := range words {
		background := float64(p.background[word]) / float64(p.counted)
		count := own.contextsWith(word) - excluded.count(own, word)
		if count == 0 { // as most words
			sum += logBackgroundShare
			continue
		}
		sum += math.Log((1-backgroundShare)*float64(count)/float64(contexts)/background + backgroundShare)
	}
	if len(words) == 0 {
		return 0
	}
	return sum / math.Sqrt(float64(len(words)))
}

// Numbers returns the numbers of the words that contexts have, in the order of words.
func (p *Profiles) Numbers(words []string) []int32 {
	var numbers []int32
	for _, word := range words {
		if number, known := p.words[word]; known {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// Overlap returns how much of a name a document has: the share of the name's content words
// that are among the words of the document, each weighted by its rarity, ln(contexts/contexts
// with the word). A word that no context has is as rare as one that a single context has. It
// returns 0 for a name without content words. Those of the document are in alphabetical order.
func (p *Profiles) Overlap(name, document []string) float64 {
	both, all := 0., 0.
	rarest := math.Log(float64(p.counted + 1)) // of a word that one context has
	for _, word := range name {
		rarity := rarest
		if number, known := p.words[word]; known {
			rarity = p.rarity[number]
		}
		all += rarity
		if _, found := slices.BinarySearch(document, word); found {
			both += rarity
		}
	}
	if all == 0 {
		return 0
	}
	return both / all
}

// Excluded holds exemplars that are left out of the profile of their sense: those of the
// document that a query is from, when the weights of evidence are learned. A nil *Excluded
// holds none.
type Excluded struct {
	rows    []int32
	words   [][]int32                // of each row
	vectors [vectorKinds][][]float32 // of each row; nil without vectors
}

// ExcludeOwn returns the exemplars in the rows of own of a document, to be left out; nil if own is nil.
func (p *Profiles) ExcludeOwn(own map[string][]int32, document string) *Excluded {
	if own == nil {
		return nil
	}
	return p.Exclude(own[document])
}

// Exclude returns the exemplars of the rows, to be left out.
func (p *Profiles) Exclude(rows []int32) *Excluded {
	e := &Excluded{rows: rows}
	for _, row := range rows {
		e.words = append(e.words, p.Numbers(p.contexts.Words(int(row))))
		for kind, vectors := range p.vectors {
			if vectors != nil {
				e.vectors[kind] = append(e.vectors[kind], vectors(int(row)))
			}
		}
	}
	return e
}

// Has reports whether the exemplar in a row is left out.
func (e *Excluded) Has(row int32) bool { return e != nil && slices.Contains(e.rows, row) }

// contexts returns the number of a sense's exemplars that are left out.
func (e *Excluded) contexts(own *profile) int {
	n := 0
	if e != nil {
		for _, row := range e.rows {
			if own.has(row) {
				n++
			}
		}
	}
	return n
}

// count returns the number of a sense's exemplars that are left out and have the word.
func (e *Excluded) count(own *profile, word int32) int32 {
	n := int32(0)
	if e != nil {
		for i, row := range e.rows {
			if own.has(row) && slices.Contains(e.words[i], word) {
				n++
			}
		}
	}
	return n
}
