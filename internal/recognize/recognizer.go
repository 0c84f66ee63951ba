package recognize

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Recognizer finds the mentions of texts. It is safe for concurrent use.
type Recognizer struct {
	*wordStatistics
	ensemble
	adjectives map[string]bool // derived from words that surely end a mention
	bias       float64         // added to the scores of mentions
}

// Options are what a recognizer is learned from.
type Options struct {
	// Dictionary holds the names, and the hierarchy, if there is one.
	Dictionary *kb.Dictionary
	// Documents are raw texts. They are read twice. The networks learn from a sample of them.
	Documents iter.Seq2[*text.Document, error]
	// Tag returns a document with the mentions of the dictionary's names, as [link.TagDocument] tags them.
	Tag  func(*text.Document) *text.Document
	Seed uint64
	// Progress is called after each step of training the network; nil for none.
	Progress func(done, total int)
}

// The network learns from documents until they have so many known mentions: more text makes it learn the
// noise of the labels. A small dictionary needs more documents.
const (
	enoughMentions = 3500
	maxDocuments   = 3000
	networkCount   = 3
)

// Train learns a recognizer. It returns nil if there is too little text. The same options give the same
// recognizer with any number of processors.
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
	var sample []*text.Document // that the networks learn from, in the order of their hashes
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
	r.adjectives = s.derivedAdjectives()
	r.bias = float64(float32(biasOf(s.completeness(), len(s.words)))) // as it is written
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
		if err := n.train(ctx, s.examples(documents, o.Seed), o.Seed+uint64(i), report); err != nil {
			return nil, err
		}
		n.setByPlace()
		r.ensemble = append(r.ensemble, n)
	}
	return r, nil
}

// documentsFrom returns the documents of a sample from one on that have enough known mentions, beginning again after the
// last.
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

// keepWithout is the share of the sentences without anything to find that the network learns from.
const keepWithout = .3

// examples returns the sentences of documents with the labels that they may have.
func (s *wordStatistics) examples(documents []*text.Document, seed uint64) []example {
	var examples []example
	for _, doc := range documents {
		for i, tokens := range sentencesOf(doc.Text, abbrev.Find(doc.Text)) {
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

// completeness estimates what share of the mentions in texts are names of the dictionary: of the words that
// are like names of one word, known or not, the mean share of their occurrences that end a name.
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

// biasOf returns the bias for a dictionary of so great a completeness, and texts of so many words: the more the
// dictionary finds, the fewer mentions are left to find. The line was fitted to the best biases of six dictionaries,
// of diseases (300 and 3,000 names, half and whole MEDIC) and of chemicals (half and whole), on three development
// sets. Few texts teach too little to find more than what looks like a mention.
func biasOf(completeness float64, words int) float64 {
	const enoughWords = 5000
	bias := 2.5 - 4.6*completeness
	if words < enoughWords {
		return min(bias, 0)
	}
	return bias
}

// minPairs is how often two words must stand side by side to be a pair.
const minPairs = 3

// setPairs counts how often words stand side by side in documents.
func (s *wordStatistics) setPairs(documents *corpusWords) {
	counts := make([]int32, len(s.words))
	var seen []int32
	for first := range s.words {
		w := &s.words[first]
		if !startsWithLetter(w.Word) || len(w.Word) <= 2 || lang.StopWords[w.Word] {
			continue
		}
		for _, at := range documents.places[first] {
			next := documents.all[at+1] // there is a gap behind each document
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

// beside returns how often a word stands right behind another in texts, 0 for less than minPairs.
func (s *wordStatistics) beside(first, second string) int32 {
	w := s.look(first)
	next, known := s.number[second]
	if at, found := slices.BinarySearch(w.Next, next); known && found {
		return w.NextCount[at]
	}
	return 0
}

// The least share of the occurrences of the first word of a pair, and of the second, that the pair has if it is one
// term.
const (
	boundFirst  = .5
	boundSecond = .3
)

// leastTaken is how often names take the first word of a pair in, of the times that it stands before one, if it
// belongs to a second word that is a name alone.
const leastTaken = .1

// areBound reports whether two words are one term, since one of them hardly stands without the other: no mention
// begins between "ankylosing" and "spondylitis", or "myocardial" and "infarction". It does between "serum" and
// "creatinine", which is a name alone, since names leave "serum" out.
func (s *wordStatistics) areBound(a, b string) bool {
	if isHiragana(a) || lang.StopWords[a] || lang.StopWords[b] || lang.Prepositions[a] || lang.Prepositions[b] {
		return false
	}
	first, second := s.look(a), s.look(b)
	together := s.beside(a, b)
	if together == 0 || first.share(together) >= boundFirst {
		return together > 0
	}
	share, _ := s.takenShare(a)
	return second.share(together) >= boundSecond && (share >= leastTaken || !second.Alone)
}

// derivedAdjectives returns the words of the vocabulary that are adjectives of words that surely are
// mentions: "nephrotic" of "nephrosis".
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

// Learned returns the number of words of the vocabulary, the estimated share of the mentions in texts that the
// dictionary names, and the bias that follows from it.
func (r *Recognizer) Learned() (words int, completeness, bias float64) {
	return len(r.words), r.completeness(), r.bias
}
