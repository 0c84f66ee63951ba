package link

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/knnindex"
)

// The number of candidates from each source, together about 25 for a mention.
const (
	nameCandidates      = 12
	lexicalCandidates   = 12
	contextCandidates   = 5
	hierarchyCandidates = 4 // the best by subtreeTermF1
	parentsOfBest       = 3 // the parents of this many of the best by names and strings are candidates as well
)

const (
	// topNames is the number of a concept's nearest names in the mean of nameCosineTop3.
	topNames = 3
	// priorSharpness and priorLexicalWeight define the prior score that subtreeScore adds
	// up: the softmax of priorSharpness * (nameCosine + priorLexicalWeight * lexical).
	priorSharpness     = 18
	priorLexicalWeight = .5
	// maxTermNames bounds the names that subtreeTermF1 and longerNames count for one mention.
	maxTermNames = 5000
)

// generateOne returns the candidates of one query, and how well its context fits.
func (g *CandidateGenerator) generateOne(q *encodedQuery) RawCandidates {
	surface := q.query.Surface()
	if g.bySurface == nil {
		c := g.candidates(q)
		c.Fit = g.contextFit(q, c.Concepts)
		return c
	}
	c, known := g.bySurface.get(surface)
	if !known {
		c = g.candidates(q)
		g.bySurface.set(surface, c)
	}
	c.Fit = g.contextFit(q, c.Concepts)
	return c
}

// candidates returns the candidates of one query. Without an encoder they depend on the
// mention's wording alone.
func (g *CandidateGenerator) candidates(q *encodedQuery) RawCandidates {
	b := g.newFeatureBuilder(q)
	if g.Components.Has(ComponentStrings) {
		b.addLexical()
	}
	b.addNames()
	b.addContexts()
	containing := b.words.withAllOf(b.mentionWords)
	if len(containing) > maxTermNames {
		containing = nil
	}
	b.countLongerNames(containing)
	if g.hierarchical {
		b.addSubtrees(containing)
		b.addParents()
	}
	for i := range b.candidates {
		b.extractFeatures(&b.candidates[i])
	}
	b.propagateUpTree()
	slices.SortFunc(b.candidates, func(a, b RawCandidate) int { return cmp.Compare(a.Concept, b.Concept) })
	return RawCandidates{Concepts: b.candidates, NIL: b.nilFeatures(), known: b.mentionNumbers.known}
}

// newFeatureBuilder returns a builder without candidates, of the mention with typing errors corrected.
func (g *CandidateGenerator) newFeatureBuilder(q *encodedQuery) *featureBuilder {
	surface := q.query.Surface()
	mention := normalize.TokenizeName(surface)
	corrected := correctedWords{tokens: mention.Words}
	var similar []lexical.NameHit
	if g.Components.Has(ComponentStrings) {
		similar = g.similarNames(mention)
		if !normalize.LooksLikeAcronym(surface) {
			corrected = g.correct(mention.Words, similar)
		}
		if corrected.letters > 0 {
			mention.Words = corrected.tokens
			similar = g.similarNames(mention)
		}
	}
	words := normalize.NameWordsOf(corrected.tokens)
	b := &featureBuilder{
		CandidateGenerator: g, query: q, at: make(map[int32]int), corrected: corrected, similar: similar,
		mentionForm: normalize.Normal(surface), mentionWords: words, mentionNumbers: g.words.numbersOf(words),
		cosineCache: make(map[int32][]float64),
	}
	b.mentionOpposites = g.words.oppositesOf(words, b.mentionNumbers)
	if q.mentionVector != nil { // else no document is compared
		b.mentionContent = normalize.ContentWords(surface)
	}
	return b
}

