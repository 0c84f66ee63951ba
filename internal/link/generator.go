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

// NameIndex indexes the names of a model. Building it takes most of the time to build a [CandidateGenerator], and several
// generators may share one.
type NameIndex struct {
	model         *model.Model
	fullHierarchy *kb.Hierarchy     // of the dictionary
	rows          safetensors.Lists // concept -> rows of its names
	lexical       *lexical.Index
	words         *lexical.WordIndex
}

// NewNameIndex indexes the names of a model. An error names the file that it reads.
func NewNameIndex(m *model.Model) (*NameIndex, error) {
	indexes, err := m.StoredIndexes()
	if err == nil && indexes == nil {
		indexes, err = m.IndexNames(context.Background())
	}
	if err != nil {
		return nil, err
	}
	return &NameIndex{m, kb.NewHierarchy(m.Dictionary), indexes.Rows, indexes.Lexical, indexes.Words}, nil
}

// WithContextsOf returns the index of a model that [model.Model.Extend] made of that of x by adding contexts
// alone. It shares what is made of names.
func (x *NameIndex) WithContextsOf(m *model.Model) *NameIndex {
	same := *x
	same.model = m
	return &same
}

// CandidateGenerator retrieves candidates from names and contexts, and computes their features. It uses a set of
// components.
type CandidateGenerator struct {
	*NameIndex
	components Components
	// MatchCase leaves out the concepts whose names have capitals where the mention has none.
	MatchCase bool
	own       map[string][]int32 // of the contexts of each document: see [NameIndex.Generator]

	hierarchy    *kb.Hierarchy // flat without ComponentHierarchy
	hierarchical bool          // whether the hierarchy features are computed: also where a filter left no edge of it
	subtreeNames []int32       // concept -> names of it and its descendants, each counted once per concept

	remembered *candidateCache // nil with an encoder

	senses *disambiguator // compares everyday words with what is around them
	// useFields scores the topic of the sentence for every word: fit weights that are not learned have none for it.
	useFields bool
}

// candidateCache remembers candidates by the wording of the mention, which they depend on alone where there is no encoder:
// running text repeats a few wordings often. It is safe for concurrent use. A nil cache remembers nothing.
type candidateCache struct {
	mu        sync.Mutex
	bySurface map[string]Candidates
}

// rememberedCandidates is the number of wordings after which a cache begins anew, with 5 kB each.
const rememberedCandidates = 5000

// of returns the candidates of a wording, which build makes if they are not remembered.
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
	c.bySurface[strings.Clone(wording)] = candidates // the wording may be a part of a long text
	return candidates
}

// NewCandidateGenerator returns a generator that uses the components, of a model without names and what is known by
// them: see [model.Model.WithoutNames].
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
	return names.Generator(components, nil), nil
}

// Generator returns a generator that uses the components. It ignores [ComponentCorpusSynonyms]: the model has mined
// synonyms or has none. own holds the rows of the contexts of each document, by its identifier. They do
// not count as evidence for its queries: when weights are learned from contexts of the model. Nil otherwise.
func (x *NameIndex) Generator(components Components, own map[string][]int32) *CandidateGenerator {
	if x.model.Vectors == nil {
		components &^= ComponentNames
	}
	h := x.fullHierarchy
	if !components.Has(ComponentHierarchy) {
		h = h.Flat()
	}
	g := &CandidateGenerator{
		NameIndex: x, components: components, own: own, hierarchy: h, subtreeNames: make([]int32, x.rows.Len()),
		hierarchical: components.Has(ComponentHierarchy) && x.model.HasHierarchy(),
		senses:       newDisambiguator(x.model, components, own),
	}
	if x.model.Vectors == nil {
		g.remembered = &candidateCache{bySurface: make(map[string]Candidates)}
	}
	c := x.model.Calibration
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
	// searchDepth is the number of names, contexts and lexical hits that are retrieved.
	searchDepth = 60
	// contextVoters is the number of contexts that vote, as in the paper.
	contextVoters = 15
)

// Candidates holds the candidates of one query with their features, before they are ranked.
type Candidates struct {
	Concepts []*Candidate // ordered by concept
	NIL      []float64    // features of the answer that none of the dictionary's concepts is named
	Fit      []float64    // [FitFeatures] of the context of a mention that may be an ordinary word; nil for others
	known    []int32      // words of the mention that names have
}

// Candidate is a concept with what speaks for it, before it is ranked.
type Candidate struct {
	Concept  int32     // position in the dictionary
	Features []float64 // those of [RankingFeatures]

	isCandidate bool            // or else a concept beside the candidates, without features
	hits        []SupportingHit // names and contexts that support it
	cosines     []float64       // with its names, in the order of their rows; set by featureBuilder.cosinesOf
	labels      int             // documents that label the mention's wording so
	sameWords   int             // names with the mention's words
	likeness    int             // of the name most like the mention that has its words
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

// ContextFits returns how well the context of each query suits its concept, whatever its word: also where linking would
// not ask. An element is nil for a query without candidates, or without a context.
func (g *CandidateGenerator) ContextFits(ctx context.Context, queries []text.Query) ([][]float64, error) {
	candidates, err := g.generate(ctx, queries, func(b *featureBuilder) { b.asksContext = true })
	fits := make([][]float64, len(candidates))
	for i := range candidates {
		fits[i] = candidates[i].Fit
	}
	return fits, err
}

// generate returns the candidates of queries. ask sets what is asked of their contexts.
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

// retrieve encodes the queries, bare and in their sentences, and searches names and contexts. It does both
// concurrently, since a single query keeps neither all cores of the encoder nor those of the search busy.
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

// retrieveNames sets the vectors of the bare mentions, the names nearest to them, and the words of their documents. It
// encodes each wording once. Vectors are not remembered for later queries: their last digits depend on what is encoded
// beside them, so the answers would depend on what was linked before.
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
