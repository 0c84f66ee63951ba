package link

import (
	"cmp"
	"context"
	"math"
	"slices"

	"ctxnorm"
	"ctxnorm/internal/cores"
	"ctxnorm/knnindex"
)

// How many candidates each source gives. Together about 25 a mention.
const (
	nameCandidates    = 12
	lexicalCandidates = 12
	contextCandidates = 5
	treeCandidates    = 4 // the best by treeF1
	parentsOfBest     = 3 // of the best so many by names and strings, the parents as well
)

const (
	// searchDepth is how many names, contexts and strings are looked at: enough
	// that the hidden ones among them leave plenty.
	searchDepth = 60
	// contextVoters is how many contexts vote, as in the paper.
	contextVoters = 15
	// namesMeant is how many of a concept's nearest names nameMean is the mean of.
	namesMeant = 3
	// massSharpness and massLexical shape the belief that treeMass adds up:
	// softmax of massSharpness * (nameCosine + massLexical * lexical).
	massSharpness = 18
	massLexical   = .5
	// maxHolding bounds the names that treeF1 counts for one mention.
	maxHolding = 5000
)

// rawCandidate is a candidate before it is ranked.
type rawCandidate struct {
	concept  int32
	features features
	hits     []supportingHit // the most similar first
}

// generate finds the candidates of each query, with their features, ordered by
// concept.
func (s *candidateGenerator) generate(ctx context.Context, queries []ctxnorm.Query) ([][]rawCandidate, error) {
	views := make([]encodedQuery, len(queries))
	for i := range queries {
		views[i].query = &queries[i]
	}
	if err := s.retrieve(ctx, views, queries); err != nil {
		return nil, err
	}
	proposals := make([][]rawCandidate, len(queries))
	err := cores.Share(ctx, len(views), 0, func(i int) { proposals[i] = s.generateOne(&views[i]) })
	return proposals, err
}

// read finds the content words of the queries' documents, each read once.
func read(views []encodedQuery) {
	said := make(map[*ctxnorm.Document]map[string]bool)
	for i := range views {
		doc := views[i].query.Document
		if said[doc] == nil {
			said[doc] = wordSet(contentWords(doc.Text))
		}
		views[i].documentWords = said[doc]
	}
}

func wordSet(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[word] = true
	}
	return set
}

// encodedQuery is a query, the content words of its document, and what the encoder makes
// of it.
type encodedQuery struct {
	query         *ctxnorm.Query
	documentWords map[string]bool // nil where the text is not seen
	mentionVector []float32       // vector of the mention alone; nil where names are not seen
	nameHits      []knnindex.Hit
	contextHits   []knnindex.Hit
}

// retrieve encodes the queries alone and in their sentences, as far as names and contexts
// are seen, and finds what is near, side by side: of a single query neither keeps all
// cores busy.
func (s *candidateGenerator) retrieve(ctx context.Context, views []encodedQuery, queries []ctxnorm.Query) error {
	if s.model.Encoder == nil {
		return nil
	}
	return together(
		func() error { return s.retrieveNames(ctx, views, queries) },
		func() error { return s.retrieveContexts(ctx, views, queries) },
	)
}

func (s *candidateGenerator) retrieveNames(ctx context.Context, views []encodedQuery, queries []ctxnorm.Query) error {
	if !s.components.Has(PartNames) {
		return nil
	}
	vectors, hits, err := s.model.nearest(ctx, bare(queries), &s.model.Names, searchDepth)
	if err != nil {
		return err
	}
	dim := s.model.Encoder.Dim()
	for i := range views {
		views[i].mentionVector = vectors[i*dim : (i+1)*dim]
		views[i].nameHits = slices.DeleteFunc(hits[i], func(h knnindex.Hit) bool { return !s.hasName(h.Row) })
	}
	if s.components.Has(featureComponents[textWords]) {
		read(views)
	}
	return nil
}

func (s *candidateGenerator) retrieveContexts(ctx context.Context, views []encodedQuery, queries []ctxnorm.Query) error {
	if !s.components.Has(PartContexts) {
		return nil
	}
	_, hits, err := s.model.nearest(ctx, queries, &s.model.Contexts, searchDepth)
	if err != nil {
		return err
	}
	for i := range views {
		views[i].contextHits = slices.DeleteFunc(hits[i], func(h knnindex.Hit) bool { return !s.hasContext(h.Row) })
	}
	return nil
}

