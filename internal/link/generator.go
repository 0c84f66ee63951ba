package link

import (
	"context"
	"slices"

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

// NameIndex indexes the names and contexts of a model that are not held out. Linking holds out none; learning holds out
// the names of the training queries, so that they are as unknown as the mentions of a new text. Building the index
// takes most of the time to build a [CandidateGenerator], and several generators may share one.
type NameIndex struct {
	model         *model.Model
	fullHierarchy *kb.Hierarchy     // of the dictionary
	rows          safetensors.Lists // concept -> rows of its names that are not held out
	lexical       *lexical.Index
	words         *lexical.WordIndex

	heldOutNames                        map[string]bool // normal forms
	heldOutNameRows, heldOutContextRows []bool          // by row
}

// NewNameIndex indexes the names of a model, including those mined from the corpus if mined is set. It holds out the
// names whose normal form is in heldOutNames, the contexts in which they occur, their labels, and all mined synonyms of
// their concepts, since a synonym may have been mined by way of a held-out name. Labeled mentions of other wordings are
// names of their own: they stay. If there are any heldOutNames, NewNameIndex reads the contexts from the model folder;
// an error names the file.
func NewNameIndex(m *model.Model, heldOutNames map[string]bool, mined bool) (*NameIndex, error) {
	x := &NameIndex{model: m, heldOutNames: heldOutNames, fullHierarchy: kb.NewHierarchy(m.Dictionary)}
	var err error
	if x.heldOutContextRows, err = heldOutContextRows(m, heldOutNames); err != nil {
		return nil, err
	}
	x.heldOutNameRows = heldOutNameRows(m, heldOutNames)
	if !mined {
		for row := range x.heldOutNameRows {
			if m.Names.Origin(int32(row)).Mined != "" {
				x.heldOutNameRows[row] = true
			}
		}
	}
	var indexes *model.NameIndexes
	all := mined && len(heldOutNames) == 0
	if all {
		if indexes, err = m.StoredIndexes(); err != nil {
			return nil, err
		}
	}
	if indexes == nil {
		leftOut, err := m.LeftOut()
		if err != nil {
			return nil, err
		}
		leftOut = slices.DeleteFunc(slices.Clone(leftOut), func(ex text.Exemplar) bool {
			return ex.Origin.Mined != "" && !mined || heldOutNames[normalize.Normal(ex.Text)]
		})
		keep := func(row int32) bool { return !x.heldOutNameRows[row] }
		if all {
			keep = nil
		}
		if indexes, err = m.Names.Index(context.Background(), keep, leftOut, m.DictionaryIndexes()); err != nil {
			return nil, err
		}
	}
	x.rows, x.lexical, x.words = indexes.Rows, indexes.Lexical, indexes.Words
	return x, nil
}

// WithContextsOf returns the index of a model that [model.Model.Extend] made of that of x by adding contexts
// alone. It shares what is made of names. x must hold out none.
func (x *NameIndex) WithContextsOf(m *model.Model) *NameIndex {
	same := *x
	same.model, same.heldOutContextRows = m, make([]bool, m.Contexts.Len())
	return &same
}

// labelsOf returns how many documents label a wording, in normal form, with each concept: none if
// it is a held-out name.
func (x *NameIndex) labelsOf(form string) map[int32]int {
	if x.heldOutNames[form] {
		return nil
	}
	return x.model.LabelsOf(form)
}

// heldOutNameRows marks the rows of held-out names, and of all mined synonyms of their
// concepts, since a synonym may have been mined by way of a held-out name.
func heldOutNameRows(m *model.Model, heldOutNames map[string]bool) []bool {
	heldOut := make([]bool, m.Names.Len())
	if len(heldOutNames) == 0 {
		return heldOut
	}
	affected := make(map[int32]bool) // concepts of held-out names
	for row := range heldOut {
		if heldOut[row] = heldOutNames[normalize.Normal(m.Names.Text(int32(row)))]; heldOut[row] {
			for _, concept := range m.Names.Concepts(int32(row)) {
				affected[concept] = true
			}
		}
	}
	for row := range heldOut {
		if m.Names.Origin(int32(row)).Mined != "" && slices.ContainsFunc(m.Names.Concepts(int32(row)),
			func(concept int32) bool { return affected[concept] }) {
			heldOut[row] = true
		}
	}
	return heldOut
}

// heldOutContextRows marks the rows of contexts in which held-out names occur.
func heldOutContextRows(m *model.Model, heldOutNames map[string]bool) ([]bool, error) {
	heldOut := make([]bool, m.Contexts.Len())
	if len(heldOutNames) == 0 {
		return heldOut, nil // without reading the contexts
	}
	contexts, err := m.Contexts.Exemplars()
	if err != nil {
		return nil, err
	}
	for row := range contexts {
		heldOut[row] = heldOutNames[contexts[row].Mention.Name]
	}
	return heldOut, nil
}

// CandidateGenerator retrieves candidates from the names and contexts that are not held
// out, and computes their features. It uses a set of components.
type CandidateGenerator struct {
	*NameIndex
	GeneratorOptions
	hierarchy    *kb.Hierarchy // flat without ComponentHierarchy
	hierarchical bool          // whether the hierarchy features are computed: also where a filter left no edge of it
	subtreeNames []int32       // concept -> names of it and its descendants, each counted once per concept

	// bySurface remembers candidates by the wording of the mention, which they depend on alone
	// where there is no encoder; nil with one.
	bySurface *recent[Candidates]

	senses *disambiguator // compares everyday words with what is around them
	// useFields scores the topic of the sentence for every word: fit weights that are not learned have none for it.
	useFields bool
}

// GeneratorOptions holds the settings of a [CandidateGenerator].
type GeneratorOptions struct {
	Components Components
	// MatchCase leaves out the concepts whose names have capitals where the mention has none.
	MatchCase bool
	// Own holds the rows of the contexts of each document, by its identifier. They do not count as evidence for its
	// queries: when weights are learned from contexts of the model. Nil otherwise.
	Own map[string][]int32
}

// rememberedCandidates is the number of wordings in a generation of bySurface, with 5 kB each.
const rememberedCandidates = 2000

// NewCandidateGenerator returns a generator that uses the components, with an index of its
// own: see [NewNameIndex] for heldOutNames and the error.
func NewCandidateGenerator(m *model.Model, components Components,
	heldOutNames map[string]bool) (*CandidateGenerator, error) {
	names, err := NewNameIndex(m, heldOutNames, components.Has(ComponentCorpusSynonyms))
	if err != nil {
		return nil, err
	}
	return names.Generator(GeneratorOptions{Components: components}), nil
}

// Generator returns a generator that uses the components. Whether it finds mined synonyms
// was decided when the index was built: it ignores [ComponentCorpusSynonyms].
func (x *NameIndex) Generator(o GeneratorOptions) *CandidateGenerator {
	if x.model.Vectors == nil {
		o.Components &^= ComponentNames
	}
	h := x.fullHierarchy
	if !o.Components.Has(ComponentHierarchy) {
		h = h.Flat()
	}
	g := &CandidateGenerator{
		NameIndex: x, GeneratorOptions: o, hierarchy: h, subtreeNames: make([]int32, x.rows.Len()),
		hierarchical: o.Components.Has(ComponentHierarchy) && x.model.HasHierarchy(),
		senses:       newDisambiguator(x.model, o.Components, o.Own),
	}
	if x.model.Vectors == nil {
		g.bySurface = newRecent[Candidates](rememberedCandidates)
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
	// Of those, plenty remain when held-out ones are removed.
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
	if g.Components.Has(ComponentNames) {
		tasks = append(tasks, func() error { return g.retrieveNames(ctx, builders) })
	}
	if g.model.Vectors != nil && g.Components.Has(ComponentContexts) {
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
	for i := range hits {
		hits[i] = slices.DeleteFunc(hits[i], func(h knnindex.Hit) bool { return g.heldOutNameRows[h.Row] })
	}
	dim := g.model.Vectors.Encoder.Dim()
	for i := range builders {
		b := &builders[i]
		n := at[b.query.Surface()]
		b.mentionVector, b.nameHits = vectors[n*dim:(n+1)*dim], hits[n]
		if g.Components.Has(textWordsNeed) {
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
			return g.heldOutContextRows[h.Row] || slices.Contains(g.Own[queries[i].ID], h.Row)
		})
	}
	return nil
}
