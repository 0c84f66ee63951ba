package eval

import (
	"fmt"
	"slices"
	"strings"

	"ctxnorm"
)

// Policy says which mentions count and when an answer to one is right.
type Policy struct {
	Name string
	// InSet leaves out mentions whose gold concepts all lie outside the evaluated
	// set. Where they stay, NIL is the right answer to them.
	InSet bool
}

// Policies, by name:
//
//	paper  any gold concept counts, mentions outside the set are left out, as Ujiie, Iso and Aramaki evaluate (section 4.2)
//	all    any gold concept counts, every mention stays, and NIL is right for those outside the set
var Policies = []Policy{
	{Name: "paper", InSet: true},
	{Name: "all"},
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
func (p Policy) Counts(item *Item) bool { return !p.InSet || len(item.Gold) > 0 }

// Right reports whether the answer is right within its first k candidates, which
// are concepts of the evaluated set.
func (p Policy) Right(item *Item, answer []ctxnorm.ConceptID, k int) bool {
	if len(item.Gold) == 0 {
		return len(answer) == 0
	}
	return slices.ContainsFunc(answer[:min(k, len(answer))], func(concept ctxnorm.ConceptID) bool {
		return slices.Contains(item.Gold, concept)
	})
}
