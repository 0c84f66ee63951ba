package eval

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
)

// Policy decides which mentions are evaluated and when a prediction is correct.
type Policy struct {
	Name string
	NIL  NILScoring
	// AllConcepts makes a prediction for a composite mention correct only if every one
	// of its concepts is found. Otherwise any one of them is enough, as for a mention
	// whose several gold concepts are alternatives.
	//
	// A linker returns one list for the whole mention, so a mention of n sub-mentions
	// is correct at k if all n concepts are among its first n·k candidates: that is
	// where the first k of each sub-mention stand if the lists of the sub-mentions are
	// interleaved. A concept outside the evaluated set is never found.
	AllConcepts bool
}

// NILScoring decides how mentions that name no concept of the evaluated set are
// scored.
type NILScoring int

const (
	NILExclude NILScoring = iota // they are not evaluated
	NILWrong                     // they are evaluated, and every prediction is wrong
	NILCorrect                   // they are evaluated, and NIL, no candidate at all, is correct
)

// policies lists what PolicyByName returns.
var policies = []Policy{
	{Name: "paper", NIL: NILExclude},
	{Name: "biosyn", NIL: NILWrong, AllConcepts: true},
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

// PolicyByName returns the policy of that name, or an error that lists the names:
//
//	paper   any gold concept is correct, mentions outside the set are excluded
//	        (Ujiie, Iso and Aramaki, section 4.2)
//	biosyn  all concepts of a composite mention, mentions outside the set are
//	        always wrong (Sung et al., ACL 2020, section 4.1: "we treat predictions
//	        for composite entities as correct if every prediction for each separate
//	        mention is correct"; the mentions of their table 2 include those
//	        without a concept)
//	strict  all concepts of a composite mention, every mention is evaluated, and
//	        NIL is correct outside the set
//	all     any gold concept, every mention is evaluated, and NIL is correct
//	        outside the set
//
// Sung et al. split composite mentions beforehand and link the sub-mentions one by
// one, and their program accepts any concept of the whole mention for each of them.
// [Policy.AllConcepts] says how it is done here.
func PolicyByName(name string) (Policy, error) {
	i := slices.IndexFunc(policies, func(p Policy) bool { return p.Name == name })
	if i < 0 {
		return Policy{}, fmt.Errorf("policy is %q, want one of %s", name, strings.Join(PolicyNames(), ", "))
	}
	return policies[i], nil
}

// Evaluates reports whether the policy includes a mention in the denominator.
func (p Policy) Evaluates(m *GoldMention) bool { return p.NIL != NILExclude || m.InSet() }

// Rank returns the smallest k at which a prediction is correct, or 0 if it is
// correct at none. predicted holds the concepts of the candidates, distinct and best
// first.
func (p Policy) Rank(m *GoldMention, predicted []kb.ConceptID) int {
	switch {
	case !m.InSet():
		if p.NIL == NILCorrect && len(predicted) == 0 {
			return 1
		}
		return 0
	case p.AllConcepts && m.Query.Mention.Composite:
		return rankOfAll(m, predicted)
	}
	return 1 + slices.IndexFunc(predicted, func(concept kb.ConceptID) bool {
		return slices.Contains(m.Gold, concept)
	})
}

// rankOfAll returns the smallest k at which all n concepts of a composite mention
// are among the first n·k, or 0 if one of them is missing.
func rankOfAll(m *GoldMention, predicted []kb.ConceptID) int {
	if len(m.Outside) > 0 {
		return 0
	}
	last := 0
	for _, concept := range m.Gold {
		position := 1 + slices.Index(predicted, concept)
		if position == 0 {
			return 0
		}
		last = max(last, position)
	}
	n := m.SubMentions()
	return (last + n - 1) / n
}
