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

// proposal is a candidate before it is ranked.
type proposal struct {
	concept  int32
	features features
	voices   []voice // the most similar first
}

// propose finds the candidates of each query, with their features, ordered by
// concept.
func (s *sight) propose(ctx context.Context, queries []ctxnorm.Query) ([][]proposal, error) {
	views := make([]view, len(queries))
	for i := range queries {
		views[i].query = &queries[i]
	}
	if err := s.look(ctx, views, queries); err != nil {
		return nil, err
	}
	proposals := make([][]proposal, len(queries))
	err := cores.Share(ctx, len(views), 0, func(i int) { proposals[i] = s.proposeFor(&views[i]) })
	return proposals, err
}

// read finds the content words of the queries' documents, each read once.
func read(views []view) {
	said := make(map[*ctxnorm.Document]map[string]bool)
	for i := range views {
		doc := views[i].query.Document
		if said[doc] == nil {
			said[doc] = wordSet(contentWords(doc.Text))
		}
		views[i].text = said[doc]
	}
}

func wordSet(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[word] = true
	}
	return set
}

// view is a query, the content words of its document, and what the encoder makes
// of it.
type view struct {
	query    *ctxnorm.Query
	text     map[string]bool // nil where the text is not seen
	name     []float32       // vector of the mention alone; nil where names are not seen
	names    []knnindex.Hit
	contexts []knnindex.Hit
}

// look encodes the queries alone and in their sentences, as far as names and contexts
// are seen, and finds what is near, side by side: of a single query neither keeps all
// cores busy.
func (s *sight) look(ctx context.Context, views []view, queries []ctxnorm.Query) error {
	if s.model.Encoder == nil {
		return nil
	}
	return together(
		func() error { return s.lookAtNames(ctx, views, queries) },
		func() error { return s.lookAtContexts(ctx, views, queries) },
	)
}

func (s *sight) lookAtNames(ctx context.Context, views []view, queries []ctxnorm.Query) error {
	if !s.parts.Has(PartNames) {
		return nil
	}
	vectors, hits, err := s.model.near(ctx, bare(queries), &s.model.Names, searchDepth)
	if err != nil {
		return err
	}
	dim := s.model.Encoder.Dim()
	for i := range views {
		views[i].name = vectors[i*dim : (i+1)*dim]
		views[i].names = slices.DeleteFunc(hits[i], func(h knnindex.Hit) bool { return !s.seesName(h.Row) })
	}
	if s.parts.Has(featureParts[textWords]) {
		read(views)
	}
	return nil
}

func (s *sight) lookAtContexts(ctx context.Context, views []view, queries []ctxnorm.Query) error {
	if !s.parts.Has(PartContexts) {
		return nil
	}
	_, hits, err := s.model.near(ctx, queries, &s.model.Contexts, searchDepth)
	if err != nil {
		return err
	}
	for i := range views {
		views[i].contexts = slices.DeleteFunc(hits[i], func(h knnindex.Hit) bool { return !s.seesContext(h.Row) })
	}
	return nil
}

// proposeFor gathers the candidates of one query.
func (s *sight) proposeFor(v *view) []proposal {
	g := &gathering{
		sight: s, view: v, at: make(map[int32]int), words: contentWords(v.query.Surface()),
		compared: make(map[int32][]float64),
	}
	if s.parts.Has(PartStrings) {
		g.fromStrings()
	}
	g.fromNames()
	g.fromContexts()
	if !s.tree.empty() {
		g.fromTree()
		g.addParents()
	}
	for i := range g.found {
		g.describe(&g.found[i])
	}
	g.spreadMass()
	slices.SortFunc(g.found, func(a, b proposal) int { return cmp.Compare(a.concept, b.concept) })
	return g.found
}

// gathering collects the candidates of one query.
type gathering struct {
	*sight
	view  *view
	found []proposal
	at    map[int32]int // concept -> position in found

	words    []string            // content words of the mention
	likeness map[int32]float64   // concept -> lexical
	votes    map[int32]float64   // concept -> contextVote
	nearest  map[int32]float64   // concept -> contextCosine
	f1       map[int32]float64   // concept -> treeF1
	same     map[int32]bool      // concept -> sameWords
	voices   map[int32][]voice   // concept -> who speaks for it
	compared map[int32][]float64 // concept -> cosines with its names, of those asked for
}

func (g *gathering) add(concept int32) {
	if _, known := g.at[concept]; !known {
		g.at[concept] = len(g.found)
		g.found = append(g.found, proposal{concept: concept})
	}
}

func (g *gathering) fromStrings() {
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
	for _, row := range g.sight.words.same(g.words) {
		for _, owner := range g.model.Names.owners.of(row) {
			g.same[owner] = true
			g.add(owner)
		}
	}
}

func (g *gathering) fromNames() {
	g.voices = make(map[int32][]voice)
	taken := make(map[int32]bool)
	for _, hit := range g.view.names {
		for _, owner := range g.model.Names.owners.of(hit.Row) {
			g.voices[owner] = append(g.voices[owner], voice{&g.model.Names, hit})
			if len(taken) < nameCandidates {
				taken[owner] = true
				g.add(owner)
			}
		}
	}
}

