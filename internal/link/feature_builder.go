package link

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// sources lists where candidates come from, about 25 for a mention in total. The first k concepts that a source returns
// become candidates. Features that a source sets are set for all of its concepts.
var sources = []struct {
	needs    Components
	k        int
	concepts func(*featureBuilder) []int32
}{
	{ComponentStrings, 12, (*featureBuilder).similarStrings},
	{ComponentStrings, math.MaxInt, (*featureBuilder).sameWords},
	{ComponentStrings, math.MaxInt, (*featureBuilder).labeled},
	{ComponentNames, 12, (*featureBuilder).nearestNames},
	{ComponentContexts, 5, (*featureBuilder).nearestContexts},
	{0, 0, (*featureBuilder).longerNames},
	{ComponentHierarchy, 4, (*featureBuilder).subtrees}, // ordered by subtree_term_f1
	{ComponentHierarchy, math.MaxInt, (*featureBuilder).parents},
}

const (
	// parentsOfBest is the number of top candidates by names and strings whose parents become candidates as well.
	parentsOfBest = 3
	// priorSharpness and priorLexicalWeight define the prior score that subtree_score sums: the softmax of
	// priorSharpness * (name_cosine + priorLexicalWeight * lexical).
	priorSharpness     = 18
	priorLexicalWeight = .5
	// maxTermNames limits the names that subtree_term_f1 and longer_names count for one mention.
	maxTermNames = 5000
)

// featureBuilder holds a query with the results of the encoder and the indexes. It collects candidates and their
// features.
type featureBuilder struct {
	*CandidateGenerator
	query         *text.Query
	documents     *sense.Documents // shared by all queries
	documentWords map[string]int   // content words of the document with their counts; nil if unused
	mentionVector []float32        // of the bare mention; nil if names are not used
	nameHits      []knnindex.Hit
	contextHits   []knnindex.Hit
	asksContext   bool          // whether to ask the context if the mention is an ordinary word
	asksField     bool          // whether to score the field of its sentence; never together with asksContext
	around        *surroundings // set if asksContext, else nil
	base          []float32     // vector of the sentence without the mention, by the base encoder; nil without one
	english       float64       // see [model.Model.EnglishLead]; 0 without a base encoder
	field         *float64      // see the feature "field"; nil without fields

	// These describe the mention after typing errors are corrected.
	corrected  correctedWords
	similar    []lexical.NameHit     // similar names, the most similar first
	mention    *lexical.MentionWords // its words for the comparison with names, see [normalize.NameWordsOf]
	containing []int32               // rows of the names that contain all of its words; nil if there are too many

	likeness       int                  // the highest [normalize.Likeness] of a name with the mention's words
	mentionForm    string               // normal form of the mention
	mentionContent []string             // its content words, for the comparison with the document
	concepts       map[int32]*Candidate // by concept, including concepts that are not candidates
	candidates     []*Candidate         // the concepts that are candidates
}

// candidatesOnce returns the candidates of the query, from the cache if possible, and how well its context fits.
func (b *featureBuilder) candidatesOnce() Candidates {
	c := b.remembered.of(b.query.Surface(), b.build)
	c.Fit = b.contextFit(c.Concepts)
	return c
}

// build returns the candidates of the query.
func (b *featureBuilder) build() Candidates {
	b.readMention()
	for _, source := range sources {
		if !b.components.Has(source.needs) || source.needs == ComponentHierarchy && !b.hierarchical {
			continue
		}
		concepts := source.concepts(b)
		for _, concept := range concepts[:min(source.k, len(concepts))] {
			b.add(concept)
		}
	}
	for _, c := range b.candidates {
		b.cosinesOf(c)
		b.compareNames(c)
	}
	b.propagateUpTree()
	for _, c := range b.candidates {
		c.Features = b.featuresOf(c)
	}
	slices.SortFunc(b.candidates, func(a, b *Candidate) int { return cmp.Compare(a.Concept, b.Concept) })
	return Candidates{Concepts: b.candidates, NIL: b.featuresOf(nil), known: b.mention.Known}
}

// readMention corrects typing errors of the mention and sets the forms of it that are compared with names.
func (b *featureBuilder) readMention() {
	surface := b.query.Surface()
	b.corrected = correctedWords{tokens: normalize.CanonicalTokens(surface)}
	if b.components.Has(ComponentStrings) {
		b.similar = b.lexical.SearchTokens(surface, b.corrected.tokens, searchDepth)
		if !normalize.LooksLikeAcronym(surface) {
			b.corrected = b.correct(b.corrected.tokens, b.similar)
		}
		if b.corrected.letters > 0 {
			b.similar = b.lexical.SearchTokens(surface, b.corrected.tokens, searchDepth)
		}
	}
	b.concepts = make(map[int32]*Candidate)
	b.mentionForm = normalize.Normal(surface)
	b.mention = b.words.Mention(normalize.NameWordsOf(b.corrected.tokens))
	if b.mentionVector != nil { // the document is compared only with vectors
		b.mentionContent = normalize.ContentWords(surface)
	}
	if b.containing = b.words.WithAllOf(b.mention); len(b.containing) > maxTermNames {
		b.containing = nil
	}
}