// generateOne gathers the candidates of one query.
func (s *candidateGenerator) generateOne(v *encodedQuery) []rawCandidate {
	g := &featureBuilder{
		candidateGenerator: s, view: v, at: make(map[int32]int), words: contentWords(v.query.Surface()),
		compared: make(map[int32][]float64),
	}
	if s.components.Has(PartStrings) {
		g.fromStrings()
	}
	g.fromNames()
	g.fromContexts()
	if !s.hierarchy.empty() {
		g.fromTree()
		g.addParents()
	}
	for i := range g.found {
		g.extractFeatures(&g.found[i])
	}
	g.propagateUpTree()
	slices.SortFunc(g.found, func(a, b rawCandidate) int { return cmp.Compare(a.concept, b.concept) })
	return g.found
}

// featureBuilder collects the candidates of one query.
type featureBuilder struct {
	*candidateGenerator
	view  *encodedQuery
	found []rawCandidate
	at    map[int32]int // concept -> position in found

	words    []string                  // content words of the mention
	likeness map[int32]float64         // concept -> lexical
	votes    map[int32]float64         // concept -> contextVote
	nearest  map[int32]float64         // concept -> contextCosine
	f1       map[int32]float64         // concept -> treeF1
	same     map[int32]bool            // concept -> sameWords
	voices   map[int32][]supportingHit // concept -> who speaks for it
	compared map[int32][]float64       // concept -> cosines with its names, of those asked for
}

func (g *featureBuilder) add(concept int32) {
	if _, known := g.at[concept]; !known {
		g.at[concept] = len(g.found)
		g.found = append(g.found, rawCandidate{concept: concept})
	}
}

func (g *featureBuilder) fromStrings() {
	surface := g.view.query.Surface()
	g.likeness = make(map[int32]float64)
	for i, hit := range g.lexical.Search(surface, searchDepth) {
		concept, _ := g.model.Dictionary.Index(hit.Concept)
		g.likeness[int32(concept)] = hit.Score
		if i < lexicalCandidates {
			g.add(int32(concept))
		}
	}
	g.same = make(map[int32]bool)
	for _, row := range g.candidateGenerator.words.same(g.words) {
		for _, owner := range g.model.Names.concepts.of(row) {
			g.same[owner] = true
			g.add(owner)
		}
	}
}

func (g *featureBuilder) fromNames() {
	g.voices = make(map[int32][]supportingHit)
	taken := make(map[int32]bool)
	for _, hit := range g.view.nameHits {
		for _, owner := range g.model.Names.concepts.of(hit.Row) {
			g.voices[owner] = append(g.voices[owner], supportingHit{&g.model.Names, hit})
			if len(taken) < nameCandidates {
				taken[owner] = true
				g.add(owner)
			}
		}
	}
}

func (g *featureBuilder) fromContexts() {
	hits := g.view.contextHits[:min(contextVoters, len(g.view.contextHits))]
	g.votes, g.nearest = make(map[int32]float64), make(map[int32]float64)
	for _, vote := range knnindex.WeightedVotes(hits, g.model.Contexts.concepts.of, 0) {
		g.votes[vote.Concept] = vote.Score
		if len(g.votes) <= contextCandidates {
			g.add(vote.Concept)
		}
		for _, hit := range vote.Hits {
			g.voices[vote.Concept] = append(g.voices[vote.Concept], supportingHit{&g.model.Contexts, hit})
		}
	}
	for _, hit := range g.view.contextHits {
		for _, owner := range g.model.Contexts.concepts.of(hit.Row) {
			if _, known := g.nearest[owner]; !known {
				g.nearest[owner] = float64(hit.Similarity)
			}
		}
	}
}

// fromTree counts the names that hold the mention's words up the tree.
func (g *featureBuilder) fromTree() {
	holding := g.candidateGenerator.words.holding(g.words)
	if len(holding) == 0 || len(holding) > maxHolding {
		return
	}
	at := make(map[int32]int32) // names that hold the words, at or below a concept
	all := int32(0)
	for _, row := range holding {
		for _, owner := range g.model.Names.concepts.of(row) {
			all++
			at[owner]++
			for _, above := range g.hierarchy.above[owner] {
				at[above]++
			}
		}
	}
	g.f1 = make(map[int32]float64, len(at))
	best := make([]int32, 0, len(at))
	for concept, n := range at {
		precision := float64(n) / float64(g.subtreeNames[concept])
		recall := float64(n) / float64(all)
		g.f1[concept] = 2 * precision * recall / (precision + recall)
		best = append(best, concept)
	}
	slices.SortFunc(best, func(a, b int32) int { return cmp.Or(cmp.Compare(g.f1[b], g.f1[a]), cmp.Compare(a, b)) })
	for _, concept := range best[:min(treeCandidates, len(best))] {
		g.add(concept)
	}
}

