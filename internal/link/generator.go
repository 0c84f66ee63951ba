package link

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// NameIndex indexes the names of a model. Building it takes most of the time needed for a [CandidateGenerator]. Several
// generators can share one index.
type NameIndex struct {
	fullHierarchy *kb.Hierarchy     // of the dictionary
	rows          safetensors.Lists // concept -> rows of its names
	lexical       *lexical.Index
	words         *lexical.WordIndex
}

// NewNameIndex indexes the names of a model. An error includes the name of the file that could not be read.
func NewNameIndex(m *model.Model) (*NameIndex, error) {
	indexes, err := m.StoredIndexes()
	if err == nil && indexes == nil {
		indexes, err = m.IndexNames(context.Background())
	}
	if err != nil {
		return nil, err
	}
	return &NameIndex{kb.NewHierarchy(m.Dictionary), indexes.Rows, indexes.Lexical, indexes.Words}, nil
}

// CandidateGenerator retrieves candidates from names and contexts and computes their features, with a set of
// components.
type CandidateGenerator struct {
	*NameIndex
	model      *model.Model // which has these names
	components Components
	// MatchCase skips concepts whose names have capitals where the mention has none.
	MatchCase bool
	own       map[string][]int32 // rows of the contexts of each document, see [NameIndex.Generator]

	hierarchy    *kb.Hierarchy // flat without ComponentHierarchy
	hierarchical bool          // whether to compute the hierarchy features, even if a filter removed all edges
	subtreeNames []int32       // concept -> number of names of it and its descendants, each name counted once per concept

	remembered *candidateCache // nil if there is an encoder

	senses *disambiguator // compares everyday words with their surroundings
	// useFields makes every word ask for the topic of its sentence. It is false if the fit weights were not learned:
	// these have no weight for it.
	useFields bool
}

// candidateCache caches candidates by surface form. Without an encoder they depend on nothing else, and running text
// repeats a few surface forms often. The cache is safe for concurrent use. A nil cache stores nothing.
type candidateCache struct {
	mu        sync.Mutex
	bySurface map[string]Candidates
}

// rememberedCandidates is the number of surface forms at which the cache is cleared. Each takes 5 kB.
const rememberedCandidates = 5000

// of returns the candidates of a surface form. It calls build if they are not in the cache.
func (c *candidateCache) of(wording string, build func() Candidates) Candidates {
	if c == nil {
		return build()
	}
	c.mu.Lock()
	candidates, known := c.bySurface[wording]
	c.mu.Unlock()
	if known {
		return candidates
	}
	candidates = build()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.bySurface) == rememberedCandidates {
		clear(c.bySurface)
	}
	c.bySurface[strings.Clone(wording)] = candidates // the surface form may be a slice of a long text
	return candidates
}

// NewCandidateGenerator returns a generator that uses the components. It removes heldOutNames from the model first,
// with everything that depends on them, see [model.Model.WithoutNames].
func NewCandidateGenerator(m *model.Model, components Components,
	heldOutNames map[string]bool) (*CandidateGenerator, error) {
	smaller, err := m.WithoutNames(heldOutNames, components.Has(ComponentCorpusSynonyms))
	if err != nil {
		return nil, err
	}
	names, err := NewNameIndex(smaller)
	if err != nil {
		return nil, err
	}
	return names.Generator(smaller, components, nil), nil
}

// Generator returns a generator for a model with the names of x that uses the components. It ignores
// [ComponentCorpusSynonyms]: the model's names either include mined synonyms or do not. own maps the identifier of a
// document to the rows of its contexts, which do not count as evidence for its queries. It is nil unless weights are
// learned from contexts of the model.
func (x *NameIndex) Generator(m *model.Model, components Components, own map[string][]int32) *CandidateGenerator {
	if m.Vectors == nil {
		components &^= ComponentNames
	}
	h := x.fullHierarchy
	if !components.Has(ComponentHierarchy) {
		h = h.Flat()
	}
	g := &CandidateGenerator{
		NameIndex: x, model: m, components: components, own: own, hierarchy: h, subtreeNames: make([]int32, x.rows.Len()),
		hierarchical: components.Has(ComponentHierarchy) && m.HasHierarchy(),
		senses:       newDisambiguator(m, components, own),
	}
	if m.Vectors == nil {
		g.remembered = &candidateCache{bySurface: make(map[string]Candidates)}
	}
	c := m.Calibration
	g.useFields = c != nil && c.FitWeights["any_word"] != 0
	for concept := range x.rows.Len() {
		rows := x.rows.At(int32(concept))
		g.subtreeNames[concept] += int32(len(rows))
		for _, ancestor := range h.Ancestors(int32(concept)) {
			g.subtreeNames[ancestor] += int32(len(rows))
		}
	}
	return g
}

const (
	// searchDepth is the number of names, contexts and lexical hits to retrieve.
	searchDepth = 60
	// contextVoters is the number of contexts that vote, as in the paper.
	contextVoters = 15
)

