package recognize

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
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
	v, documents := collector.vocabulary()
	s := &wordStatistics{vocabulary: v, counts: newWordCounts(len(v.words))}
	vectors, err := newWordVectors(ctx, v, documents, o.Seed)
	if err != nil || vectors == nil {
		return nil, err
	}
	s.vectors = vectors
	s.pairs = pairsOf(v, documents)
	s.countNames(o.Dictionary)
	sample := documentSample{seed: o.Seed, share: networkCount * maxDocuments / float64(count)}
	for doc, err := range o.Documents {
		if err != nil {
			return nil, err
		}
		doc = o.Tag(doc)
		s.countMentions(doc)
		sample.add(doc)
	}
	if err := s.fit(ctx); err != nil {
		return nil, err
	}
	r := &Recognizer{wordStatistics: s}
	r.adjectives = s.derivedAdjectives()
	r.bias = float64(float32(biasOf(s.completeness(), len(s.words)))) // as it is written
	sample.sort()
	var networks []*network
	for i := range networkCount {
		n := newNetwork(s, o.Seed+uint64(i))
		report := func(done, total int) {
			if o.Progress != nil {
				o.Progress(i*total+done, networkCount*total)
			}
		}
		if err := n.train(ctx, s.examples(sample.next(), o.Seed), o.Seed+uint64(i), report); err != nil {
			return nil, err
		}
		networks = append(networks, n)
	}
	r.ensemble = newEnsemble(networks)
	return r, nil
}

// documentSample is the documents that the networks learn from, in the order of their hashes.
type documentSample struct {
	seed      uint64
	share     float64 // of the documents that are candidates
	documents []*text.Document
	used      int
}

func (s *documentSample) order(doc *text.Document) float64 {
	return sampling.Unit(s.seed, "recognizer", doc.ID)
}

func (s *documentSample) add(doc *text.Document) {
	if s.order(doc) < s.share {
		s.documents = append(s.documents, doc)
	}
}

// sort puts the documents into the order of their hashes.
func (s *documentSample) sort() {
	slices.SortStableFunc(s.documents, func(a, b *text.Document) int {
		return cmp.Or(cmp.Compare(s.order(a), s.order(b)), strings.Compare(a.ID, b.ID))
	})
}

