package contrastive

import (
	"slices"

	"ctxnorm"
)

// Label says what a row of a batch, a marked mention, names.
type Label struct {
	// Concept is what the row stands for: the concept it was drawn for, or the
	// only one its name has. Empty where that is not known.
	Concept ctxnorm.ConceptID
	// Concepts are all that the name may mean, Concept among them. A row with
	// neither Concept nor Concepts is in no pair.
	Concepts []ctxnorm.ConceptID
}

// LabelOf is the label of a mention that was not drawn for a concept: sure
// where it has one concept, unsure where it has several.
func LabelOf(concepts []ctxnorm.ConceptID) Label {
	l := Label{Concepts: concepts}
	if len(concepts) == 1 {
		l.Concept = concepts[0]
	}
	return l
}

func (l Label) empty() bool { return l.Concept == "" && len(l.Concepts) == 0 }

// mayBe reports whether the row may stand for the concept.
func (l Label) mayBe(id ctxnorm.ConceptID) bool {
	return id != "" && (l.Concept == id || slices.Contains(l.Concepts, id))
}

// Pairs is the relation of the N rows of a batch to each other: two masks of
// N*N, row-major. A pair may be in neither; a row is in no pair with itself.
//
// INVARIANT: no pair is in both masks. Those of NewPairs are symmetric; those
// of [MultiSimilarity.Mine] are not, as every row mines for itself.
type Pairs struct {
	N        int
	Positive []bool
	Negative []bool
}

// NewPairs relates rows by their labels:
//
//   - positive where both surely stand for one concept;
//   - negative where they have no concept in common;
//   - neither where an ambiguous name might mean the other's concept: whether
//     the two should be near is not known.
//
// Where every row has one concept, these are the sets P and N of equation 2.
func NewPairs(labels []Label) Pairs {
	n := len(labels)
	p := Pairs{N: n, Positive: make([]bool, n*n), Negative: make([]bool, n*n)}
	for i, a := range labels {
		for j, b := range labels[:i] {
			positive, negative := relate(a, b)
			p.Positive[i*n+j], p.Positive[j*n+i] = positive, positive
			p.Negative[i*n+j], p.Negative[j*n+i] = negative, negative
		}
	}
	return p
}

func relate(a, b Label) (positive, negative bool) {
	if a.empty() || b.empty() {
		return false, false
	}
	if a.Concept != "" && a.Concept == b.Concept {
		return true, false
	}
	overlap := b.mayBe(a.Concept) || slices.ContainsFunc(a.Concepts, b.mayBe)
	return false, !overlap
}
