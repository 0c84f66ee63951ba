package calibrate

import (
	"cmp"
	"context"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

const (
	// silverQueries is the number of silver queries that weights are learned from. 1,200
	// were found to be enough, 300 almost enough and 150 too few.
	silverQueries = 1500
	// queriesPerName is the most queries of one held-out name, so that frequent names do
	// not dominate.
	queriesPerName = 2
)

// The kinds of training set, as [model.Calibration.Source] names them.
const (
	fromHeldOutNames = "names held out of the dictionary"
	fromGold         = "annotated mentions"
)

// trainingSet holds queries with known concepts, from which ranking weights are learned.
type trainingSet struct {
	source     string
	queries    []text.Query // their mentions have the gold concepts
	misspelled []text.Query // like queries, with typing errors; the weights of NIL alone are learned from them
	// normal forms of names that are held out when candidates are generated for the queries
	heldOutNames map[string]bool
}

// silverSet returns a training set made without annotation. It holds out a sample, by
// hash, of the dictionary names that occur in contexts. The queries are mentions of these
// names, mentions with an unknown surface form and a known concept, and misspelled ones of others.
func silverSet(m *model.Model, seed uint64) (*trainingSet, error) {
	contexts, err := m.Contexts.Exemplars()
	if err != nil {
		return nil, err
	}
	hash := func(row int) uint64 { return contextHash(&contexts[row], seed, "query") }
	byName := make(map[string][]int)
	for row := range contexts {
		if contexts[row].Mention.LongForm != "" {
			continue // its surface form is not the name
		}
		name := contexts[row].Mention.Name
		byName[name] = append(byName[name], row)
	}
	names := make([]string, 0, len(byName))
	for name := range byName {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(sampling.Hash(seed, "held out", a), sampling.Hash(seed, "held out", b)),
			cmp.Compare(a, b))
	})
	others := names[len(names)/2:]
	names = names[:len(names)/2] // hold out at most half, so that enough names remain as candidates
	t := &trainingSet{source: fromHeldOutNames, heldOutNames: make(map[string]bool)}
	for _, name := range names {
		if len(t.queries) >= silverQueries {
			break
		}
		t.heldOutNames[name] = true
		rows := byName[name]
		slices.SortFunc(rows, func(a, b int) int {
			return cmp.Or(cmp.Compare(hash(a), hash(b)), cmp.Compare(a, b))
		})
		for _, row := range rows[:min(queriesPerName, len(rows))] {
			t.queries = append(t.queries, contexts[row].Query)
		}
	}
	t.addMisspelled(contexts, byName, others, seed)
	return t, nil
}

// addMisspelled adds a context of each of some names that are not held out, in which the name has
// typing errors: see [misspell].
func (t *trainingSet) addMisspelled(contexts []text.Exemplar, byName map[string][]int, names []string, seed uint64) {
	for _, name := range names {
		if len(t.misspelled) == misspelledQueries {
			return
		}
		ex := &contexts[byName[name][0]]
		if written, ok := misspell(ex.Surface(), seed); ok && !normalize.LooksLikeShortForm(ex.Surface()) {
			t.misspelled = append(t.misspelled, ex.WithSurface(written))
		}
	}
}

// goldSet returns a training set of annotated mentions, with their abbreviations expanded
// by the most probable reading. It leaves out composite mentions: they are linked by
// sub-mention, and their annotation does not say which concept is whose.
func goldSet(ctx context.Context, m *model.Model, gold []text.Exemplar) (*trainingSet, error) {
	var queries []text.Query
	for i := range gold {
		if !gold[i].Mention.Composite {
			queries = append(queries, gold[i].Query)
		}
	}
	queries, err := link.ExpandAbbreviations(ctx, m, queries)
	return &trainingSet{source: fromGold, queries: queries}, err
}

// generators makes a generator of candidates in a model, without the names held out; nil
// holds out none.
type generators func(m *model.Model, heldOutNames map[string]bool) (*link.CandidateGenerator, error)

// withAllComponents makes generators with all components.
func withAllComponents(m *model.Model, heldOutNames map[string]bool) (*link.CandidateGenerator, error) {
	return link.NewCandidateGenerator(m, link.AllComponents, heldOutNames)
}

// goldPositions returns the positions of the gold concepts of a query that are in the model.
func goldPositions(m *model.Model, q *text.Query) []int32 {
	return kb.ConceptPositions(m.Dictionary, q.Mention.Concepts)
}

