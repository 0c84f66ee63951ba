package link

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/optimize"

	"ctxnorm"
	"ctxnorm/matcher"
)

const (
	// pseudoQueries is how many held-out mentions the weights are learnt from;
	// 1,200 were found to be enough, 300 nearly, 150 too few.
	pseudoQueries = 1500
	// perHeldOutName is how many mentions of one name are asked about, so that
	// frequent names do not decide.
	perHeldOutName = 2
	// priorStrength is the weight of half the squared distance from the prior weights,
	// against the sum of the log likelihoods of the queries: a few queries hardly move
	// the weights, a thousand settle them.
	priorStrength = 10
)

// prior weights are what was learnt from half of MEDIC and 109,176 records of PubMed,
// rounded: with an encoder, and without. A model keeps them where its corpus has
// nothing to say.
func prior(m *Model) Weights {
	w := Weights{
		lexical: 2, sameWords: 3, textWords: 2,
		treeMass: 3, childMass: -1.5, treeF1: 2, nameless: 1.5,
	}
	if m.Encoder != nil {
		w[nameCosine], w[nameMean], w[contextVote], w[kin] = 2.5, 2.5, 1, .5
		w[lexical], w[nameless] = .5, 5
	}
	return w
}

// learnWeights fits the weights of a model's features to pseudo-gold: names are
// held out of the dictionary, and where they stand in the corpus, they are
// mentions of unknown wording whose concept is known. The weights maximise
//
//	sum over queries of log softmax(score)[right concept] - priorStrength/2 * |weights - prior|^2
//
// by L-BFGS. That is concave, so the start does not matter: the posterior mode
// under a Gaussian prior.
func learnWeights(ctx context.Context, m *Model, seed uint64) (*Calibration, error) {
	queries, hidden, hiddenNames := holdOutNames(m, seed)
	s, err := newSight(m, newTree(m.Dictionary), hidden, hiddenNames)
	if err != nil {
		return nil, err
	}
	proposals, err := s.propose(ctx, queries)
	if err != nil {
		return nil, err
	}
	c := &Calibration{Queries: len(queries)}
	var choices []choice
	for i := range queries {
		right := m.owners(&ctxnorm.Exemplar{Query: queries[i]})
		if one, ok := newChoice(proposals[i], right); ok {
			choices = append(choices, one)
		}
	}
	c.Found = len(choices)
	if c.Weights, err = fit(choices, prior(m)); err != nil {
		return nil, err
	}
	for i := range choices {
		if choices[i].first(&c.Weights) {
			c.Acc1++
		}
	}
	c.Acc1 /= float64(max(1, c.Found))
	return c, nil
}

// holdOutNames draws names that stand in contexts, by hash, and gives their
// mentions as queries. Hidden are the rows that could give them away; hiddenNames
// are the normal forms of the held-out names.
func holdOutNames(m *Model, seed uint64) (queries []ctxnorm.Query, hidden []bool, hiddenNames map[string]bool) {
	byName := make(map[string][]int)
	for row := range m.Contexts.Exemplars {
		name := m.Contexts.Exemplars[row].Mention.Name
		byName[name] = append(byName[name], row)
	}
	names := make([]string, 0, len(byName))
	for name := range byName {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(ctxnorm.Hash(seed, "held out", a), ctxnorm.Hash(seed, "held out", b)), cmp.Compare(a, b))
	})
	names = names[:len(names)/2] // at most half, so that enough is left to answer with
	hiddenNames = make(map[string]bool)
	for _, name := range names {
		if len(queries) >= pseudoQueries {
			break
		}
		hiddenNames[name] = true
		rows := byName[name]
		slices.SortFunc(rows, func(a, b int) int {
			return cmp.Or(cmp.Compare(m.contextHash(seed, a), m.contextHash(seed, b)), cmp.Compare(a, b))
		})
		for _, row := range rows[:min(perHeldOutName, len(rows))] {
			queries = append(queries, m.Contexts.Exemplars[row].Query)
		}
	}
	return queries, hideRows(m, hiddenNames), hiddenNames
}

