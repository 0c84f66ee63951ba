package sense

import (
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/lsa"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/text"
)

// Profiles describes the contexts of each sense: the words around its exemplars, and the centroids of the vectors of
// their sentences. It is safe for concurrent use.
type Profiles struct {
	words      safetensors.Lists // numbers of the words of each context
	vectors    [vectorKinds]Vectors
	space      *lsa.Space       // of the latent vectors; the words share its numbers; may be nil
	further    map[string]int32 // number of each word that space lacks
	background []int32          // word -> number of contexts with it
	senses     map[string]*profile
	means      [vectorKinds][]float32 // mean of the unit centroids of all senses; nil without vectors
}

// profile describes the contexts of one sense.
type profile struct {
	rows   []int32                // of the exemplars, ascending
	sums   [vectorKinds][]float32 // of their vectors; nil without vectors
	summed int                    // number of rows in sums

	count  sync.Once       // sets counts
	counts map[int32]int32 // word -> number of contexts with it; computed on first use
}

// contextsWith returns the number of contexts of a sense that contain a word.
func (p *Profiles) contextsWith(own *profile, word int32) int32 {
	own.count.Do(func() {
		own.counts = make(map[int32]int32)
		for _, row := range own.rows {
			for _, word := range p.words.At(row) {
				own.counts[word]++
			}
		}
	})
	return own.counts[word]
}

// VectorKind is a way to compute a vector for the sentence of an exemplar, without its mention.
type VectorKind int

const (
	// Encoded uses the encoder of the model.
	Encoded VectorKind = iota
	// Latent uses latent semantic analysis of the sentence's words.
	Latent

	vectorKinds
)

// Vectors returns the vector of an exemplar's sentence, without its mention, by row, or nil if it has none.
type Vectors func(row int) []float32

// Contexts yields, for each exemplar in its sentence, in the order of rows, the sense of its mention, given by concepts
// or a long form, and its [ContextWords].
type Contexts = iter.Seq2[Sense, []string]

// ContextsOf returns the contexts of exemplars.
func ContextsOf(exemplars []text.Exemplar) Contexts {
	const blockRows = 8192 // number of contexts whose words are in memory at a time
	return func(yield func(Sense, []string) bool) {
		for block := range slices.Chunk(exemplars, blockRows) {
			words := make([][]string, len(block))
			parallel.Ranges(len(block), 0, func(start, end int) {
				for i := start; i < end; i++ {
					words[i] = ContextWords(&block[i].Query)
				}
			})
			for i := range block {
				m := &block[i].Mention
				if !yield(Sense{LongForm: m.LongForm, Concepts: m.Concepts}, words[i]) {
					return
				}
			}
		}
	}
}

// NewProfiles returns the profiles of contexts. A context with concepts belongs to each of them, a context without
// concepts to its long form. encoded and space may be nil.
func NewProfiles(contexts Contexts, encoded Vectors, space *lsa.Space) *Profiles {
	return (&Profiles{space: space, background: make([]int32, space.Len())}).Extend(contexts, encoded)
}

// Extend returns the profiles of the contexts of p and of further ones. encoded covers all rows.
func (p *Profiles) Extend(contexts Contexts, encoded Vectors) *Profiles {
	larger := &Profiles{words: p.words.Clip(), space: p.space,
		further: maps.Collect(maps.All(p.further)), background: slices.Clone(p.background), senses: make(map[string]*profile)}
	for key, own := range p.senses {
		larger.senses[key] = &profile{rows: slices.Clip(own.rows), sums: own.sums, summed: len(own.rows)}
	}
	if larger.vectors[Encoded] = encoded; p.space != nil {
		larger.vectors[Latent] = func(row int) []float32 { return p.space.VectorOf(larger.words.At(int32(row))) }
	}
	for s, words := range contexts {
		larger.add(&s, words)
	}
	larger.sum()
	return larger
}

// add adds a context of a sense.
func (p *Profiles) add(s *Sense, words []string) {
	numbers := make([]int32, len(words))
	for i, word := range words {
		number, known := p.number(word)
		if !known {
			number = int32(len(p.background))
			p.further[strings.Clone(word)] = number // word shares the memory of its sentence
			p.background = append(p.background, 0)
		}
		numbers[i] = number
		p.background[number]++
	}
	row := int32(p.words.Len())
	p.words.Append(numbers...)
	for _, key := range s.Keys() {
		own := p.senses[key]
		if own == nil {
			own = new(profile)
			p.senses[key] = own
		}
		own.rows = append(own.rows, row)
	}
}

// number returns the number of a word.
func (p *Profiles) number(word string) (number int32, known bool) {
	if number, known = p.space.Number(word); !known {
		number, known = p.further[word]
	}
	return number, known
}