// of returns the entry of a concept, and creates it if necessary. The concept need not be a candidate.
func (b *featureBuilder) of(concept int32) *Candidate {
	c := b.concepts[concept]
	if c == nil {
		c = &Candidate{Concept: concept}
		b.concepts[concept] = c
	}
	return c
}

// add makes a concept a candidate unless it is one already or its case rules it out.
func (b *featureBuilder) add(concept int32) {
	c := b.of(concept)
	if c.isCandidate || b.MatchCase && ExcludedByCase(b.model.Dictionary.At(int(concept)), b.query.Surface()) {
		return
	}
	c.isCandidate = true
	b.candidates = append(b.candidates, c)
}

// similarStrings returns the concepts with the highest lexical scores.
func (b *featureBuilder) similarStrings() (concepts []int32) {
	for _, hit := range b.similar {
		concept, _ := b.model.Dictionary.Index(hit.Concept)
		b.of(int32(concept)).lexical = hit.Score
		concepts = append(concepts, int32(concept))
	}
	return concepts
}

// sameWords returns the concepts of names with the mention's token set. It sets their lexical score to 1, the score of
// the same words in another order.
func (b *featureBuilder) sameWords() (concepts []int32) {
	for _, row := range b.words.WithExactly(b.mention) {
		for _, concept := range b.model.Names.Concepts(row) {
			b.of(concept).lexical = 1
			concepts = append(concepts, concept)
		}
	}
	return concepts
}

// labeled returns the concepts with which labeled documents annotate this surface form.
func (b *featureBuilder) labeled() []int32 {
	labels := b.model.LabelsOf(b.mentionForm)
	for concept, n := range labels {
		b.of(concept).labels = n
	}
	return slices.Sorted(maps.Keys(labels))
}

// nearestNames returns the concepts of the nearest names.
func (b *featureBuilder) nearestNames() (concepts []int32) {
	for _, hit := range b.nameHits {
		for _, concept := range b.model.Names.Concepts(hit.Row) {
			c := b.of(concept)
			if len(c.hits) == 0 {
				concepts = append(concepts, concept)
			}
			c.hits = append(c.hits, SupportingHit{&b.model.Names, hit})
		}
	}
	return concepts
}

// nearestContexts returns the concepts that get the most votes from the nearest contexts.
func (b *featureBuilder) nearestContexts() (concepts []int32) {
	hits := b.contextHits[:min(contextVoters, len(b.contextHits))]
	for _, vote := range knnindex.WeightedVotes(hits, b.model.Contexts.Concepts) {
		c := b.of(vote.Concept)
		c.contextVote = vote.Score
		concepts = append(concepts, vote.Concept)
		for _, hit := range vote.Hits {
			c.hits = append(c.hits, SupportingHit{&b.model.Contexts, hit})
		}
	}
	for _, hit := range slices.Backward(b.contextHits) { // the nearest comes last and wins
		for _, concept := range b.model.Contexts.Concepts(hit.Row) {
			b.of(concept).contextCosine = float64(hit.Similarity)
		}
	}
	return concepts
}

// longerNames sets, for each concept, the share of its names that contain all of the mention's words and more. It
// returns nil.
func (b *featureBuilder) longerNames() []int32 {
	shares := make(map[int32]float64)
	for _, row := range b.containing {
		if len(b.words.Words(row)) == len(b.mention.Known) {
			continue
		}
		for _, concept := range b.model.Names.Concepts(row) {
			shares[concept] += 1 / float64(len(b.rows.At(concept)))
		}
	}
	for concept, share := range shares {
		b.of(concept).longer = share
		for _, parent := range b.hierarchy.Parents(concept) {
			above := b.of(parent)
			above.childLonger = max(above.childLonger, share)
		}
	}
	return nil
}