// hideRows hides the rows of held-out names, and of all names that texts gave the
// concepts of held-out names: they may have been given by way of these.
func hideRows(m *Model, hiddenNames map[string]bool) []bool {
	hidden := make([]bool, len(m.Names.Exemplars))
	touched := make(map[int32]bool) // concepts of held-out names
	for row := range m.Names.Exemplars {
		ex := &m.Names.Exemplars[row]
		if hidden[row] = hiddenNames[matcher.Normal(ex.Text)]; hidden[row] {
			for _, owner := range m.owners(ex) {
				touched[owner] = true
			}
		}
	}
	for row := range m.Names.Exemplars {
		ex := &m.Names.Exemplars[row]
		if ex.Source != "" && slices.ContainsFunc(m.owners(ex), func(owner int32) bool { return touched[owner] }) {
			hidden[row] = true
		}
	}
	return hidden
}

func (m *Model) contextHash(seed uint64, row int) uint64 {
	ex := &m.Contexts.Exemplars[row]
	return ctxnorm.Hash(seed, "query", ex.ID, ex.Text, strconv.Itoa(ex.Mention.Start))
}

// choice is a query whose right concept is among its candidates.
type choice struct {
	candidates []features
	right      []bool
}

// newChoice reports false where no candidate is right, or all are.
func newChoice(proposals []proposal, right []int32) (choice, bool) {
	var c choice
	n := 0
	for i := range proposals {
		c.candidates = append(c.candidates, proposals[i].features)
		is := slices.Contains(right, proposals[i].concept)
		c.right = append(c.right, is)
		if is {
			n++
		}
	}
	return c, n > 0 && n < len(proposals)
}

// first reports whether the weights rank a right candidate first.
func (c *choice) first(w *Weights) bool {
	best := 0
	for i := range c.candidates {
		if w.score(&c.candidates[i]) > w.score(&c.candidates[best]) {
			best = i
		}
	}
	return c.right[best]
}

// loss adds to gradient the gradient of the negative log likelihood of the right
// candidates, and gives that likelihood.
func (c *choice) loss(w *Weights, gradient *Weights) float64 {
	scores := make([]float64, len(c.candidates))
	for i := range scores {
		scores[i] = w.score(&c.candidates[i])
	}
	p := softmax(scores)
	mass := 0.0
	for i := range p {
		if c.right[i] {
			mass += p[i]
		}
	}
	for i := range p {
		pull := p[i]
		if c.right[i] {
			pull -= p[i] / max(mass, math.SmallestNonzeroFloat64)
		}
		for j, x := range c.candidates[i] {
			gradient[j] += pull * x
		}
	}
	return -math.Log(max(mass, math.SmallestNonzeroFloat64))
}

// fit finds the weights that make the right candidates likeliest, near the prior.
func fit(choices []choice, prior Weights) (Weights, error) {
	evaluate := func(x []float64, gradient *Weights) float64 {
		w := Weights(x)
		loss := 0.0
		for i := range choices {
			loss += choices[i].loss(&w, gradient)
		}
		for j := range gradient {
			off := w[j] - prior[j]
			gradient[j] += priorStrength * off
			loss += priorStrength / 2. * off * off
		}
		return loss
	}
	problem := optimize.Problem{
		Func: func(x []float64) float64 { return evaluate(x, new(Weights)) },
		Grad: func(grad, x []float64) {
			var g Weights
			evaluate(x, &g)
			copy(grad, g[:])
		},
	}
	result, err := optimize.Minimize(problem, prior[:], &optimize.Settings{GradientThreshold: 1e-4}, &optimize.LBFGS{})
	if err != nil {
		return Weights{}, fmt.Errorf("learning the weights of ranking: %w", err)
	}
	return Weights(result.X), nil
}
