package eval

import (
	"fmt"
	"slices"
	"strings"
)

// Policy decides which mentions are evaluated and when a prediction is correct.
type Policy struct {
	Name string
	NIL  NILScoring
	// AllConcepts makes a prediction for a composite mention correct only if every one of its concepts is found.
	// Otherwise any one of them is enough, as for a mention whose several gold concepts are alternatives.
	//
	// A linker returns one list for the whole mention, so a mention of n sub-mentions is correct at k if all n concepts
	// are among its first n·k candidates: that is where the first k of each sub-mention stand if the lists of the
	// sub-mentions are interleaved. A concept outside the evaluated set is never found.
	AllConcepts bool
	// TiesShareRank gives candidates with equal scores one rank: a linker that compares
	// names scores the concepts of one name equally, and cannot tell them apart.
	TiesShareRank bool
}

// NILScoring decides how mentions that name no concept of the evaluated set are scored.
type NILScoring int

const (
	NILExclude NILScoring = iota // they are not evaluated
	NILCorrect                   // they are evaluated, and NIL, no candidate at all, is correct
)

// policies lists what PolicyByName returns.
var policies = []Policy{
	{Name: "paper", NIL: NILExclude},
	{Name: "biosyn", NIL: NILExclude, AllConcepts: true, TiesShareRank: true},
	{Name: "strict", NIL: NILCorrect, AllConcepts: true},
	{Name: "all", NIL: NILCorrect},
}

// PolicyNames returns the names of the policies.
func PolicyNames() []string {
	names := make([]string, len(policies))
	for i, p := range policies {
		names[i] = p.Name
	}
	return names
}

// PolicyByName returns the policy of that name, or an error that lists the names. docs/evaluation.md describes them:
// "paper" is that of Ujiie, Iso and Aramaki (section 4.2), "biosyn" that of Sung et al. (ACL 2020, sections 4.1, 4.2).
// Sung et al. split composite mentions beforehand and link the sub-mentions one by one, and their program accepts any
// concept of the whole mention for each of them. [Policy.AllConcepts] says how it is done here.
func PolicyByName(name string) (Policy, error) {
	i := slices.IndexFunc(policies, func(p Policy) bool { return p.Name == name })
	if i < 0 {
		return Policy{}, fmt.Errorf("policy is %q, want one of %s", name, strings.Join(PolicyNames(), ", "))
	}
	return policies[i], nil
}

// evaluates reports whether the policy includes a mention in the denominator.
func (p Policy) evaluates(m *GoldMention) bool {
	return p.NIL != NILExclude || m.InSet() && !(p.AllConcepts && len(m.Outside) > 0)
}

// rank returns the smallest k at which a prediction is correct, or 0 if it is correct at none.
func (p Policy) rank(prediction *Prediction) int {
	m := prediction.Mention
	switch {
	case !m.InSet():
		if p.NIL == NILCorrect && len(prediction.Ranked) == 0 {
			return 1
		}
		return 0
	case p.AllConcepts && m.Query.Mention.Composite:
		return p.rankOfAll(prediction)
	}
	return p.rankAt(prediction, slices.IndexFunc(prediction.Ranked, func(c Candidate) bool {
		return slices.Contains(m.Gold, c.Concept)
	}))
}

// rankOfAll returns the smallest k at which all n concepts of a composite mention
// are among the first n·k, or 0 if one of them is missing.
func (p Policy) rankOfAll(prediction *Prediction) int {
	m := prediction.Mention
	if len(m.Outside) > 0 {
		return 0
	}
	last := 0
	for _, concept := range m.Gold {
		rank := p.rankAt(prediction, slices.IndexFunc(prediction.Ranked, func(c Candidate) bool {
			return c.Concept == concept
		}))
		if rank == 0 {
			return 0
		}
		last = max(last, rank)
	}
	n := m.subMentions()
	return (last + n - 1) / n
}

// rankAt returns the rank of the concept at a position, or 0 for position -1.
func (p Policy) rankAt(prediction *Prediction, position int) int {
	rank := position + 1
	if p.TiesShareRank {
		for i := 1; i <= position; i++ {
			if prediction.Ranked[i].Score == prediction.Ranked[i-1].Score {
				rank--
			}
		}
	}
	return rank
}
