package contrastive

import (
	"slices"

	"github.com/ctxnorm/ctxnorm/kb"
)

// Label is the known information about the concept of a batch row, a marked mention.
type Label struct {
	// Concept is the concept of the row: the one that it was sampled for, or the only one that its name has. It is
	// empty if the concept is unknown.
	Concept kb.ConceptID
	// Concepts are all concepts that the name may mean, including Concept. A row with neither Concept nor Concepts is
	// in no pair.
	Concepts []kb.ConceptID
}

// LabelOf returns the label of a mention that was not sampled for a concept. Its concept is known if there is exactly
// one in concepts.
func LabelOf(concepts []kb.ConceptID) Label {
	l := Label{Concepts: concepts}
	if len(concepts) == 1 {
		l.Concept = concepts[0]
	}
	return l
}

func (l Label) empty() bool { return l.Concept == "" && len(l.Concepts) == 0 }

// mayBe reports whether the row may have the concept.
func (l Label) mayBe(id kb.ConceptID) bool {
	return id != "" && (l.Concept == id || slices.Contains(l.Concepts, id))
}

// PairMasks holds the pairs of the N rows of a batch: two masks of N*N elements, row-major. A pair may be in neither
// mask. A row forms no pair with itself.
//
// INVARIANT: no pair is in both masks. The masks of NewPairMasks are symmetric; those of mining are not, because every
// row mines for itself.
type PairMasks struct {
	N        int
	Positive []bool
	Negative []bool
}

// NewPairMasks returns the pairs of rows with these labels. A pair is
//
//   - positive if both rows are known to have the same concept;
//   - negative if they have no concept in common;
//   - neither if an ambiguous name might mean the other row's concept, because then it
//     is unknown whether their vectors should be near each other.
//
// If every row has exactly one concept, these are the sets P and N of equation 2.
func NewPairMasks(labels []Label) PairMasks {
	n := len(labels)
	p := PairMasks{N: n, Positive: make([]bool, n*n), Negative: make([]bool, n*n)}
	for i, a := range labels {
		for j, b := range labels[:i] {
			positive, negative := ClassifyPair(a, b)
			p.Positive[i*n+j], p.Positive[j*n+i] = positive, positive
			p.Negative[i*n+j], p.Negative[j*n+i] = negative, negative
		}
	}
	return p
}

// ClassifyPair reports whether rows with these labels are a positive pair, a negative one, or neither: see
// [NewPairMasks].
func ClassifyPair(a, b Label) (positive, negative bool) {
	if a.empty() || b.empty() {
		return false, false
	}
	if a.Concept != "" && a.Concept == b.Concept {
		return true, false
	}
	overlap := b.mayBe(a.Concept) || slices.ContainsFunc(a.Concepts, b.mayBe)
	return false, !overlap
}