// addParents adds the parents of the candidates that names and strings like best.
func (g *featureBuilder) addParents() {
	best := make([]int32, 0, len(g.found))
	belief := make(map[int32]float64, len(g.found))
	for i := range g.found {
		concept := g.found[i].concept
		if b := g.cosine(concept) + massLexical*g.likeness[concept]; b > 0 { // else they know nothing of it
			best, belief[concept] = append(best, concept), b
		}
	}
	slices.SortFunc(best, func(a, b int32) int { return cmp.Or(cmp.Compare(belief[b], belief[a]), cmp.Compare(a, b)) })
	for _, concept := range best[:min(parentsOfBest, len(best))] {
		for _, parent := range g.hierarchy.parents[concept] {
			g.add(parent)
		}
	}
}

// cosine is the mention's with the concept's nearest name, 0 where there is none.
func (g *featureBuilder) cosine(concept int32) float64 {
	cosines := g.cosines(concept)
	if len(cosines) == 0 {
		return 0
	}
	return slices.Max(cosines)
}

// cosines are the mention's with the concept's names, in the order of their rows;
// none where names are not seen.
func (g *featureBuilder) cosines(concept int32) []float64 {
	if g.view.mentionVector == nil {
		return nil
	}
	cosines, known := g.compared[concept]
	if !known {
		for _, row := range g.nameRows[concept] {
			cosines = append(cosines, float64(g.model.Names.Vectors.Similarity(int(row), g.view.mentionVector)))
		}
		g.compared[concept] = cosines
	}
	return cosines
}

// extractFeatures fills in the features that need no other candidate.
func (g *featureBuilder) extractFeatures(p *rawCandidate) {
	f := &p.features
	f[lexical] = g.likeness[p.concept]
	cosines := g.cosines(p.concept)
	if len(cosines) > 0 {
		if g.view.documentWords != nil {
			for i, row := range g.nameRows[p.concept] {
				f[textWords] = max(f[textWords], cosines[i]*g.candidateGenerator.words.gain(row, g.words, g.view.documentWords))
			}
		}
		best := slices.Clone(cosines)
		slices.SortFunc(best, func(a, b float64) int { return cmp.Compare(b, a) })
		f[nameCosine] = best[0]
		f[nameCosineTop3] = mean(best[:min(namesMeant, len(best))])
	}
	f[contextVote] = g.votes[p.concept]
	f[contextCosine] = g.nearest[p.concept]
	f[subtreeTermF1] = g.f1[p.concept]
	if g.same[p.concept] {
		f[tokenSetMatch] = 1
	}
	if len(g.nameRows[p.concept]) == 0 {
		f[noName] = 1
	}
	p.hits = g.voices[p.concept]
	sortBySimilarity(p.hits)
	if !g.hierarchy.empty() {
		f[relativeCosine] = g.nearestOf(g.hierarchy.above[p.concept]) + g.nearestOf(g.hierarchy.below(p.concept, 2))
	}
	f.mask(g.components)
}

func mean(numbers []float64) float64 {
	sum := 0.0
	for _, number := range numbers {
		sum += number
	}
	return sum / float64(len(numbers))
}

func (g *featureBuilder) nearestOf(concepts []int32) float64 {
	best := 0.0
	for _, concept := range concepts {
		best = max(best, g.cosine(concept))
	}
	return best
}

// propagateUpTree fills in treeMass and childMass, which depend on all candidates.
func (g *featureBuilder) propagateUpTree() {
	if g.hierarchy.empty() || len(g.found) == 0 {
		return
	}
	belief := make([]float64, len(g.found))
	most, sum := math.Inf(-1), 0.0
	for i := range g.found {
		f := &g.found[i].features
		belief[i] = massSharpness * (f[nameCosine] + massLexical*f[lexical])
		most = max(most, belief[i])
	}
	for i := range belief {
		belief[i] = math.Exp(belief[i] - most)
		sum += belief[i]
	}
	for i := range g.found {
		g.found[i].features[subtreeScore] += belief[i] / sum
		for _, above := range g.hierarchy.above[g.found[i].concept] {
			if j, ok := g.at[above]; ok {
				g.found[j].features[subtreeScore] += belief[i] / sum
			}
		}
	}
	for i := range g.found {
		for _, child := range g.hierarchy.children[g.found[i].concept] {
			if j, ok := g.at[child]; ok {
				f := &g.found[i].features
				f[bestChildScore] = max(f[bestChildScore], g.found[j].features[subtreeScore])
			}
		}
	}
}
