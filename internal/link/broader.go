package link

import (
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/text/linked"
)

// aboveShares are the probabilities that a parent of a concept which the dictionary lacks is the candidate itself, one
// of its parents, or a parent of these, if the candidate is the right neighbor. They were estimated by expectation
// maximization from 2,660 names of a tenth of the concepts of half of MEDIC, each ranked in a model without these.
type aboveShares [3]float64

var (
	// of a candidate with a name within the mention: "anemia" in "aplastic anemia"
	aboveWithin = aboveShares{.93, .07}
	aboveOther  = aboveShares{.10, .83, .07} // of any other
	// of one whose nearest name is opposed to the mention, which is beside it: left heart failure and "right heart
	// failure" are kinds of heart failure
	aboveOpposed = aboveShares{0, .93, .07}
)

// broaderSharpness is the exponent of the candidates' probabilities, which are too sure where the right concept is
// missing.
const broaderSharpness = .7

// broader returns the concept that the mention of the candidates is most probably a kind of, given that none of them is
// what it names. The probability that a concept x is a parent of what it names is
//
//	P(x) = fits · Σ over candidates c: w(c) · (self(c) [x is c] + parent(c) [x is a parent of c] + ...)
//
// where w(c) is P(c)^.7, scaled to the sum 1, self and parent are [aboveShares], and fits is the probability that the
// mention is no ordinary word, 1 for most. It returns nil without candidates, without a hierarchy, and if no
// concept is above an opposite of the mention.
func (r *Ranker) broader(generated *Candidates) *linked.Broader {
	g, h := r.generator, r.generator.hierarchy
	if h.Empty() || len(generated.Concepts) == 0 {
		return nil
	}
	scorer := slices.Clone(r.weights)
	// what counts against a concept does not count against its parents
	RankingFeatures.set(scorer, map[string]float64{"opposed_name": 0})
	weights, _ := generated.Probabilities(scorer)
	sum := 0.0
	for i := range weights {
		weights[i] = math.Pow(weights[i], broaderSharpness)
		sum += weights[i]
	}
	above := make(map[int32]float64)
	best := generated.Concepts[0].Concept
	add := func(concept int32, p float64) {
		above[concept] += p
		if above[concept] > above[best] {
			best = concept
		}
	}
	for i, c := range generated.Concepts {
		concept, w := c.Concept, weights[i]/sum
		shares := aboveOther
		switch {
		case c.opposed:
			shares = aboveOpposed
		case slices.ContainsFunc(g.rows.At(concept), func(row int32) bool { return g.words.IsWithin(row, generated.known) }):
			shares = aboveWithin
		}
		add(concept, w*shares[0])
		parents := h.Parents(concept)
		if len(parents) == 0 && !c.opposed { // the top stands for what is above it
			add(concept, w*(shares[1]+shares[2]))
		}
		for _, parent := range parents {
			add(parent, w*shares[1])
			w := w * shares[2] / float64(len(parents))
			grandparents := h.Parents(parent)
			if len(grandparents) == 0 {
				add(parent, w)
			}
			for _, grandparent := range grandparents {
				add(grandparent, w)
			}
		}
	}
	if above[best] == 0 {
		return nil
	}
	p := min(1, above[best]) // a parent of one candidate may be a grandparent by way of another parent
	if generated.Fit != nil {
		p *= fitProbability(r.fit, generated.Fit)
	}
	return &linked.Broader{Concept: g.model.Dictionary.At(int(best)).ID, Probability: p}
}