// sum adds the vectors of new rows to the sums of their senses, and computes the means of the unit centroids. It
// processes senses in the order of their keys, so that rounding is the same in every process.
func (p *Profiles) sum() {
	keys := slices.Sorted(maps.Keys(p.senses))
	parallel.Ranges(len(keys), 0, func(start, end int) {
		for _, key := range keys[start:end] {
			own := p.senses[key]
			for kind, vectors := range p.vectors {
				if added := own.rows[own.summed:]; len(added) > 0 && vectors != nil {
					own.sums[kind] = slices.Clone(own.sums[kind]) // the others belong to smaller profiles
					for _, row := range added {
						own.sums[kind] = add(own.sums[kind], vectors(int(row)), 1)
					}
				}
			}
			own.summed = len(own.rows)
		}
	})
	for _, key := range keys {
		for kind, sum := range p.senses[key].sums {
			if length := norm(sum); length > 0 {
				p.means[kind] = add(p.means[kind], sum, 1/(length*float32(len(keys))))
			}
		}
	}
}

// add adds factor * x to sum and allocates sum if it is nil. A nil x stands for zero.
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

func norm(x []float32) float32 { return float32(math.Sqrt(dot.InOrder(x, x))) }

// CentroidScore returns the cosine of a vector of the text around a mention with the centroid of a sense's exemplars,
// minus the mean of that cosine over all senses. It returns 0 if the sense has no exemplars or a vector is zero.
// Exemplars in the excluded rows do not count.
func (p *Profiles) CentroidScore(kind VectorKind, key string, vector []float32, excluded []int32) float64 {
	own := p.senses[key]
	if own == nil || own.sums[kind] == nil || vector == nil {
		return 0
	}
	sum, left := own.sums[kind], own.among(excluded)
	if len(left) == len(own.rows) {
		return 0
	}
	if len(left) > 0 {
		sum = slices.Clone(sum)
	}
	for _, row := range left {
		add(sum, p.vectors[kind](int(row)), -1)
	}
	length := norm(sum)
	if length == 0 {
		return 0
	}
	return dot.InOrder(sum, vector)/float64(length) - dot.InOrder(p.means[kind], vector)
}

// ContextWords returns the distinct content words of the sentence around a mention, as stems in alphabetical order,
// without the words of the mention: see [normalize.ContentWords].
func ContextWords(q *text.Query) []string {
	body := q.Sentence.Of(q.Text)
	start, end := q.Mention.Start-q.Sentence.Start, q.Mention.End-q.Sentence.Start
	own := normalize.ContentWords(q.Surface())
	return slices.DeleteFunc(normalize.ContentWords(body[:start]+" "+body[end:]), func(word string) bool {
		return slices.Contains(own, word)
	})
}

// backgroundShare is the weight of the background in the word probabilities of a sense. Of the values from .5 to .98,
// .7 was the best for the ambiguous short forms of 109,176 records, and none was worse by more than .003.
const backgroundShare = .7

var logBackgroundShare = math.Log(backgroundShare)

// WordScore returns how much more probable words are around exemplars of a sense than around arbitrary exemplars:
//
//	1/sqrt(n) * sum over the n words of ln(((1-b) p(word | sense) + b p(word)) / p(word))
//
// This is the log-likelihood ratio of two unigram models. That of the sense is smoothed by interpolation with the
// background (Jelinek-Mercer; Zhai & Lafferty, "A study of smoothing methods for language models applied to information
// retrieval", ACM TOIS 22, 2004), with b = .7. Without the root, a document would count ten times as much as one of its
// sentences, although its words are not ten times as much evidence. Words that occur in no exemplar count nothing.
//
// Exemplars in the excluded rows do not count: those from the document of a query, when the weights of evidence are
// learned. WordScore returns 0 for a sense without exemplars. The words are given by their [Profiles.Numbers].
func (p *Profiles) WordScore(key string, words []int32, excluded []int32) float64 {
	own := p.senses[key]
	if own == nil {
		return 0
	}
	left := own.among(excluded)
	contexts := len(own.rows) - len(left)
	if contexts <= 0 || len(words) == 0 {
		return 0
	}
	sum := 0.0
	for _, word := range words {
		background := float64(p.background[word]) / float64(p.words.Len())
		count := p.contextsWith(own, word)
		for _, row := range left {
			if slices.Contains(p.words.At(row), word) {
				count--
			}
		}
		if count == 0 { // true for most words
			sum += logBackgroundShare
			continue
		}
		sum += math.Log((1-backgroundShare)*float64(count)/float64(contexts)/background + backgroundShare)
	}
	return sum / math.Sqrt(float64(len(words)))
}

// Numbers returns the numbers of the words that occur in contexts, in the order of words.
func (p *Profiles) Numbers(words []string) []int32 {
	var numbers []int32
	for _, word := range words {
		if number, known := p.number(word); known && p.background[number] > 0 {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// Overlap returns how much of a name occurs in a document: the share of the name's content words that are among the
// words of the document, each weighted by its rarity, ln(contexts/contexts with the word). A word that occurs in no
// context counts like one that occurs in a single context. It returns 0 for a name without content words. The
// document's words must be in alphabetical order.
func (p *Profiles) Overlap(name, document []string) float64 {
	both, all := 0., 0.
	for _, word := range name {
		contexts := int32(1)
		if number, known := p.number(word); known {
			contexts = max(1, p.background[number])
		}
		rarity := math.Log(float64(p.words.Len()+1) / float64(contexts))
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

// among returns those of the rows that are exemplars of the sense.
func (o *profile) among(rows []int32) (own []int32) {
	for _, row := range rows {
		if _, found := slices.BinarySearch(o.rows, row); found {
			own = append(own, row)
		}
	}
	return own
}
