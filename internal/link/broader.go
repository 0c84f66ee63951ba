package link

import (
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/text/linked"
)

// aboveShares are the probabilities that a parent of a concept missing from the dictionary is the candidate itself, a
// parent of the candidate, or a grandparent, if the candidate is the right neighbor. They were estimated by expectation
// maximization from 2,660 names of a tenth of the concepts of half of MEDIC, each ranked in a model without them.
type aboveShares [3]float64

var (
	// for a candidate with a name within the mention: "anemia" in "aplastic anemia"
	aboveWithin = aboveShares{.93, .07}
	aboveOther  = aboveShares{.10, .83, .07} // for any other candidate
	// for a candidate whose nearest name is opposed to the mention, and so is its sibling: left heart failure and
	// "right heart failure" are both kinds of heart failure
	aboveOpposed = aboveShares{0, .93, .07}
)

// broaderSharpness is the exponent of the candidates' probabilities, which are too high if the right concept is
// missing.
const broaderSharpness = .7

// broader returns the concept that the mention is most probably a kind of, assuming that it names none of the
// candidates. The probability that a concept x is a parent of the missing concept is
//
//	P(x) = fits · Σ over candidates c: w(c) · (self(c) [x is c] + parent(c) [x is a parent of c] + ...)
//
// where w(c) is P(c)^.7, normalized to sum to 1, self and parent are [aboveShares], and fits is the probability that
// the mention is not an ordinary word, which is 1 for most mentions. It returns nil if there are no candidates or no
// hierarchy, or if all candidates are opposites of the mention and have no parent.
func (r *Ranker) broader(generated *Candidates) *linked.Broader {
	g, h := r.generator, r.generator.hierarchy
	if h.Empty() || len(generated.Concepts) == 0 {
		return nil
	}
	scorer := slices.Clone(r.weights)
	// a name opposed to the mention counts against its concept but not against the parents
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
		if len(parents) == 0 && !c.opposed { // a top concept stands in for its missing parents
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
	p := min(1, above[best]) // a parent of one candidate may be a grandparent through another parent
	if generated.Fit != nil {
		p *= fitProbability(r.fit, generated.Fit)
	}
	return &linked.Broader{Concept: g.model.Dictionary.At(int(best)).ID, Probability: p}
}