func (g *gathering) fromContexts() {
	hits := g.view.contexts[:min(contextVoters, len(g.view.contexts))]
	g.votes, g.nearest = make(map[int32]float64), make(map[int32]float64)
	for _, vote := range knnindex.WeightedVotes(hits, g.model.Contexts.owners.of, 0) {
		g.votes[vote.Concept] = vote.Score
		if len(g.votes) <= contextCandidates {
			g.add(vote.Concept)
		}
		for _, hit := range vote.Hits {
			g.voices[vote.Concept] = append(g.voices[vote.Concept], voice{&g.model.Contexts, hit})
		}
	}
	for _, hit := range g.view.contexts {
		for _, owner := range g.model.Contexts.owners.of(hit.Row) {
			if _, known := g.nearest[owner]; !known {
				g.nearest[owner] = float64(hit.Similarity)
			}
		}
	}
}

// fromTree counts the names that hold the mention's words up the tree.
func (g *gathering) fromTree() {
	holding := g.sight.words.holding(g.words)
	if len(holding) == 0 || len(holding) > maxHolding {
		return
	}
	at := make(map[int32]int32) // names that hold the words, at or below a concept
	all := int32(0)
	for _, row := range holding {
		for _, owner := range g.model.Names.owners.of(row) {
			all++
			at[owner]++
			for _, above := range g.tree.above[owner] {
				at[above]++
			}
		}
	}
	g.f1 = make(map[int32]float64, len(at))
	best := make([]int32, 0, len(at))
	for concept, n := range at {
		precision := float64(n) / float64(g.within[concept])
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
func (g *gathering) addParents() {
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
		for _, parent := range g.tree.parents[concept] {
			g.add(parent)
		}
	}
}

// cosine is the mention's with the concept's nearest name, 0 where there is none.
func (g *gathering) cosine(concept int32) float64 {
	cosines := g.cosines(concept)
	if len(cosines) == 0 {
		return 0
	}
	return slices.Max(cosines)
}

// cosines are the mention's with the concept's names, in the order of their rows;
// none where names are not seen.
func (g *gathering) cosines(concept int32) []float64 {
	if g.view.name == nil {
		return nil
	}
	cosines, known := g.compared[concept]
	if !known {
		for _, row := range g.nameRows[concept] {
			cosines = append(cosines, float64(g.model.Names.Vectors.Similarity(int(row), g.view.name)))
		}
		g.compared[concept] = cosines
	}
	return cosines
}

// describe fills in the features that need no other candidate.
func (g *gathering) describe(p *proposal) {
	f := &p.features
	f[lexical] = g.likeness[p.concept]
	cosines := g.cosines(p.concept)
	if len(cosines) > 0 {
		if g.view.text != nil {
			for i, row := range g.nameRows[p.concept] {
				f[textWords] = max(f[textWords], cosines[i]*g.sight.words.gain(row, g.words, g.view.text))
			}
		}
		best := slices.Clone(cosines)
		slices.SortFunc(best, func(a, b float64) int { return cmp.Compare(b, a) })
		f[nameCosine] = best[0]
		f[nameMean] = mean(best[:min(namesMeant, len(best))])
	}
	f[contextVote] = g.votes[p.concept]
	f[contextCosine] = g.nearest[p.concept]
	f[treeF1] = g.f1[p.concept]
	if g.same[p.concept] {
		f[sameWords] = 1
	}
	if len(g.nameRows[p.concept]) == 0 {
		f[nameless] = 1
	}
	p.voices = g.voices[p.concept]
	nearestFirst(p.voices)
	if !g.tree.empty() {
		f[kin] = g.nearestOf(g.tree.above[p.concept]) + g.nearestOf(g.tree.below(p.concept, 2))
	}
	f.mask(g.parts)
}

func mean(numbers []float64) float64 {
	sum := 0.0
	for _, number := range numbers {
		sum += number
	}
	return sum / float64(len(numbers))
}

func (g *gathering) nearestOf(concepts []int32) float64 {
	best := 0.0
	for _, concept := range concepts {
		best = max(best, g.cosine(concept))
	}
	return best
}

// spreadMass fills in treeMass and childMass, which depend on all candidates.
func (g *gathering) spreadMass() {
	if g.tree.empty() || len(g.found) == 0 {
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
		g.found[i].features[treeMass] += belief[i] / sum
		for _, above := range g.tree.above[g.found[i].concept] {
			if j, ok := g.at[above]; ok {
				g.found[j].features[treeMass] += belief[i] / sum
			}
		}
	}
	for i := range g.found {
		for _, child := range g.tree.children[g.found[i].concept] {
			if j, ok := g.at[child]; ok {
				f := &g.found[i].features
				f[childMass] = max(f[childMass], g.found[j].features[treeMass])
			}
		}
	}
}
