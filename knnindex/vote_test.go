package knnindex

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// Concepts of the rows of tests.
const a, b, c = 1, 2, 3

// result is the part of a vote that is checked, with its hits by similarity.
type result struct {
	Concept      int32
	Score        float64
	Similarities []float32
}

func compareVotes(t *testing.T, name string, got []Vote, want []result) {
	t.Helper()
	var have []result
	for _, v := range got {
		r := result{v.Concept, v.Score, nil}
		for _, hit := range v.Hits {
			r.Similarities = append(r.Similarities, hit.Similarity)
		}
		have = append(have, r)
	}
	must.EqualBy(t, cmp.Options{cmpopts.EquateApprox(0, 1e-12), cmpopts.EquateEmpty()}, have, want, name)
}

func TestMajorityVotes(t *testing.T) {
	for name, test := range map[string]struct {
		hits     []Hit
		concepts [][]int32 // by row
		want     []result
	}{
		"nothing found": {},
		// a: 2 of 5 votes. b: 2 of 5, its nearest at .75, nearer than a's at .5, so before a. c: 1 of 5, though nearest of all.
		"majority, ties to the nearest": {
			[]Hit{{0, .875}, {1, .75}, {2, .5}, {3, .25}, {4, .125}}, [][]int32{{c}, {b}, {a}, {b}, {a}},
			[]result{
				{b, 2./5 + 1e-6*.75, []float32{.75, .25}}, {a, 2./5 + 1e-6*.5, []float32{.5, .125}}, {c, 1./5 + 1e-6*.875, []float32{.875}},
			},
		},
		// The first exemplar has a and b, the second b and, listed twice, c.
		"several concepts": {
			[]Hit{{0, .5}, {1, .25}}, [][]int32{{a, b}, {b, c, c}},
			[]result{
				{b, 2./2 + 1e-6*.5, []float32{.5, .25}}, {a, 1./2 + 1e-6*.5, []float32{.5}}, {c, 1./2 + 1e-6*.25, []float32{.25}},
			},
		},
		"ties by concept, a negative similarity": {
			[]Hit{{0, -.5}}, [][]int32{{b, a}}, []result{{a, 1 - 1e-6*.5, []float32{-.5}}, {b, 1 - 1e-6*.5, []float32{-.5}}},
		},
		"an exemplar of no concept": {
			[]Hit{{0, .5}, {1, .25}}, [][]int32{{}, {a}}, []result{{a, 1./2 + 1e-6*.25, []float32{.25}}},
		},
	} {
		compareVotes(t, name, MajorityVotes(test.hits, func(row int32) []int32 { return test.concepts[row] }), test.want)
	}
}

func TestWeightedVotes(t *testing.T) {
	e := math.Exp
	hits := []Hit{{0, .75}, {1, .5}, {2, .25}}
	concepts := [][]int32{{b}, {a}, {a}}
	for name, test := range map[string]struct {
		hits     []Hit
		concepts [][]int32
		want     []result
	}{
		"nothing found": {},
		// At 1/50, exp(-.25 x 50) = exp(-12.5) and exp(-.5 x 50) = exp(-25).
		"by similarity": {hits, concepts, []result{
			{b, 1 / (1 + e(-12.5) + e(-25)), []float32{.75}}, {a, (e(-12.5) + e(-25)) / (1 + e(-12.5) + e(-25)), []float32{.5, .25}},
		}},
		"several concepts": {[]Hit{{0, .5}, {1, .5}}, [][]int32{{a, b}, {b}}, []result{
			{b, 1, []float32{.5, .5}}, {a, .5, []float32{.5}},
		}},
	} {
		votes := WeightedVotes(test.hits, func(row int32) []int32 { return test.concepts[row] })
		compareVotes(t, name, votes, test.want)
	}
}

// TestNearestDominates checks the documentation of temperature: 14 hits that are .053 less similar have the
// weight of the nearest.
func TestNearestDominates(t *testing.T) {
	for less, want := range map[float32]int32{.055: a, .05: b} {
		hits := []Hit{{0, .9}}
		for row := range int32(14) {
			hits = append(hits, Hit{1 + row, .9 - less})
		}
		must.Equal(t, WeightedVotes(hits, func(row int32) []int32 { return []int32{min(1+row, b)} })[0].Concept, want,
			"14 exemplars", less, "less similar")
	}
}