// featureBuilder collects the candidates of one query and computes their features.
type featureBuilder struct {
	*CandidateGenerator
	query      *encodedQuery
	candidates []RawCandidate
	at         map[int32]int // concept -> position in candidates

	corrected   correctedWords
	similar     []lexical.NameHit // names similar to the corrected mention, the most similar first
	mentionForm string            // normal form of the mention
	// of the corrected mention, those that names are compared by: see [normalize.NameWords]
	mentionWords     []string
	mentionOpposites mentionOpposites
	mentionContent   []string // content words, which the document is compared by
	mentionNumbers   mentionNumbers
	lexicalScores    map[int32]float64         // concept -> lexical
	contextVotes     map[int32]float64         // concept -> contextVote
	contextCosines   map[int32]float64         // concept -> contextCosine
	termF1           map[int32]float64         // concept -> subtreeTermF1
	labels           map[int32]int             // concept -> documents that label the mention's wording so
	longerShares     map[int32]float64         // concept -> longerNames
	childLonger      map[int32]float64         // concept -> bestChildLongerNames
	hits             map[int32][]SupportingHit // concept -> names and contexts that support it
	cosineCache      map[int32][]float64       // concept -> cosines with its names, where computed
}

// add adds a concept to the candidates unless it is one already, or its case excludes it.
func (b *featureBuilder) add(concept int32) {
	if _, known := b.at[concept]; !known {
		if b.MatchCase && ExcludedByCase(b.model.Dictionary.At(int(concept)), b.query.query.Surface()) {
			return
		}
		b.at[concept] = len(b.candidates)
		b.candidates = append(b.candidates, RawCandidate{Concept: concept})
	}
}

// addLexical adds the concepts with the highest lexical scores and those of names with
// the mention's token set, whose score is 1, that of the same words in another order.
func (b *featureBuilder) addLexical() {
	b.lexicalScores = make(map[int32]float64)
	for i, hit := range b.similar {
		concept, _ := b.model.Dictionary.Index(hit.Concept)
		b.lexicalScores[int32(concept)] = hit.Score
		if i < lexicalCandidates {
			b.add(int32(concept))
		}
	}
	for _, row := range b.words.withExactly(b.mentionWords) {
		for _, concept := range b.model.Names.Concepts(row) {
			b.lexicalScores[concept] = 1
			b.add(concept)
		}
	}
	b.labels = b.labelsOf(b.mentionForm)
	for _, concept := range slices.Sorted(maps.Keys(b.labels)) {
		b.add(concept)
	}
}

// addNames adds the concepts of the nearest names.
func (b *featureBuilder) addNames() {
	b.hits = make(map[int32][]SupportingHit)
	added := make(map[int32]bool)
	for _, hit := range b.query.nameHits {
		for _, concept := range b.model.Names.Concepts(hit.Row) {
			b.hits[concept] = append(b.hits[concept], SupportingHit{&b.model.Names, hit})
			if len(added) < nameCandidates {
				added[concept] = true
				b.add(concept)
			}
		}
	}
}

// addContexts adds the concepts with the most votes of the nearest contexts.
func (b *featureBuilder) addContexts() {
	hits := b.query.contextHits[:min(contextVoters, len(b.query.contextHits))]
	b.contextVotes, b.contextCosines = make(map[int32]float64), make(map[int32]float64)
	for _, vote := range knnindex.WeightedVotes(hits, b.model.Contexts.Concepts, 0) {
		b.contextVotes[vote.Concept] = vote.Score
		if len(b.contextVotes) <= contextCandidates {
			b.add(vote.Concept)
		}
		for _, hit := range vote.Hits {
			b.hits[vote.Concept] = append(b.hits[vote.Concept], SupportingHit{&b.model.Contexts, hit})
		}
	}
	for _, hit := range b.query.contextHits {
		for _, concept := range b.model.Contexts.Concepts(hit.Row) {
			if _, known := b.contextCosines[concept]; !known {
				b.contextCosines[concept] = float64(hit.Similarity)
			}
		}
	}
}

// countLongerNames counts, for each concept, its names that have other words than the
// mention. rows are those of the names that have all of the mention's words.
func (b *featureBuilder) countLongerNames(rows []int32) {
	b.longerShares, b.childLonger = make(map[int32]float64), make(map[int32]float64)
	for _, row := range rows {
		if len(b.words.words[row]) == len(b.mentionWords) {
			continue
		}
		for _, concept := range b.model.Names.Concepts(row) {
			b.longerShares[concept] += 1 / float64(len(b.nameRows[concept]))
		}
	}
	for concept, share := range b.longerShares {
		for _, parent := range b.hierarchy.Parents(concept) {
			b.childLonger[parent] = max(b.childLonger[parent], share)
		}
	}
}

