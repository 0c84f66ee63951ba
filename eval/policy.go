package eval

import (
	"fmt"
	"slices"
	"strings"

	"ctxnorm"
)

// Policy says which mentions count and when an answer to one is right.
type Policy struct {
	Name    string
	Outside Outside
	// AllParts makes an answer to a composite mention right only if every one of
	// its concepts is found. Else any one of them will do, as it does for a mention
	// whose several gold concepts are alternatives.
	//
	// A linker gives one list for the whole mention, so a mention of n parts is
	// right at k if all n concepts stand among its first n·k candidates: that is
	// where the first k of each part stand if the lists of the parts are dealt out
	// in turn. A part that lies outside the evaluated set is never found.
	AllParts bool
}

// Outside says what becomes of mentions that name no concept of the evaluated
// set.
type Outside int

const (
	LeaveOut   Outside = iota // they are not counted
	AlwaysMiss                // they are counted, and no answer is right
	WantNIL                   // they are counted, and no candidate at all is the right answer
)

// Policies, by name:
//
//	paper   any gold concept will do, mentions outside the set are left out
//	        (Ujiie, Iso and Aramaki, section 4.2)
//	biosyn  all parts of a composite mention, mentions outside the set always
//	        missed (Sung et al., ACL 2020, section 4.1: "we treat predictions for
//	        composite entities as correct if every prediction for each separate
//	        mention is correct"; the mentions of their table 2 include those
//	        without a concept)
//	strict  all parts of a composite mention, every mention, and NIL is right
//	        outside the set
//	all     any gold concept, every mention, and NIL is right outside the set
//
// Sung et al. split composite mentions beforehand and link the parts one by one,
// and their program counts a part as found by any concept of the whole mention;
// for how all parts are counted here see [Policy.AllParts].
var Policies = []Policy{
	{Name: "paper", Outside: LeaveOut},
	{Name: "biosyn", Outside: AlwaysMiss, AllParts: true},
	{Name: "strict", Outside: WantNIL, AllParts: true},
	{Name: "all", Outside: WantNIL},
}

// PolicyByName finds one of [Policies].
func PolicyByName(name string) (Policy, error) {
	i := slices.IndexFunc(Policies, func(p Policy) bool { return p.Name == name })
	if i < 0 {
		var names []string
		for _, p := range Policies {
			names = append(names, p.Name)
		}
		return Policy{}, fmt.Errorf("policy is %q, want one of %s", name, strings.Join(names, ", "))
	}
	return Policies[i], nil
}

// Counts reports whether an item is in the denominator.
func (p Policy) Counts(item *Item) bool { return p.Outside != LeaveOut || item.InSet() }

// Rank is the smallest k at which the answer is right, or 0 where it is right at
// none. The answer is the concepts of the candidates, distinct, the best first.
func (p Policy) Rank(item *Item, answer []ctxnorm.ConceptID) int {
	switch {
	case !item.InSet():
		if p.Outside == WantNIL && len(answer) == 0 {
			return 1
		}
		return 0
	case p.AllParts && item.Query.Mention.Composite:
		return rankOfAll(item, answer)
	}
	return 1 + slices.IndexFunc(answer, func(concept ctxnorm.ConceptID) bool {
		return slices.Contains(item.Gold, concept)
	})
}

// rankOfAll is the smallest k at which all n parts are among the first n·k.
func rankOfAll(item *Item, answer []ctxnorm.ConceptID) int {
	if len(item.Outside) > 0 {
		return 0
	}
	last := 0
	for _, concept := range item.Gold {
		place := 1 + slices.Index(answer, concept)
		if place == 0 {
			return 0
		}
		last = max(last, place)
	}
	n := item.Parts()
	return (last + n - 1) / n
}

// Right reports whether the answer is right within its first k candidates, or
// the first n·k of a composite mention of which all n parts are wanted.
func (p Policy) Right(item *Item, answer []ctxnorm.ConceptID, k int) bool {
	rank := p.Rank(item, answer)
	return 0 < rank && rank <= k
}
