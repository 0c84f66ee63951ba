package link

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
)

func TestAbstentionCounts(t *testing.T) {
	a := &Abstention{Rows: []ThresholdRow{{MinProbability: 0}, {MinProbability: .4}, {MinProbability: .8}}}
	a.count(.9, true)
	a.count(.8, false)
	a.count(.5, true)
	a.count(.1, false)
	want := []ThresholdRow{{0, 4, 2}, {.4, 3, 2}, {.8, 2, 1}}
	if diff := cmp.Diff(want, a.Rows); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, tc := range []struct{ least, row float64 }{{0, 0}, {.39, 0}, {.4, .4}, {.79, .4}, {1, .8}} {
		if got := a.At(tc.least).MinProbability; got != tc.row {
			t.Errorf("%g falls into the row of %g, want %g", tc.least, got, tc.row)
		}
	}
}

func TestFirst(t *testing.T) {
	w := Weights{lexical: 1}
	concept, p := topCandidate([]rawCandidate{
		{concept: 3, features: features{lexical: 0}}, {concept: 5, features: features{lexical: 1}}, {concept: 8, features: features{lexical: 1}},
	}, &w)
	// exp(1) / (1 + 2 exp(1)); of the two the first.
	if want := math.E / (1 + 2*math.E); concept != 5 || math.Abs(p-want) > 1e-12 {
		t.Errorf("concept %d with %g, want 5 with %g", concept, p, want)
	}
}

// TestAbstainHoldsConceptsOut: mentions of concepts that are held out have no right
// answer, and all others may have.
func TestAbstainHoldsConceptsOut(t *testing.T) {
	m := ulcerModel(t)
	seed := seedThatHoldsOut(t, m, "G1")
	l := &trainingSet{queries: []ctxnorm.Query{query(t, "<coeliac disease>"), query(t, "<gastric ulcer>")}}
	l.queries[0].Mention.Concepts = []ctxnorm.ConceptID{"G1"}
	l.queries[1].Mention.Concepts = []ctxnorm.ConceptID{"G2"}
	var weights [cvFolds]Weights
	for i := range weights {
		weights[i] = m.Calibration.Weights
	}
	a, err := l.measureAbstention(t.Context(), m, seed, &weights)
	if err != nil {
		t.Fatal(err)
	}
	if a.Queries != 2 || a.NIL != 1 || a.Rows[0] != (ThresholdRow{0, 2, 1}) {
		t.Errorf("%d queries, %d NIL, %+v, want 2, 1, both answered and one right", a.Queries, a.NIL, a.Rows[0])
	}
}

// seedThatHoldsOut finds a seed by which the concept is held out, and no other.
func seedThatHoldsOut(t *testing.T, m *Model, id ctxnorm.ConceptID) uint64 {
	t.Helper()
	for seed := range uint64(10_000) {
		matches := true
		for i := range m.Dictionary.Len() {
			other := m.Dictionary.At(i).ID
			matches = matches && isHeldOut(seed, other) == (other == id)
		}
		if matches {
			return seed
		}
	}
	t.Fatalf("no seed holds %s alone out", id)
	return 0
}