// addSubtrees counts, for each concept, the names in its subtree that have all of the
// mention's words, and adds the concepts with the highest subtreeTermF1. rows are those of
// the names that have all of the mention's words.
func (b *featureBuilder) addSubtrees(rows []int32) {
	if len(rows) == 0 {
		return
	}
	inSubtree := make(map[int32]int32) // concept -> names with the words in its subtree
	all := int32(0)
	for _, row := range rows {
		for _, concept := range b.model.Names.Concepts(row) {
			all++
			inSubtree[concept]++
			for _, ancestor := range b.hierarchy.Ancestors(concept) {
				inSubtree[ancestor]++
			}
		}
	}
	b.termF1 = make(map[int32]float64, len(inSubtree))
	best := make([]int32, 0, len(inSubtree))
	for concept, n := range inSubtree {
		precision := float64(n) / float64(b.subtreeNames[concept])
		recall := float64(n) / float64(all)
		b.termF1[concept] = 2 * precision * recall / (precision + recall)
		best = append(best, concept)
	}
	slices.SortFunc(best, func(x, y int32) int {
		return cmp.Or(cmp.Compare(b.termF1[y], b.termF1[x]), cmp.Compare(x, y))
	})
	for _, concept := range best[:min(hierarchyCandidates, len(best))] {
		b.add(concept)
	}
}

// addParents adds the parents of the best candidates by names and strings.
func (b *featureBuilder) addParents() {
	best := make([]int32, 0, len(b.candidates))
	prior := make(map[int32]float64, len(b.candidates))
	for i := range b.candidates {
		concept := b.candidates[i].Concept
		if p := b.maxCosine(concept) + priorLexicalWeight*b.lexicalScores[concept]; p > 0 { // else neither supports it
			best, prior[concept] = append(best, concept), p
		}
	}
	slices.SortFunc(best, func(x, y int32) int { return cmp.Or(cmp.Compare(prior[y], prior[x]), cmp.Compare(x, y)) })
	for _, concept := range best[:min(parentsOfBest, len(best))] {
		for _, parent := range b.hierarchy.Parents(concept) {
			b.add(parent)
		}
	}
}

// maxCosine returns the cosine of the bare mention and the concept's nearest name, 0 if
// it has none.
func (b *featureBuilder) maxCosine(concept int32) float64 {
	cosines := b.cosines(concept)
	if len(cosines) == 0 {
		return 0
	}
	return slices.Max(cosines)
}

// cosines returns the cosines of the bare mention and the concept's names, in the order
// of their rows, and none if names are not used.
func (b *featureBuilder) cosines(concept int32) []float64 {
	if b.query.mentionVector == nil {
		return nil
	}
	cosines, known := b.cosineCache[concept]
	if !known {
		for _, row := range b.nameRows[concept] {
			cosines = append(cosines, float64(b.model.Vectors.Names.Vectors.Similarity(int(row),
				b.query.mentionVector)))
		}
		b.cosineCache[concept] = cosines
	}
	return cosines
}

// extractFeatures sets the features that do not depend on other candidates.
func (b *featureBuilder) extractFeatures(c *RawCandidate) {
	f := &c.Features
	f[lexicalScore] = b.lexicalScores[c.Concept]
	cosines := b.cosines(c.Concept)
	if len(cosines) > 0 {
		if b.Components.Has(rankingFeatures.features[textWords].needs) {
			for i, row := range b.nameRows[c.Concept] {
				f[textWords] = max(f[textWords], cosines[i]*b.words.documentGain(row, b.mentionContent,
					b.query.documentWords))
			}
		}
		best := slices.Clone(cosines)
		slices.SortFunc(best, func(x, y float64) int { return cmp.Compare(y, x) })
		f[nameCosine] = best[0]
		f[nameCosineTop3] = mean(best[:min(topNames, len(best))])
	}
	f[contextVote] = b.contextVotes[c.Concept]
	f[contextCosine] = b.contextCosines[c.Concept]
	f[subtreeTermF1] = b.termF1[c.Concept]
	sameWords := 0.
	for _, row := range b.nameRows[c.Concept] {
		p, replaced := b.edits.sameConcept(row, b.mentionNumbers)
		if p > f[sameConceptWords] {
			f[sameConceptWords], f[opposedName] = p, 0
			if b.mentionOpposites.excludes(b.words, row) {
				f[opposedName] = 1
			}
		}
		if replaced {
			f[tokenSetMatch] = max(f[tokenSetMatch], p)
		}
		if replaced && p == 1 {
			sameWords++
			if f[sameWording] == 0 && normalize.Normal(b.tokenized[row].Name) == b.mentionForm {
				f[sameWording] = 1
			}
		}
	}
	f[sameWordsNames] = math.Log2(1 + sameWords)
	f[labelCount] = math.Log2(1 + float64(b.labels[c.Concept]))
	f[longerNames], f[bestChildLongerNames] = b.longerShares[c.Concept], b.childLonger[c.Concept]
	if len(b.nameRows[c.Concept]) == 0 {
		f[noName] = 1
	}
	c.hits = b.hits[c.Concept]
	if h := b.hierarchy; !h.Empty() {
		f[relativeCosine] = b.maxCosineOf(h.Ancestors(c.Concept)) + b.maxCosineOf(h.Descendants(c.Concept, 2))
	}
	f.mask(b.Components)
}

