package knnindex

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/kb"
)

// conceptsOf returns a function that returns the concepts of a row.
func conceptsOf(concepts ...ids) func(row int32) ids {
	return func(row int32) ids { return concepts[row] }
}

type ids = []kb.ConceptID

// result is the part of a vote that is checked, with its hits by similarity.
type result struct {
	Concept      kb.ConceptID
	Score        float64
	Similarities []float32
}

func compareResults(t *testing.T, got []Vote[kb.ConceptID], want []result) {
	t.Helper()
	var have []result
	for _, v := range got {
		r := result{v.Concept, v.Score, nil}
		for _, hit := range v.Hits {
			r.Similarities = append(r.Similarities, hit.Similarity)
		}
		have = append(have, r)
	}
	if diff := cmp.Diff(want, have, cmpopts.EquateApprox(0, 1e-12), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMajorityVotes(t *testing.T) {
	for _, c := range []struct {
		name     string
		hits     []Hit
		concepts []ids
		want     []result
	}{
		{
			name: "nothing found",
		},
		{
			// A: 2 of 5 votes. B: 2 of 5, its nearest at .75, nearer than A's at .5, so
			// before A. C: 1 of 5, though nearest of all.
			name:     "majority, ties to the nearest",
			hits:     []Hit{{0, .875}, {1, .75}, {2, .5}, {3, .25}, {4, .125}},
			concepts: []ids{{"C"}, {"B"}, {"A"}, {"B"}, {"A"}},
			want: []result{
				{"B", 2./5 + 1e-6*.75, []float32{.75, .25}},
				{"A", 2./5 + 1e-6*.5, []float32{.5, .125}},
				{"C", 1./5 + 1e-6*.875, []float32{.875}},
			},
		},
		{
			// The first exemplar is of A and B, the second of B and, listed twice, C:
			// A 1 of 2, B 2 of 2, C 1 of 2.
			name:     "several concepts",
			hits:     []Hit{{0, .5}, {1, .25}},
			concepts: []ids{{"A", "B"}, {"B", "C", "C"}},
			want: []result{
				{"B", 2./2 + 1e-6*.5, []float32{.5, .25}},
				{"A", 1./2 + 1e-6*.5, []float32{.5}},
				{"C", 1./2 + 1e-6*.25, []float32{.25}},
			},
		},
		{
			// One exemplar of two concepts: equal in all, so by ID. Similarities may be
			// negative.
			name:     "ties by ID",
			hits:     []Hit{{0, -.5}},
			concepts: []ids{{"B", "A"}},
			want:     []result{{"A", 1 - 1e-6*.5, []float32{-.5}}, {"B", 1 - 1e-6*.5, []float32{-.5}}},
		},
		{
			name:     "an exemplar of no concept",
			hits:     []Hit{{0, .5}, {1, .25}},
			concepts: []ids{{}, {"A"}},
			want:     []result{{"A", 1./2 + 1e-6*.25, []float32{.25}}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			compareResults(t, MajorityVotes(c.hits, conceptsOf(c.concepts...)), c.want)
		})
	}
}

func TestWeightedVotes(t *testing.T) {
	// At temperature .25: exp(.75/.25) = e^3, exp(.5/.25) = e^2, exp(.25/.25) = e.
	e1, e2, e3 := math.E, math.Exp(2), math.Exp(3)
	hits := []Hit{{0, .75}, {1, .5}, {2, .25}}
	for _, c := range []struct {
		name        string
		hits        []Hit
		concepts    []ids
		temperature float64
		want        []result
	}{
		{
			name: "nothing found",
		},
		{
			name:        "by similarity",
			hits:        hits,
			concepts:    []ids{{"B"}, {"A"}, {"A"}},
			temperature: .25,
			want: []result{
				{"B", e3 / (e1 + e2 + e3), []float32{.75}}, // .665: the nearest outweighs two
				{"A", (e2 + e1) / (e1 + e2 + e3), []float32{.5, .25}},
			},
		},
		{
			// So hot that every weight is 1 to 1e-12: heads are counted.
			name:        "high temperature",
			hits:        hits,
			concepts:    []ids{{"B"}, {"A"}, {"A"}},
			temperature: 1e13,
			want:        []result{{"A", 2. / 3, []float32{.5, .25}}, {"B", 1. / 3, []float32{.75}}},
		},
		{
			// So cold that only the nearest counts, and exp(.75/1e-4) would overflow.
			name:        "low temperature",
			hits:        hits,
			concepts:    []ids{{"B"}, {"A"}, {"A"}},
			temperature: 1e-4,
			want:        []result{{"B", 1, []float32{.75}}, {"A", 0, []float32{.5, .25}}},
		},
		{
			// At 1/50, exp(-.25 x 50) = exp(-12.5) and exp(-.5 x 50) = exp(-25).
			name:     "default temperature",
			hits:     hits,
			concepts: []ids{{"B"}, {"A"}, {"A"}},
			want: []result{
				{"B", 1 / (1 + math.Exp(-12.5) + math.Exp(-25)), []float32{.75}},
				{"A", (math.Exp(-12.5) + math.Exp(-25)) / (1 + math.Exp(-12.5) + math.Exp(-25)), []float32{.5, .25}},
			},
		},
		{
			// Two equally near, the first of A and B: A 1/2, B 2/2.
			name:     "several concepts",
			hits:     []Hit{{0, .5}, {1, .5}},
			concepts: []ids{{"A", "B"}, {"B"}},
			want:     []result{{"B", 1, []float32{.5, .5}}, {"A", .5, []float32{.5}}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			compareResults(t, WeightedVotes(c.hits, conceptsOf(c.concepts...), c.temperature), c.want)
		})
	}
}

// TestNearestDominates checks the documentation of DefaultTemperature: 14 hits that are
// .053 less similar weigh as much as the nearest.
func TestNearestDominates(t *testing.T) {
	for _, c := range []struct {
		less float32
		want kb.ConceptID
	}{{.055, "near"}, {.05, "far"}} {
		hits := []Hit{{0, .9}}
		concepts := []ids{{"near"}}
		for i := range int32(14) {
			hits = append(hits, Hit{1 + i, .9 - c.less})
			concepts = append(concepts, ids{"far"})
		}
		if got := WeightedVotes(hits, conceptsOf(concepts...), 0)[0].Concept; got != c.want {
			t.Errorf("14 exemplars %v less similar: %s leads, want %s", c.less, got, c.want)
		}
	}
}