// Candidates holds the candidates of one query with their features, before they are ranked.
type Candidates struct {
	Concepts []*Candidate // ordered by concept
	NIL      []float64    // features of NIL: the mention names no concept of the dictionary
	Fit      []float64    // [FitFeatures] of the context if the mention may be an ordinary word, else nil
	known    []int32      // words of the mention that occur in names
}

// Candidate is a concept with the evidence for it, before ranking.
type Candidate struct {
	Concept  int32     // position in the dictionary
	Features []float64 // values of [RankingFeatures]

	isCandidate bool            // false for a concept that was only looked at and has no Features
	hits        []SupportingHit // names and contexts that support it
	cosines     []float64       // of the mention with each name, in the order of rows; set by featureBuilder.cosinesOf
	labels      int             // number of documents that label this surface form with the concept
	sameWords   int             // number of names with the mention's words
	likeness    int             // the highest [normalize.Likeness] of a name with the mention's words
	opposed     bool

	// Features: see [RankingFeatures].
	lexical, contextVote, contextCosine, subtree, bestChild, termF1, longer, childLonger float64
	sameConcept, replaced                                                                float64
}

// Generate returns the candidates of each query with their features.
func (g *CandidateGenerator) Generate(ctx context.Context, queries []text.Query) ([]Candidates, error) {
	return g.generate(ctx, queries, func(b *featureBuilder) {
		word := englishWordOf(b.query)
		b.asksContext = g.mayBeOrdinary(word)
		b.asksField = g.useFields && !b.asksContext && len(normalize.ContentWords(word)) == 1
	})
}

// ContextFits returns, for each query, how well its context fits its concept. It does so for any word, including words
// whose context linking would not check. An element is nil if the query has no candidates or no context.
func (g *CandidateGenerator) ContextFits(ctx context.Context, queries []text.Query) ([][]float64, error) {
	candidates, err := g.generate(ctx, queries, func(b *featureBuilder) { b.asksContext = true })
	fits := make([][]float64, len(candidates))
	for i := range candidates {
		fits[i] = candidates[i].Fit
	}
	return fits, err
}

// generate returns the candidates of queries. ask sets asksContext or asksField of each builder.
func (g *CandidateGenerator) generate(ctx context.Context, queries []text.Query,
	ask func(*featureBuilder)) ([]Candidates, error) {
	builders, documents := make([]featureBuilder, len(queries)), sense.NewDocuments()
	for i := range builders {
		b := &builders[i]
		b.CandidateGenerator, b.query, b.documents = g, &queries[i], documents
		ask(b)
	}
	if err := g.retrieve(ctx, builders, queries); err != nil {
		return nil, err
	}
	candidates := make([]Candidates, len(builders))
	err := parallel.For(ctx, len(builders), 0, func(i int) { candidates[i] = builders[i].candidatesOnce() })
	return candidates, err
}

// retrieve encodes the queries, both bare and in their sentences, and searches names and contexts. It does both
// concurrently, since a single query keeps neither the encoder nor the search busy on all cores.
func (g *CandidateGenerator) retrieve(ctx context.Context, builders []featureBuilder, queries []text.Query) error {
	tasks := []func() error{func() error { return g.describeSurroundings(ctx, builders) }}
	if g.components.Has(ComponentNames) {
		tasks = append(tasks, func() error { return g.retrieveNames(ctx, builders) })
	}
	if g.model.Vectors != nil && g.components.Has(ComponentContexts) {
		tasks = append(tasks, func() error { return g.retrieveContexts(ctx, builders, queries) })
	}
	return parallel.Do(tasks...)
}

// retrieveNames sets the vectors of the bare mentions, their nearest names, and the words of their documents. It
// encodes each surface form once. It does not cache vectors for later queries: their last digits depend on what else is
// in the batch, so answers would depend on what was linked before.
func (g *CandidateGenerator) retrieveNames(ctx context.Context, builders []featureBuilder) error {
	at := make(map[string]int) // surface -> position in distinct
	var distinct []text.Query
	for i := range builders {
		surface := builders[i].query.Surface()
		if _, seen := at[surface]; !seen {
			at[surface] = len(distinct)
			distinct = append(distinct, text.NameExemplar(surface).Query)
		}
	}
	vectors, hits, err := g.model.Vectors.Nearest(ctx, distinct, &g.model.Vectors.Names, searchDepth)
	if err != nil {
		return err
	}
	dim := g.model.Vectors.Encoder.Dim()
	for i := range builders {
		b := &builders[i]
		n := at[b.query.Surface()]
		b.mentionVector, b.nameHits = vectors[n*dim:(n+1)*dim], hits[n]
		if g.components.Has(textWordsNeed) {
			b.documentWords = b.documents.Words(b.query)
		}
	}
	return nil
}

func (g *CandidateGenerator) retrieveContexts(ctx context.Context, builders []featureBuilder,
	queries []text.Query) error {
	_, hits, err := g.model.Vectors.Nearest(ctx, queries, &g.model.Vectors.Contexts, searchDepth)
	if err != nil {
		return err
	}
	for i := range builders {
		builders[i].contextHits = slices.DeleteFunc(hits[i], func(h knnindex.Hit) bool {
			return slices.Contains(g.own[queries[i].ID], h.Row)
		})
	}
	return nil
}