func mean(numbers []float64) float64 {
	sum := 0.0
	for _, number := range numbers {
		sum += number
	}
	return sum / float64(len(numbers))
}

// maxCosineOf returns the highest maxCosine of the concepts, at least 0.
func (b *featureBuilder) maxCosineOf(concepts []int32) float64 {
	best := 0.0
	for _, concept := range concepts {
		best = max(best, b.maxCosine(concept))
	}
	return best
}

// propagateUpTree sets subtreeScore and bestChildScore: it adds the prior score of each
// candidate to the candidates above it.
func (b *featureBuilder) propagateUpTree() {
	h := b.hierarchy
	if !b.hierarchical || len(b.candidates) == 0 {
		return
	}
	prior := make([]float64, len(b.candidates))
	highest, sum := math.Inf(-1), 0.0
	for i := range b.candidates {
		prior[i] = priorSharpness * b.candidates[i].prior()
		highest = max(highest, prior[i])
	}
	for i := range prior {
		prior[i] = math.Exp(prior[i] - highest)
		sum += prior[i]
	}
	for i := range b.candidates {
		b.candidates[i].Features[subtreeScore] += prior[i] / sum
		for _, ancestor := range h.Ancestors(b.candidates[i].Concept) {
			if j, ok := b.at[ancestor]; ok {
				b.candidates[j].Features[subtreeScore] += prior[i] / sum
			}
		}
	}
	for i := range b.candidates {
		for _, child := range h.Children(b.candidates[i].Concept) {
			if j, ok := b.at[child]; ok {
				f := &b.candidates[i].Features
				f[bestChildScore] = max(f[bestChildScore], b.candidates[j].Features[subtreeScore])
			}
		}
	}
}

// prior returns the similarity of a candidate by names and strings alone.
func (c *RawCandidate) prior() float64 {
	return c.Features[nameCosine] + priorLexicalWeight*c.Features[lexicalScore]
}

// nilFeatures returns the features of NIL, given those of all candidates.
func (b *featureBuilder) nilFeatures() Features {
	f := Features{nilBias: 1}
	unknown, weight := b.words.weightUnknown(b.mentionWords)
	for i := range b.candidates {
		c := &b.candidates[i]
		f[nilNameCosine] = max(f[nilNameCosine], c.Features[nameCosine])
		f[nilLexical] = max(f[nilLexical], c.Features[lexicalScore])
		if weight > 0 {
			f[nilWordCoverage] = max(f[nilWordCoverage], b.words.weightIn(b.nameRows[c.Concept], b.mentionWords)/weight)
		}
	}
	if weight > 0 {
		f[nilUnknownWords] = unknown / weight
	}
	if normalize.LooksLikeShortForm(b.query.query.Surface()) {
		f[nilShortForm] = 1
	}
	if b.corrected.letters > 0 {
		f[nilCorrected], f[nilErrorRate] = 1, b.corrected.errorRate()
	}
	f[nilRareWords] = b.rareWords(b.corrected.tokens)
	f.mask(b.Components)
	return f
}
