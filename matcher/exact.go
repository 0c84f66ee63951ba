package matcher

import (
	"iter"
	"maps"
	"slices"

	"ctxnorm"
)

// Exact finds the concepts that have a given name, by equality of normal forms.
type Exact struct {
	concepts map[string][]ctxnorm.ConceptID // by name in normal form, sorted
}

// NewExact takes every name of d.
func NewExact(d *ctxnorm.Dictionary) *Exact {
	x := &Exact{concepts: make(map[string][]ctxnorm.ConceptID, d.CountNames())}
	for i := range d.Len() {
		concept := d.At(i)
		for _, name := range concept.Names() {
			key := Normal(name)
			// Concepts come in the order of IDs, so an equal one is the last.
			if have := x.concepts[key]; key != "" && !slices.Contains(have, concept.ID) {
				x.concepts[key] = append(have, concept.ID)
			}
		}
	}
	return x
}

// Lookup gives the concepts that have text as a name, sorted; none if there are
// none. The slice is shared and not to be changed.
func (x *Exact) Lookup(text string) []ctxnorm.ConceptID { return x.concepts[Normal(text)] }

// All gives every name in normal form with its concepts, in an order that is not known.
func (x *Exact) All() iter.Seq2[string, []ctxnorm.ConceptID] { return maps.All(x.concepts) }
