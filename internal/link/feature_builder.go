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

// sources are where candidates come from, together about 25 for a mention: the first k concepts that each returns are
// candidates, and all of them get the features that it sets.
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
	{ComponentHierarchy, 4, (*featureBuilder).subtrees}, // the best by subtree_term_f1
	{ComponentHierarchy, math.MaxInt, (*featureBuilder).parents},
}

const (
	// parentsOfBest is the number of the best candidates by names and strings whose parents are candidates as well.
	parentsOfBest = 3
	// priorSharpness and priorLexicalWeight define the prior score that subtree_score adds
	// up: the softmax of priorSharpness * (name_cosine + priorLexicalWeight * lexical).
	priorSharpness     = 18
	priorLexicalWeight = .5
	// maxTermNames bounds the names that subtree_term_f1 and longer_names count for one mention.
	maxTermNames = 5000
)

// featureBuilder is a query with what the encoder and the indexes return for it. It collects the candidates and
// computes their features.
type featureBuilder struct {
	*CandidateGenerator
	query         *text.Query
	documents     *sense.Documents // of all queries
	documentWords map[string]int   // content words of its document; not set if not used
	mentionVector []float32        // of the bare mention; nil if names are not used
	nameHits      []knnindex.Hit
	contextHits   []knnindex.Hit
	asksContext   bool          // whether its context says if it is an ordinary word
	asksField     bool          // whether the field of its sentence does; not with asksContext
	around        *surroundings // of a query that asksContext; nil for others
	base          []float32     // of the sentence without the mention, by the base encoder; nil without it
	english       float64       // see [model.Model.EnglishLead]; 0 without a base encoder
	field         *float64      // see the feature "field"; nil without fields

	// Of the mention with typing errors corrected:
	corrected  correctedWords
	similar    []lexical.NameHit     // names similar to it, the most similar first
	mention    *lexical.MentionWords // its words: those that names are compared by: see [normalize.NameWordsOf]
	containing []int32               // rows of the names that have all of its words; none if they are too many

	likeness       int      // of the name most like the mention that has its words, see [normalize.Likeness]
	mentionForm    string   // normal form of the mention
	mentionContent []string // its content words, which the document is compared by
	concepts       map[int32]*Candidate
	candidates     []*Candidate // those of concepts that are candidates
}

// candidatesOnce returns the candidates of the query, and how well its context fits.
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

// readMention corrects typing errors of the mention and sets what names are compared with.
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
	if b.mentionVector != nil { // else no document is compared
		b.mentionContent = normalize.ContentWords(surface)
	}
	if b.containing = b.words.WithAllOf(b.mention); len(b.containing) > maxTermNames {
		b.containing = nil
	}
}

// of returns what is known of a concept, candidate or not.
func (b *featureBuilder) of(concept int32) *Candidate {
	c := b.concepts[concept]
	if c == nil {
		c = &Candidate{Concept: concept}
		b.concepts[concept] = c
	}
	return c
}

// add adds a concept to the candidates unless it is one already, or its case excludes it.
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

// sameWords returns the concepts of names with the mention's token set, whose score is 1, that of the same words in
// another order.
func (b *featureBuilder) sameWords() (concepts []int32) {
	for _, row := range b.words.WithExactly(b.mention) {
		for _, concept := range b.model.Names.Concepts(row) {
			b.of(concept).lexical = 1
			concepts = append(concepts, concept)
		}
	}
	return concepts
}

// labeled returns the concepts that documents label the mention's wording with.
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

// nearestContexts returns the concepts with the most votes of the nearest contexts.
func (b *featureBuilder) nearestContexts() (concepts []int32) {
	hits := b.contextHits[:min(contextVoters, len(b.contextHits))]
	for _, vote := range knnindex.WeightedVotes(hits, b.model.Contexts.Concepts, 0) {
		c := b.of(vote.Concept)
		c.contextVote = vote.Score
		concepts = append(concepts, vote.Concept)
		for _, hit := range vote.Hits {
			c.hits = append(c.hits, SupportingHit{&b.model.Contexts, hit})
		}
	}
	for _, hit := range slices.Backward(b.contextHits) { // the nearest last
		for _, concept := range b.model.Contexts.Concepts(hit.Row) {
			b.of(concept).contextCosine = float64(hit.Similarity)
		}
	}
	return concepts
}

// longerNames counts, for each concept, its names that have all words of the mention and others. It returns none.
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

// subtrees counts, for each concept, the names in its subtree that have all of the mention's words, and returns the
// concepts by subtree_term_f1.
func (b *featureBuilder) subtrees() []int32 {
	inSubtree := make(map[int32]int32) // concept -> names with the words in its subtree
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
		if b.cosinesOf(c); c.prior() > 0 { // else neither supports it
			supported = append(supported, c.Concept)
		}
	}
	best := descending(supported, func(concept int32) float64 { return b.concepts[concept].prior() })
	for _, concept := range best[:min(parentsOfBest, len(best))] {
		parents = append(parents, b.hierarchy.Parents(concept)...)
	}
	return parents
}

// descending sorts concepts by a score, the highest first, and equals by concept.
func descending(concepts []int32, score func(int32) float64) []int32 {
	slices.SortFunc(concepts, func(x, y int32) int { return cmp.Or(cmp.Compare(score(y), score(x)), cmp.Compare(x, y)) })
	return concepts
}

// cosinesOf sets the cosines of the bare mention and the concept's names, none if names are not used.
func (b *featureBuilder) cosinesOf(c *Candidate) {
	if b.mentionVector == nil || c.cosines != nil {
		return
	}
	for _, row := range b.rows.At(c.Concept) {
		c.cosines = append(c.cosines, float64(b.model.Vectors.Names.Vectors.Similarity(int(row), b.mentionVector)))
	}
}

// maxCosineOf returns the highest cosine of the mention and a name of the concepts, at least 0.
func (b *featureBuilder) maxCosineOf(concepts []int32) float64 {
	best := 0.0
	for _, concept := range concepts {
		c := b.of(concept)
		b.cosinesOf(c)
		best = max(best, c.nearest(1))
	}
	return best
}

// nearest returns the mean cosine of the bare mention and the concept's n nearest names, or as many as it has; 0 if it
// has none.
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

// prior returns the similarity of a candidate by names and strings alone.
func (c *Candidate) prior() float64 { return c.nearest(1) + priorLexicalWeight*c.lexical }

// compareNames compares the words of the mention with those of the concept's names.
func (b *featureBuilder) compareNames(c *Candidate) {
	for _, row := range b.rows.At(c.Concept) {
		p, replaced := b.words.SameConcept(row, b.mention)
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

// propagateUpTree sets subtree_score and best_child_score: it adds the prior score of each
// candidate to the candidates above it.
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
