package calibrate

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

const (
	// silverQueries is the number of silver queries from which weights are learned. 1,200 turned out to be enough, 300
	// almost enough and 150 too few.
	silverQueries = 1500
	// queriesPerName is the maximum number of queries for one held-out name, so that frequent names do not dominate.
	queriesPerName = 2
)

// The kinds of training set, as named in [model.Calibration.Source].
const (
	fromHeldOutNames = "names held out of the dictionary"
	fromGold         = "annotated mentions"
)

// trainingSet holds queries with known concepts, from which ranking weights are learned.
type trainingSet struct {
	source   string
	model    *model.Model
	contexts []text.Exemplar // of the model
	prior    []float64       // the weights from which learning starts
	queries  []text.Query    // mentions hold their gold concepts
	// normal forms of names to hold out when candidates are generated for the queries
	heldOutNames map[string]bool

	weights []float64 // learned
}

// newTrainingSet returns a training set without queries.
func newTrainingSet(m *model.Model, source string) (*trainingSet, error) {
	contexts, err := m.Contexts.Exemplars()
	return &trainingSet{source: source, model: m, contexts: contexts, prior: link.PriorWeights(m, link.AllComponents)}, err
}

// silverSet returns a training set made without annotation. It holds out a sample, by hash, of the dictionary names
// that occur in contexts. The queries are mentions of these names, so their surface form is unknown and their concept
// is known.
func silverSet(m *model.Model) (*trainingSet, error) {
	t, err := newTrainingSet(m, fromHeldOutNames)
	if err != nil {
		return nil, err
	}
	seed := seedOf(m)
	byName := make(map[string][]int)
	for _, row := range model.RowsByHash(t.contexts, nil, seed, "query") {
		if m := &t.contexts[row].Mention; m.LongForm == "" { // otherwise its surface form is not the name
			byName[m.Name] = append(byName[m.Name], row)
		}
	}
	byHash := func(a, b string) int {
		return cmp.Or(cmp.Compare(sampling.Hash(seed, "held out", a), sampling.Hash(seed, "held out", b)), cmp.Compare(a, b))
	}
	names := slices.SortedFunc(maps.Keys(byName), byHash)
	names = names[:len(names)/2] // at most half, so that enough names remain as candidates
	t.heldOutNames = make(map[string]bool)
	for _, name := range names {
		if len(t.queries) >= silverQueries {
			break
		}
		t.heldOutNames[name] = true
		rows := byName[name]
		for _, row := range rows[:min(queriesPerName, len(rows))] {
			t.queries = append(t.queries, t.contexts[row].Query)
		}
	}
	return t, nil
}

// goldSet returns a training set of annotated mentions, with their abbreviations expanded by the most probable reading.
// It leaves out composite mentions, because these are linked by sub-mention and their annotation does not assign
// concepts to sub-mentions.
func goldSet(ctx context.Context, m *model.Model, gold []text.Exemplar) (*trainingSet, error) {
	t, err := newTrainingSet(m, fromGold)
	if err != nil {
		return nil, err
	}
	for i := range gold {
		if !gold[i].Mention.Composite {
			t.queries = append(t.queries, gold[i].Query)
		}
	}
	t.queries, err = link.ExpandAbbreviations(ctx, m, t.queries)
	return t, err
}

// goldPositions returns the positions of a query's gold concepts that are in the model.
func goldPositions(m *model.Model, q *text.Query) []int32 {
	return kb.ConceptPositions(m.Dictionary, q.Mention.Concepts)
}

// exampleSet holds the examples from which weights are learned.
type exampleSet struct {
	answered []listwiseExample // queries whose answer is a gold concept
	nils     []listwiseExample // the queries in models without their concepts; the answer is NIL
}

const (
	// nilPrior is the assumed share of queries whose concept the dictionary lacks: the total weight of the NIL examples
	// relative to all. The true share in the texts to be linked is unknown. A higher value makes more mentions NIL.
	nilPrior = .1
	// nilPasses is the number of models from which NIL examples are made. Each lacks 1/nilPasses of the concepts. Five
	// models did not detect NIL any better.
	nilPasses = 2
)

// examples returns the examples of the queries, with the features of the given components. The NIL examples come from
// models that each lack a share of the concepts: they are the queries whose gold concepts are all held out.
func (t *trainingSet) examples(ctx context.Context, components link.Components) (set exampleSet, err error) {
	m := t.model
	generator, err := link.NewCandidateGenerator(m, components, t.heldOutNames)
	if err != nil {
		return set, err
	}
	if set.answered, err = examplesOf(ctx, m, generator, t.queries, false); err != nil {
		return set, err
	}
	for pass := range uint64(nilPasses) {
		smaller := m.HoldOut(func(id kb.ConceptID) bool {
			return sampling.Hash(seedOf(m), "NIL pass", string(id))%nilPasses == pass
		})
		var queries []text.Query
		for _, q := range t.queries {
			if len(goldPositions(m, &q)) > 0 && len(goldPositions(smaller, &q)) == 0 {
				queries = append(queries, q)
			}
		}
		if len(queries) == 0 {
			continue
		}
		if generator, err = link.NewCandidateGenerator(smaller, components, t.heldOutNames); err != nil {
			return set, err
		}
		nils, err := examplesOf(ctx, smaller, generator, queries, true)
		if err != nil {
			return set, err
		}
		set.nils = append(set.nils, nils...)
	}
	for i := range set.nils {
		set.nils[i].weight = nilPrior / (1 - nilPrior) * float64(len(set.answered)) / float64(len(set.nils))
	}
	return set, nil
}

// examplesOf returns the examples of queries. The answer of each is a gold concept or, if isNIL is set, NIL. It skips
// queries from which nothing can be learned, which have no candidate with the right answer or no other candidate.
func examplesOf(ctx context.Context, m *model.Model, generator *link.CandidateGenerator, queries []text.Query,
	isNIL bool) ([]listwiseExample, error) {
	candidates, err := generator.Generate(ctx, queries)
	if err != nil {
		return nil, err
	}
	var examples []listwiseExample
	for i := range candidates {
		e, gold := listwiseExample{weight: 1}, goldPositions(m, &queries[i])
		for _, c := range candidates[i].Concepts {
			e.candidates, e.gold = append(e.candidates, c.Features), append(e.gold, slices.Contains(gold, c.Concept))
		}
		if isNIL && len(e.gold) > 0 || slices.Contains(e.gold, true) && slices.Contains(e.gold, false) {
			e.candidates, e.gold = append(e.candidates, candidates[i].NIL), append(e.gold, isNIL)
			examples = append(examples, e)
		}
	}
	return examples, nil
}

// fitWeights learns the weights of the components from the training set.
func (t *trainingSet) fitWeights(ctx context.Context, components link.Components) ([]float64, error) {
	examples, err := t.examples(ctx, components)
	if err != nil {
		return nil, err
	}
	return fitWeights(&examples, link.PriorWeights(t.model, components))
}
