package recognize

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Recognizer finds mentions in texts. It is safe for concurrent use.
type Recognizer struct {
	*wordStatistics
	ensemble
	bias float64 // added to the scores of mentions
}

// Options holds the data that a recognizer is learned from.
type Options struct {
	// Dictionary holds the names and, if there is one, the hierarchy.
	Dictionary *kb.Dictionary
	// Documents are raw texts. They are read twice; the networks learn from a sample of them.
	Documents iter.Seq2[*text.Document, error]
	// Tag returns a document with the mentions of the dictionary's names, like [link.TagDocument].
	Tag func(*text.Document) *text.Document
	// Annotated are documents with all of their mentions marked; none without labels.
	Annotated []*text.Document
	Seed      uint64
	// Progress is called after each step of training the network; nil for none.
	Progress func(done, total int)
}

// A network learns from enough documents to have this many known mentions. With more text it learns the noise of the
// labels. A small dictionary needs more documents.
const (
	enoughMentions = 6000
	maxDocuments   = 3000
	networkCount   = 3
)

// Train learns a recognizer. It returns nil if there is too little text. The same options give the same recognizer with
// any number of processors.
func Train(ctx context.Context, o Options) (*Recognizer, error) {
	collector := wordCollector{number: make(map[string]int32)}
	count := 0
	for doc, err := range o.Documents {
		if err != nil {
			return nil, err
		}
		collector.add(doc.Text)
		count++
	}
	s, documents := collector.vocabulary()
	if enough, err := s.setVectors(ctx, documents, o.Seed); err != nil || !enough {
		return nil, err
	}
	s.setPairs(documents)
	s.countNames(o.Dictionary)
	order := func(doc *text.Document) float64 { return sampling.Unit(o.Seed, "recognizer", doc.ID) }
	var sample []*text.Document // for the networks to learn from, in the order of their hashes
	for doc, err := range o.Documents {
		if err != nil {
			return nil, err
		}
		doc = o.Tag(doc)
		s.countMentions(doc)
		if order(doc) < networkCount*maxDocuments/float64(count) {
			sample = append(sample, doc)
		}
	}
	s.counted = nil
	if err := s.fit(ctx); err != nil {
		return nil, err
	}
	r := &Recognizer{wordStatistics: s}
	r.bias = float64(float32(biasOf(s.completeness(), len(s.words)))) // rounded as in the file
	slices.SortStableFunc(sample, func(a, b *text.Document) int {
		return cmp.Or(cmp.Compare(order(a), order(b)), strings.Compare(a.ID, b.ID))
	})
	used := 0 // of the sample
	for i := range networkCount {
		n, documents := newNetwork(s, o.Seed+uint64(i)), documentsFrom(sample, used)
		used += len(documents)
		report := func(done, total int) {
			if o.Progress != nil {
				o.Progress(i*total+done, networkCount*total)
			}
		}
		if err := n.train(ctx, s.examples(documents, o.Seed), fromNames, o.Seed+uint64(i), report); err != nil {
			return nil, err
		}
		if err := n.adapt(ctx, o.Annotated, o.Seed+uint64(i)); err != nil {
			return nil, err
		}
		n.setByPlace()
		r.ensemble = append(r.ensemble, n)
	}
	return r, nil
}

// documentsFrom returns enough documents of a sample, starting with the given one, to have enough known mentions. After
// the last document it continues with the first.
func documentsFrom(sample []*text.Document, first int) (documents []*text.Document) {
	known := 0
	for i := 0; i < min(len(sample), maxDocuments) && known < enoughMentions; i++ {
		doc := sample[(first+i)%len(sample)]
		documents = append(documents, doc)
		for _, m := range doc.Mentions {
			known += min(1, len(m.Concepts))
		}
	}
	return documents
}

// keepWithout is the share of sentences without mentions that the network learns from.
const keepWithout = .3

// examples returns the sentences of documents with the labels that their tokens may have.
func (s *wordStatistics) examples(documents []*text.Document, seed uint64) []example {
	var examples []example
	for _, doc := range documents {
		for i, tokens := range sentencesOf(doc.Text, definitionsIn(doc.Text)) {
			allowed := s.allowedLabels(tokens, doc.Mentions)
			nothing := !slices.ContainsFunc(allowed, func(set labelSet) bool { return set != setOf(outside) })
			if nothing && sampling.Unit(seed, "sentence without mentions", doc.ID, strconv.Itoa(i)) >= keepWithout {
				continue
			}
			examples = append(examples, example{tokens, allowed})
		}
	}
	return examples
}

