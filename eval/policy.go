package eval

import (
	"fmt"
	"slices"
	"strings"
)

// Policy decides which mentions are evaluated and when a prediction is correct.
type Policy struct {
	Name string
	// ScoresNIL evaluates mentions without a concept of the evaluated set: NIL, no candidate at all, is correct.
	ScoresNIL bool
	// AllConcepts makes a prediction for a composite mention correct only if it finds every concept of the mention.
	// Otherwise any one of them is enough, as in a mention with several gold concepts that are alternatives.
	//
	// A linker returns one list for the whole mention, so a mention of n sub-mentions is correct at k if all n concepts
	// are among its first n·k candidates. If the lists of the sub-mentions are interleaved, those are the first k of
	// each. A concept outside the evaluated set is never found.
	AllConcepts bool
	// TiesShareRank gives candidates with equal scores one rank: a linker that compares names gives all concepts of a
	// name the same score and cannot tell them apart.
	TiesShareRank bool
}

// policies lists the policies that PolicyByName returns.
var policies = []Policy{
	{Name: "paper"},
	{Name: "biosyn", AllConcepts: true, TiesShareRank: true},
	{Name: "strict", ScoresNIL: true, AllConcepts: true},
	{Name: "all", ScoresNIL: true},
}

// PolicyNames returns the names of the policies.
func PolicyNames() []string {
	names := make([]string, len(policies))
	for i, p := range policies {
		names[i] = p.Name
	}
	return names
}

// PolicyByName returns the policy with the name, or an error that lists the names. docs/evaluation.md describes them:
// "paper" is that of Ujiie, Iso and Aramaki (section 4.2), "biosyn" that of Sung et al. (ACL 2020, sections 4.1, 4.2).
// Sung et al. split composite mentions beforehand and link the sub-mentions one by one, and their program accepts any
// concept of the whole mention for each of them. [Policy.AllConcepts] describes the procedure here.
func PolicyByName(name string) (Policy, error) {
	i := slices.IndexFunc(policies, func(p Policy) bool { return p.Name == name })
	if i < 0 {
		return Policy{}, fmt.Errorf("policy is %q, want one of %s", name, strings.Join(PolicyNames(), ", "))
	}
	return policies[i], nil
}

// evaluates reports whether the policy includes a mention in the denominator.
func (p Policy) evaluates(m *GoldMention) bool {
	return p.ScoresNIL || m.InSet() && !(p.AllConcepts && len(m.Outside) > 0)
}

// rank returns the smallest k at which a prediction is correct, or 0 if there is none. For a composite mention that
// needs all its n concepts, it is the smallest k at which all are among the first n·k candidates.
func (p Policy) rank(prediction *Prediction) int {
	m := prediction.Mention
	if !m.InSet() {
		return int(oneIf(p.ScoresNIL && len(prediction.Ranked) == 0))
	}
	n := 1
	if p.AllConcepts {
		n = m.subMentions()
	}
	rank, found := 0, 0
	for i, c := range prediction.Ranked {
		if i == 0 || !p.TiesShareRank || c.Score != prediction.Ranked[i-1].Score {
			rank++
		}
		if slices.Contains(m.Gold, c.Concept) {
			found++
		}
		if found == n {
			return (rank + n - 1) / n
		}
	}
	return 0
}
