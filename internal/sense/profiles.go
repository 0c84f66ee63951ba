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
	background []int32          // word -> contexts with it
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
	p := &Profiles{contexts: contexts, space: space, words: make(map[string]int32), senses: make(map[string]*profile)}
	p.vectors[Encoded] = encoded
	if space != nil {
		p.vectors[Latent] = func(row int) []float32 { return space.Vector(contexts.Words(row)) }
	}
	const blockRows = 8192 // contexts whose words are in memory at a time
	for first := 0; first < contexts.Len; first += blockRows {
		p.addBlock(first, min(first+blockRows, contexts.Len))
	}
	p.setMeans()
	return p
}

// Extend returns the profiles of the contexts of p and of more exemplars. encoded is of all rows.
func (p *Profiles) Extend(exemplars []text.Exemplar, encoded Vectors) *Profiles {
	return NewProfiles(p.contexts.with(ContextsOf(exemplars)), encoded, p.space)
}

// addBlock adds the contexts of the rows from first up to end.
func (p *Profiles) addBlock(first, end int) {
	words, latent := make([][]string, end-first), make([][]float32, end-first)
	parallel.Ranges(len(words), 0, func(start, end int) {
		for i := start; i < end; i++ {
			words[i] = p.contexts.Words(first + i)
			if p.space != nil {
				latent[i] = p.space.Vector(words[i])
			}
		}
	})
	for i := range words {
		numbers := p.number(words[i])
		for _, word := range numbers {
			p.background[word]++
		}
		row := first + i
		s := p.contexts.Sense(row)
		for _, key := range s.Keys() {
			own := p.senses[key]
			if own == nil {
				own = new(profile)
				p.senses[key] = own
			}
			own.rows, own.words = append(own.rows, int32(row)), append(own.words, numbers...)
			if encoded := p.vectors[Encoded]; encoded != nil {
				own.sums[Encoded] = add(own.sums[Encoded], encoded(row), 1)
			}
			own.sums[Latent] = add(own.sums[Latent], latent[i], 1)
		}
	}
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
		}
		numbers[i] = number
	}
	return numbers
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

// CentroidScore returns the cosine of a vector of a kind, of the text around a mention, and
// the centroid of a sense's exemplars, less the mean of that cosine over all senses. It
// returns 0 for a sense without exemplars and for a zero vector. Exemplars that are excluded
// do not count.
func (p *Profiles) CentroidScore(kind VectorKind, key string, vector []float32, excluded *Excluded) float64 {
	own := p.senses[key]
	if own == nil || own.sums[kind] == nil || vector == nil {
		return 0
	}
	sum, left := own.sums[kind], excluded.of(own)
	if len(left) == len(own.rows) {
		return 0
	}
	if len(left) > 0 {
		sum = slices.Clone(sum)
	}
	for _, i := range left {
		add(sum, excluded.vectors[kind][i], -1)
	}
	length := norm(sum)
	if length == 0 {
		return 0
	}
	return float64(dot(sum, vector)/length - dot(p.means[kind], vector))
}

// ContextWords returns the distinct content words of the sentence around a mention, as
// stems in alphabetical order, without the words of the mention: see [normalize.ContentWords].
func ContextWords(q *text.Query) []string {
	body := q.Sentence.Of(q.Text)
	start, end := q.Mention.Start-q.Sentence.Start, q.Mention.End-q.Sentence.Start
	own := normalize.ContentWords(q.Surface())
	return slices.DeleteFunc(normalize.ContentWords(body[:start]+" "+body[end:]), func(word string) bool {
		return slices.Contains(own, word)
	})
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
	left := excluded.of(own)
	contexts := len(own.rows) - len(left)
	if contexts <= 0 || len(words) == 0 {
		return 0
	}
	sum := 0.0
	for _, word := range words {
		background := float64(p.background[word]) / float64(p.contexts.Len)
		count := own.contextsWith(word)
		for _, i := range left {
			if slices.Contains(excluded.words[i], word) {
				count--
			}
		}
		if count == 0 { // as most words
			sum += logBackgroundShare
			continue
		}
		sum += math.Log((1-backgroundShare)*float64(count)/float64(contexts)/background + backgroundShare)
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
	for _, word := range name {
		rarity := math.Log(float64(p.contexts.Len + 1))
		if number, known := p.words[word]; known {
			rarity = math.Log(float64(p.contexts.Len+1) / float64(p.background[number]))
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

// of returns the positions of the exemplars that are left out of a sense.
func (e *Excluded) of(own *profile) (left []int) {
	if e == nil {
		return nil
	}
	for i, row := range e.rows {
		if _, found := slices.BinarySearch(own.rows, row); found {
			left = append(left, i)
		}
	}
	return left
}