// subtrees counts, for each concept, the names in its subtree that contain all of the mention's words, and returns the
// concepts in the order of subtree_term_f1.
func (b *featureBuilder) subtrees() []int32 {
	inSubtree := make(map[int32]int32) // concept -> names in its subtree with the mention's words
	all := int32(0)
	for _, row := range b.containing {
		for _, concept := range b.model.Names.Concepts(row) {
			all++
			inSubtree[concept]++
			for _, ancestor := range b.hierarchy.Ancestors(concept) {
				inSubtree[ancestor]++
			}
		}
	}
	for concept, n := range inSubtree {
		precision, recall := float64(n)/float64(b.subtreeNames[concept]), float64(n)/float64(all)
		b.of(concept).termF1 = 2 * precision * recall / (precision + recall)
	}
	concepts := slices.Collect(maps.Keys(inSubtree))
	return descending(concepts, func(concept int32) float64 { return b.concepts[concept].termF1 })
}

// parents returns the parents of the best candidates by names and strings.
func (b *featureBuilder) parents() (parents []int32) {
	var supported []int32
	for _, c := range b.candidates {
		if b.cosinesOf(c); c.prior() > 0 { // skip concepts that neither supports
			supported = append(supported, c.Concept)
		}
	}
	best := descending(supported, func(concept int32) float64 { return b.concepts[concept].prior() })
	for _, concept := range best[:min(parentsOfBest, len(best))] {
		parents = append(parents, b.hierarchy.Parents(concept)...)
	}
	return parents
}

// descending sorts concepts by descending score; equal scores are ordered by concept.
func descending(concepts []int32, score func(int32) float64) []int32 {
	slices.SortFunc(concepts, func(x, y int32) int { return cmp.Or(cmp.Compare(score(y), score(x)), cmp.Compare(x, y)) })
	return concepts
}

// cosinesOf sets the cosines of the bare mention with each name of the concept. It does nothing if names are not used.
func (b *featureBuilder) cosinesOf(c *Candidate) {
	if b.mentionVector == nil || c.cosines != nil {
		return
	}
	for _, row := range b.rows.At(c.Concept) {
		c.cosines = append(c.cosines, float64(b.model.Vectors.Names.Vectors.Similarity(int(row), b.mentionVector)))
	}
}

// maxCosineOf returns the highest cosine of the mention with any name of the concepts, at least 0.
func (b *featureBuilder) maxCosineOf(concepts []int32) float64 {
	best := 0.0
	for _, concept := range concepts {
		c := b.of(concept)
		b.cosinesOf(c)
		best = max(best, c.nearest(1))
	}
	return best
}

// nearest returns the mean cosine of the bare mention with the concept's n nearest names, or with all names if there
// are fewer, or 0 if it has none.
func (c *Candidate) nearest(n int) float64 {
	switch {
	case len(c.cosines) == 0:
		return 0
	case n == 1:
		return slices.Max(c.cosines)
	}
	best := slices.Sorted(slices.Values(c.cosines))
	sum := 0.
	n = min(n, len(best))
	for _, cosine := range slices.Backward(best[len(best)-n:]) {
		sum += cosine
	}
	return sum / float64(n)
}

// prior returns the similarity of a candidate to the mention by names and strings alone.
func (c *Candidate) prior() float64 { return c.nearest(1) + priorLexicalWeight*c.lexical }

// compareNames compares the words of the mention with the words of the concept's names.
func (b *featureBuilder) compareNames(c *Candidate) {
	for _, row := range b.rows.At(c.Concept) {
		p, replaced := b.words.SameConcept(b.words.Words(row), b.mention)
		if p > c.sameConcept {
			c.sameConcept, c.opposed = p, b.words.Excludes(row, b.mention)
		}
		if !replaced {
			continue
		}
		c.replaced = max(c.replaced, p)
		if p == 1 {
			c.sameWords++
			name, surface := b.model.Names.Text(row), b.query.Surface()
			c.likeness = max(c.likeness, normalize.Likeness(name, surface))
			b.likeness = max(b.likeness, c.likeness)
			c.opposed = c.opposed || normalize.AreReversed(name, surface)
		}
	}
}

// propagateUpTree adds the prior score of each candidate to those above it, for subtree_score and best_child_score.
func (b *featureBuilder) propagateUpTree() {
	if !b.hierarchical {
		return
	}
	prior := make([]float64, len(b.candidates))
	for i, c := range b.candidates {
		prior[i] = priorSharpness * c.prior()
	}
	prior = Softmax(prior)
	for i, c := range b.candidates {
		c.subtree += prior[i]
		for _, ancestor := range b.hierarchy.Ancestors(c.Concept) {
			if above := b.concepts[ancestor]; above != nil {
				above.subtree += prior[i]
			}
		}
	}
	for _, c := range b.candidates {
		for _, child := range b.hierarchy.Children(c.Concept) {
			if below := b.concepts[child]; below != nil && below.isCandidate {
				c.bestChild = max(c.bestChild, below.subtree)
			}
		}
	}
}