// next returns the next documents that have enough known mentions, beginning again after the last.
func (s *documentSample) next() []*text.Document {
	var next []*text.Document
	known := 0
	for range min(len(s.documents), maxDocuments) {
		if known >= enoughMentions {
			break
		}
		doc := s.documents[s.used%len(s.documents)]
		s.used++
		next = append(next, doc)
		for _, m := range doc.Mentions {
			if len(m.Concepts) > 0 {
				known++
			}
		}
	}
	return next
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
	for i, w := range s.words {
		if s.single[i] >= s.thresholds.single && normalize.IsLetters(w) {
			sum += float64(s.counts.ends[i]) / float64(s.vocabulary.counts[i])
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

// pairsOf returns how often words stand side by side in documents.
func pairsOf(v *vocabulary, documents *corpusWords) map[[2]int32]int32 {
	pairs := make(map[[2]int32]int32)
	counts := make([]int32, len(v.words))
	isWord := make([]bool, len(v.words))
	for i, w := range v.words {
		isWord[i] = startsWithLetter(w)
	}
	var seen []int32
	for first, w := range v.words {
		if !isWord[first] || len(w) <= 2 || lang.StopWords[w] {
			continue
		}
		for _, at := range documents.places.of(first) {
			next := documents.all[at+1] // there is a gap behind each document
			if next < 0 || !isWord[next] {
				continue
			}
			if counts[next] == 0 {
				seen = append(seen, next)
			}
			counts[next]++
		}
		for _, next := range seen {
			if counts[next] >= minPairs {
				pairs[[2]int32{int32(first), next}] = counts[next]
			}
			counts[next] = 0
		}
		seen = seen[:0]
	}
	return pairs
}

func (s *wordStatistics) isPair(a, b string) bool {
	together, _, _ := s.pair(a, b)
	return together > 0
}

// pair returns how often b stands right behind a in texts, 0 for less than minPairs, and how often each occurs.
func (s *wordStatistics) pair(a, b string) (together int32, ofA, ofB int) {
	i, ok := s.number[a]
	j, okB := s.number[b]
	if !ok || !okB {
		return 0, 0, 0
	}
	return s.pairs[[2]int32{i, j}], s.vocabulary.counts[i], s.vocabulary.counts[j]
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
	if isHiragana(a) || lang.StopWords[a] || lang.StopWords[b] ||
		lang.Prepositions[a] || lang.Prepositions[b] {
		return false
	}
	together, ofA, ofB := s.pair(a, b)
	if together == 0 || float64(together) >= boundFirst*float64(ofA) {
		return together > 0
	}
	share, _ := s.takenShare(a)
	return float64(together) >= boundSecond*float64(ofB) && (share >= leastTaken || !s.counts.alone[s.number[b]])
}

// derivedAdjectives returns the words of the vocabulary that are adjectives of words that surely are
// mentions: "nephrotic" of "nephrosis".
func (s *wordStatistics) derivedAdjectives() map[string]bool {
	adjectives := make(map[string]bool)
	if !slices.Contains(s.surely, true) {
		return adjectives
	}
	share := func(i int) float64 { return float64(s.counts.ends[i]) / float64(s.vocabulary.counts[i]) }
	isNoun := func(i int) bool {
		w := s.words[i]
		return len(w) > 5 && !s.partOnly[i] &&
			(s.surely[i] && !s.generic(int32(i)) || s.counts.alone[i] && share(i) > .2)
	}
	nouns := make(map[string]bool)
	for i, w := range s.words {
		if isNoun(i) {
			for _, canonical := range normalize.CanonicalTokens(w) {
				nouns[canonical] = true
			}
		}
	}
	for i, w := range s.words {
		canonical := normalize.CanonicalTokens(w)
		if len(canonical) != 1 || isNoun(i) || share(i) >= .2 || len(w) < 6 ||
			lang.Participle.MatchString(canonical[0]) {
			continue
		}
		if slices.ContainsFunc(normalize.NounsOf(canonical[0]), func(noun string) bool { return nouns[noun] }) {
			adjectives[w] = true
		}
	}
	return adjectives
}

// Summary describes what a recognizer has learned.
type Summary struct {
	Words        int      `json:"words"`        // of the vocabulary
	Completeness float64  `json:"completeness"` // estimated share of the mentions in texts that the dictionary names
	Bias         float64  `json:"bias"`         // that follows from it
	NewEnds      []string `json:"new_ends"`     // frequent words that surely end a mention and that no name ends
	Modifiers    []string `json:"modifiers"`    // frequent words that names take in
	NotTaken     []string `json:"not_taken"`    // frequent words before names that names do not take in
	Generic      []string `json:"generic"`      // words that end names of many kinds, which alone are no mention
}

// Summary returns what was learned, with at most n words of each kind, the most frequent first.
func (r *Recognizer) Summary(n int) Summary {
	s := Summary{Words: len(r.words), Completeness: r.completeness(), Bias: r.bias}
	add := func(list *[]string, word string) {
		if len(*list) < n {
			*list = append(*list, word)
		}
	}
	for i, w := range r.words { // in the order of frequency
		share, taken := r.takenShare(w)
		switch {
		case r.generic(int32(i)):
			add(&s.Generic, w)
		case r.surely[i] && r.counts.heads[i] == 0:
			add(&s.NewEnds, w)
		case !r.mayModify(w, true):
			if r.counts.before[i] >= 20 && share < .2 && normalize.IsLetters(w) &&
				!lang.StopWords[w] && !lang.Prepositions[w] {
				add(&s.NotTaken, w)
			}
		case share >= .6 && taken >= 20:
			add(&s.Modifiers, w)
		}
	}
	return s
}
