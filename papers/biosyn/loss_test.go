package biosyn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestCandidateLossByHand(t *testing.T) {
	ln := math.Log
	// Scores 0, ln 2 and ln 3 are the probabilities 1/6, 2/6 and 3/6.
	scores := []float64{0, ln(2), ln(3)}
	none := []float64{0, 0, 0}
	tests := []struct {
		name      string
		objective Objective
		s         candidateScores
		weight    float64
		loss      float64
		grad      candidateGradient
	}{
		{
			// P' = 1/6 + 3/6 = 2/3. The gradient is P(n), less P(n)/P' of a right one.
			"marginal", objectiveMarginal,
			candidateScores{3, scores, none, []bool{true, false, true}}, 1,
			ln(1.5), candidateGradient{Dense: []float64{1./6 - 1./4, 1. / 3, 1./2 - 3./4}},
		},
		{
			// The most probable right candidate is the last, with P = 1/2.
			"hard EM", ObjectiveHardEM,
			candidateScores{3, scores, none, []bool{true, false, true}}, 1,
			ln(2), candidateGradient{Dense: []float64{1. / 6, 1. / 3, -1. / 2}},
		},
		{
			// The same scores, made of lambda = 2 and sparse scores; the gradient with
			// respect to lambda is the sum of sparse scores times gradients.
			"sparse weight", objectiveMarginal,
			candidateScores{3, none, []float64{0, ln(2) / 2, ln(3) / 2}, []bool{true, false, true}}, 2,
			ln(1.5), candidateGradient{
				Dense:        []float64{1./6 - 1./4, 1. / 3, 1./2 - 3./4},
				SparseWeight: ln(2)/2*(1./3) - ln(3)/2*(1./4),
			},
		},
		{
			// sigma(0) = 1/2, sigma(ln 2) = 2/3, sigma(ln 3) = 3/4.
			"pairwise", objectivePairwise,
			candidateScores{3, scores, none, []bool{true, false, true}}, 1,
			(ln(2) + ln(3) + ln(4./3)) / 3, candidateGradient{Dense: []float64{-1. / 6, 2. / 9, -1. / 12}},
		},
		{
			// The second mention has no right candidate, and the mean is over one.
			"without a right candidate", objectiveMarginal,
			candidateScores{2, []float64{ln(3), 0, 5, 5}, []float64{1, 0, 7, 7}, []bool{true, false, false, false}}, 0,
			ln(4. / 3), candidateGradient{Dense: []float64{-1. / 4, 1. / 4, 0, 0}, SparseWeight: -1. / 4},
		},
		{
			"no right candidate at all", ObjectiveHardEM,
			candidateScores{2, []float64{1, 2}, []float64{1, 0}, []bool{false, false}}, 1,
			0, candidateGradient{Dense: []float64{0, 0}},
		},
		{
			"all right", objectiveMarginal,
			candidateScores{2, []float64{1, 2}, []float64{1, 0}, []bool{true, true}}, 1,
			0, candidateGradient{Dense: []float64{0, 0}},
		},
		{
			// exp(-1000) underflows; the authors' code would clamp the probability at 1e-9.
			"far apart", objectiveMarginal,
			candidateScores{2, []float64{0, 1000}, []float64{0, 0}, []bool{true, false}}, 1,
			1000, candidateGradient{Dense: []float64{-1, 1}},
		},
		{"no mention", objectiveMarginal, candidateScores{K: 2}, 1, 0, candidateGradient{}},
	}
	for _, test := range tests {
		loss, grad, err := candidateLoss(test.objective, test.s, test.weight)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if math.Abs(loss-test.loss) > 1e-12 {
			t.Errorf("%s: loss is %v, want %v", test.name, loss, test.loss)
		}
		if diff := cmp.Diff(test.grad, grad, cmpopts.EquateApprox(0, 1e-12), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: gradient (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestCandidateLossSizes(t *testing.T) {
	for _, s := range []candidateScores{
		{K: 0},
		{2, []float64{1, 2, 3}, []float64{1, 2, 3}, []bool{true, true, true}},
		{2, []float64{1, 2}, []float64{1}, []bool{true, true}},
		{2, []float64{1, 2}, []float64{1, 2}, []bool{true}},
	} {
		if _, _, err := candidateLoss(objectiveMarginal, s, 1); err == nil {
			t.Errorf("%+v: no error", s)
		}
	}
}

// randomCandidateScores returns scores of which some mentions have no right candidate.
func randomCandidateScores(r *rand.Rand, k, mentions int) candidateScores {
	s := candidateScores{K: k}
	for range mentions {
		hasRight := r.IntN(4) > 0
		for range k {
			s.Dense = append(s.Dense, 3*r.NormFloat64())
			s.Sparse = append(s.Sparse, r.Float64())
			s.Right = append(s.Right, hasRight && r.IntN(3) == 0)
		}
	}
	return s
}

func TestCandidateLossGradient(t *testing.T) {
	const step, tolerance = 1e-5, 1e-7
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, seed))
		objective := []Objective{objectiveMarginal, ObjectiveHardEM, objectivePairwise}[seed%3]
		s := randomCandidateScores(r, 1+r.IntN(6), 1+r.IntN(4))
		weight := r.NormFloat64()
		_, grad, err := candidateLoss(objective, s, weight)
		if err != nil {
			t.Fatal(err)
		}
		loss := func(weight float64) float64 {
			value, _, err := candidateLoss(objective, s, weight)
			if err != nil {
				t.Fatal(err)
			}
			return value
		}
		check := func(what string, got, above, below float64) {
			t.Helper()
			if want := (above - below) / (2 * step); math.Abs(got-want) > tolerance {
				t.Errorf("seed %d, %s: gradient at %s is %v, finite differences give %v", seed, objective, what, got, want)
			}
		}
		check("lambda", grad.SparseWeight, loss(weight+step), loss(weight-step))
		for i, value := range s.Dense {
			s.Dense[i] = value + step
			above := loss(weight)
			s.Dense[i] = value - step
			below := loss(weight)
			s.Dense[i] = value
			check(fmt.Sprint("score ", i), grad.Dense[i], above, below)
		}
	}
}