// completeness estimates the share of mentions in texts that are names of the dictionary: the mean share of occurrences
// that end a name, over all words that are like one-word names, in the dictionary or not.
func (s *wordStatistics) completeness() float64 {
	sum, n := 0., 0
	for i := range s.words {
		if w := &s.words[i]; w.Single >= s.thresholds.single && normalize.IsLetters(w.Word) {
			sum += w.share(w.Ends)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// biasOf returns the bias for a dictionary with the given completeness and texts with so many distinct words. The more
// mentions the dictionary finds, the fewer are left. The line was fitted to the best biases of six dictionaries, of
// diseases (300 and 3,000 names, half and whole MEDIC) and of chemicals (half and whole), on three development sets.
// The bias is not positive for few texts, which teach too little to find more than obvious mentions.
func biasOf(completeness float64, words int) float64 {
	const enoughWords = 5000
	bias := 2.5 - 4.6*completeness
	if words < enoughWords {
		return min(bias, 0)
	}
	return bias
}

// minPairs is how often two words must occur side by side to be stored as a pair.
const minPairs = 3

// setPairs counts how often words occur side by side in documents.
func (s *wordStatistics) setPairs(documents *corpusWords) {
	counts := make([]int32, len(s.words))
	var seen []int32
	for first := range s.words {
		w := &s.words[first]
		if !startsWithLetter(w.Word) || len(w.Word) <= 2 || lang.StopWords[w.Word] {
			continue
		}
		for _, at := range documents.places[first] {
			next := documents.all[at+1] // there is a gap after each document
			if next < 0 || !startsWithLetter(s.words[next].Word) {
				continue
			}
			if counts[next] == 0 {
				seen = append(seen, next)
			}
			counts[next]++
		}
		slices.Sort(seen)
		for _, next := range seen {
			if counts[next] >= minPairs {
				w.Next, w.NextCount = append(w.Next, next), append(w.NextCount, counts[next])
			}
			counts[next] = 0
		}
		seen = seen[:0]
	}
}

// beside returns how often second directly follows first in texts, or 0 for less than minPairs.
func (s *wordStatistics) beside(first, second string) int32 {
	w := s.look(first)
	next, known := s.number[second]
	if at, found := slices.BinarySearch(w.Next, next); known && found {
		return w.NextCount[at]
	}
	return 0
}

// A pair is one term if it makes up at least this share of the occurrences of its first word, or of its second.
const (
	boundFirst  = .5
	boundSecond = .3
)

// leastTaken is the minimum share of the occurrences of a pair's first word, in or before names, that are in them, for
// it to belong to a second word that is a name by itself.
const leastTaken = .1

// areBound reports whether two words are one term, because one of them rarely occurs without the other: no mention
// begins between "ankylosing" and "spondylitis", or "myocardial" and "infarction". A mention can begin between "serum"
// and "creatinine", because "creatinine" is a name by itself and names rarely include "serum".
func (s *wordStatistics) areBound(a, b string) bool {
	if isHiragana(a) || lang.StopWords[a] || lang.StopWords[b] || lang.Prepositions[a] || lang.Prepositions[b] {
		return false
	}
	first, second := s.look(a), s.look(b)
	together := s.beside(a, b)
	if together == 0 || first.share(together) >= boundFirst {
		return together > 0
	}
	return second.share(together) >= boundSecond &&
		(shareWithin(first.Taken, first.Before) >= leastTaken || !second.Alone)
}

// derivedAdjectives returns the words of the vocabulary that are adjectives derived from words that surely are
// mentions: "nephrotic" from "nephrosis".
func (s *wordStatistics) derivedAdjectives() map[string]bool {
	adjectives := make(map[string]bool)
	if !slices.ContainsFunc(s.words, func(w wordRow) bool { return w.surely }) {
		return adjectives
	}
	isNoun := func(w *wordRow) bool {
		if len(w.Word) <= 5 || w.isGeneric() && !w.Alone {
			return false
		}
		ends := w.share(w.Ends)
		return !w.partOnly && (w.surely && !w.isGeneric() || w.Alone && ends > .2) || w.Heads >= manyNames && ends > .8
	}
	nouns := make(map[string]bool)
	for i := range s.words {
		if isNoun(&s.words[i]) {
			for _, canonical := range normalize.CanonicalTokens(s.words[i].Word) {
				nouns[canonical] = true
			}
		}
	}
	for i := range s.words {
		w := &s.words[i]
		canonical := normalize.CanonicalTokens(w.Word)
		isTooShort := len(w.Word) < 6 && language.Rules.Names.IrregularAdjectives[w.Word] == ""
		if len(canonical) != 1 || isNoun(w) || w.share(w.Ends) >= .2 || isTooShort ||
			lang.Participle.MatchString(canonical[0]) {
			continue
		}
		if slices.ContainsFunc(normalize.NounsOf(canonical[0]), func(noun string) bool { return nouns[noun] }) {
			adjectives[w.Word] = true
		}
	}
	return adjectives
}

// Learned returns the size of the vocabulary, the estimated share of mentions in texts that are names of the
// dictionary, and the bias derived from it.
func (r *Recognizer) Learned() (words int, completeness, bias float64) {
	return len(r.words), r.completeness(), r.bias
}