// exampleSet holds the examples that weights are learned from.
type exampleSet struct {
	answered   []listwiseExample // queries whose answer is a gold concept
	misspelled []listwiseExample // like answered, of queries with typing errors
	nils       []listwiseExample // all of these queries in models without it, whose answer is NIL
}

// examples returns the examples of the queries. It leaves out queries without a gold
// candidate or without another one.
func (t *trainingSet) examples(ctx context.Context, m *model.Model, generators generators,
	seed uint64) (*exampleSet, error) {
	generator, err := generators(m, t.heldOutNames)
	if err != nil {
		return nil, err
	}
	set := new(exampleSet)
	if set.answered, err = answeredExamples(ctx, m, generator, t.queries); err != nil {
		return nil, err
	}
	if set.misspelled, err = answeredExamples(ctx, m, generator, t.misspelled); err != nil {
		return nil, err
	}
	if set.nils, err = t.nilExamples(ctx, m, generators, seed); err != nil {
		return nil, err
	}
	answered, unanswered := len(set.answered)+len(set.misspelled), max(1, len(set.nils))
	weight := nilPrior / (1 - nilPrior) * float64(answered) / float64(unanswered)
	for i := range set.nils {
		set.nils[i].weight = weight
	}
	return set, nil
}

// answeredExamples returns the examples of queries that have a gold candidate and another one.
func answeredExamples(ctx context.Context, m *model.Model, generator *link.CandidateGenerator,
	queries []text.Query) ([]listwiseExample, error) {
	candidates, err := generator.Generate(ctx, queries)
	if err != nil {
		return nil, err
	}
	var examples []listwiseExample
	for i := range candidates {
		if e, ok := newListwiseExample(&candidates[i], goldPositions(m, &queries[i])); ok {
			e.cvFold = cvFold(&queries[i])
			examples = append(examples, e)
		}
	}
	return examples, nil
}

const (
	// nilPrior is the share of queries whose concept the dictionary lacks, as the weights
	// are learned: the total weight of the NIL examples beside that of the others. The share
	// in the texts to be linked is not known. With more, more mentions are NIL.
	nilPrior = .1
	// nilPasses is the number of models, each without 1/nilPasses of the concepts, from
	// which NIL examples are made. With five, the weights found NIL no better.
	nilPasses = 2
)

// nilExamples returns examples of queries whose concept is not in the dictionary. It holds
// concepts out of m, a share of them in each pass, and generates candidates for the
// queries all of whose gold concepts are held out in that pass.
func (t *trainingSet) nilExamples(ctx context.Context, m *model.Model, generators generators,
	seed uint64) ([]listwiseExample, error) {
	var examples []listwiseExample
	for pass := range uint64(nilPasses) {
		smaller := m.HoldOut(func(id kb.ConceptID) bool {
			return sampling.Hash(seed, "NIL pass", string(id))%nilPasses == pass
		})
		var queries []text.Query
		for _, q := range slices.Concat(t.queries, t.misspelled) {
			if len(goldPositions(m, &q)) > 0 && len(goldPositions(smaller, &q)) == 0 {
				queries = append(queries, q)
			}
		}
		if len(queries) == 0 {
			continue
		}
		generator, err := generators(smaller, t.heldOutNames)
		if err != nil {
			return nil, err
		}
		candidates, err := generator.Generate(ctx, queries)
		if err != nil {
			return nil, err
		}
		for i := range candidates {
			if e, ok := newNILExample(&candidates[i]); ok {
				e.cvFold = cvFold(&queries[i])
				examples = append(examples, e)
			}
		}
	}
	return examples, nil
}

// cvFolds is the number of cross-validation folds.
const cvFolds = 10

// cvFold returns the cross-validation fold of a query. Mentions with the same normal
// form are in the same fold, so that weights are never tested on a surface form that they
// were learned from.
func cvFold(q *text.Query) int {
	return int(sampling.Hash(0, "fold", normalize.Normal(q.Surface())) % cvFolds)
}

// fitWeights learns the weights of the components from the training set. The generators
// must use the components and hold out the names of the training set.
func (t *trainingSet) fitWeights(ctx context.Context, m *model.Model, generators generators, components link.Components,
	seed uint64) (link.Weights, error) {
	examples, err := t.examples(ctx, m, generators, seed)
	if err != nil {
		return link.Weights{}, err
	}
	return fitWeights(examples, link.PriorWeights(m, components))
}
