package contrastive

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

var (
	paper = MultiSimilarity{Alpha: 2, Beta: 50, Lambda: 1, Epsilon: 0.1}
	names = MultiSimilarity{Alpha: 1, Beta: 60, Lambda: 0.5, Epsilon: 0.1}
)

// pairsOf returns the pairs of rows with one concept each, named by a number.
func pairsOf(labels ...int) PairMasks {
	rows := make([]Label, len(labels))
	for i, label := range labels {
		rows[i] = LabelOf([]kb.ConceptID{kb.ConceptID(strconv.Itoa(label))})
	}
	return NewPairMasks(rows)
}

// pairList returns the pairs [row, other] of a mask.
func pairList(n int, mask []bool) [][2]int {
	pairs := [][2]int{}
	for ij, set := range mask {
		if set {
			pairs = append(pairs, [2]int{ij / n, ij % n})
		}
	}
	return pairs
}

// TestGolden compares with values of pytorch-metric-learning, written by testdata/make_golden.py.
func TestGolden(t *testing.T) {
	data := must.Get(os.ReadFile(filepath.Join("testdata", "golden.json")))
	var cases []struct {
		LossOf             MultiSimilarity `json:"loss_of"`
		Labels             []int
		D                  int
		X                  []float64
		Positive, Negative [][2]int
		Loss               float64
		Grad               []float64
	}
	must.Succeed(t, json.Unmarshal(data, &cases))
	if len(cases) < 8 {
		t.Fatalf("golden.json has %d cases, want 8 or more", len(cases))
	}
	for i, c := range cases {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			n := len(c.Labels)
			pairs := pairsOf(c.Labels...)
			unit, _, err := unitRows(c.X, n, c.D)
			must.Succeed(t, err)
			mined := c.LossOf.mine(cosines(unit, n, c.D), pairs)
			got := c
			got.Positive, got.Negative = pairList(n, mined.Positive), pairList(n, mined.Negative)
			if got.Loss, got.Grad, err = c.LossOf.ofVectors(c.X, c.D, pairs); err != nil {
				t.Fatal(err)
			}
			must.EqualBy(t, cmpopts.EquateApprox(1e-9, 1e-12), got, c, "pairs, loss and gradient of Python")
		})
	}
}

// TestLossByHand has a batch that is small enough to work out by hand.
func TestLossByHand(t *testing.T) {
	// Rows 0 and 1 have one concept, row 2 another.
	pairs := pairsOf(1, 1, 2)
	sim := []float64{
		1.0, 0.6, 0.8,
		0.6, 1.0, 0.2,
		0.8, 0.2, 1.0,
	}
	// Row 0: the positive is mined, as .6 < .8 + .1; so is the negative: .8 > .6 - .1.
	// Row 1: the positive is not mined, as .6 > .2 + .1; nor the negative: .2 < .6 - .1.
	// Row 2 has no positive, so it mines no negatives.
	mined := paper.mine(sim, pairs)
	must.Equal(t, pairList(3, mined.Positive), [][2]int{{0, 1}}, "mined positives")
	must.Equal(t, pairList(3, mined.Negative), [][2]int{{0, 2}}, "mined negatives")
	// Row 0: 1/2 log(1 + e^(-2 (.6-1))) + 1/50 log(1 + e^(50 (.8-1)))
	//      = 1/2 log(1 + e^.8)          + 1/50 log(1 + e^-10)
	// and the mean is over all three rows.
	want := (math.Log(1+math.Exp(0.8))/2 + math.Log(1+math.Exp(-10))/50) / 3
	loss, grad := paper.ofCosines(sim, pairs)
	if math.Abs(loss-want) > 1e-12 {
		t.Errorf("loss %v, want %v", loss, want)
	}
	// dL/dS_01 = -e^.8 / (1 + e^.8) / 3, dL/dS_02 = e^-10 / (1 + e^-10) / 3.
	wantGrad := make([]float64, 9)
	wantGrad[1] = -math.Exp(0.8) / (1 + math.Exp(0.8)) / 3
	wantGrad[2] = math.Exp(-10) / (1 + math.Exp(-10)) / 3
	must.EqualBy(t, cmpopts.EquateApprox(0, 1e-12), grad, wantGrad, "gradient")
}

// TestMineBoundary checks that the miner keeps a pair only strictly within the margin.
func TestMineBoundary(t *testing.T) {
	s := MultiSimilarity{Alpha: 2, Beta: 50, Lambda: 1, Epsilon: 0.25} // exact in binary
	pairs := pairsOf(1, 1, 2)
	for _, test := range []struct {
		positive, negative         float64
		wantPositive, wantNegative bool
	}{
		{0.75, 0.5, false, false}, // .75 < .5 + .25 is false
		{0.749, 0.5, true, true},
		{0.751, 0.5, false, false},
		{-0.5, 0.5, true, true},
	} {
		sim := []float64{1, test.positive, test.negative, 0, 1, 0, 0, 0, 1}
		mined := s.mine(sim, pairs)
		if mined.Positive[1] != test.wantPositive || mined.Negative[2] != test.wantNegative {
			t.Errorf("positive at %v, negative at %v: mined %v and %v, want %v and %v", test.positive, test.negative,
				mined.Positive[1], mined.Negative[2], test.wantPositive, test.wantNegative)
		}
	}
}

// referenceLoss is a direct implementation of equation 2.
func referenceLoss(s MultiSimilarity, sim []float64, pairs PairMasks) float64 {
	n := pairs.N
	total := 0.0
	for i := range n {
		lowest, highest := math.Inf(1), math.Inf(-1)
		for k := range n {
			if pairs.Positive[i*n+k] {
				lowest = math.Min(lowest, sim[i*n+k])
			}
			if pairs.Negative[i*n+k] {
				highest = math.Max(highest, sim[i*n+k])
			}
		}
		p, q := 1.0, 1.0
		for k := range n {
			x := sim[i*n+k]
			if pairs.Positive[i*n+k] && x < highest+s.Epsilon {
				p += math.Exp(-s.Alpha * (x - s.Lambda))
			}
			if pairs.Negative[i*n+k] && x > lowest-s.Epsilon {
				q += math.Exp(s.Beta * (x - s.Lambda))
			}
		}
		total += math.Log(p)/s.Alpha + math.Log(q)/s.Beta
	}
	return total / float64(n)
}

// randomBatch returns n rows of a few concepts, some ambiguous and some unknown, and their cosines.
func randomBatch(t *testing.T, random *rand.Rand, n, d int) (x, sim []float64, pairs PairMasks) {
	labels := make([]Label, n)
	for i := range labels {
		var concepts []kb.ConceptID
		for range random.IntN(3) {
			concepts = append(concepts, kb.ConceptID(strconv.Itoa(random.IntN(4))))
		}
		labels[i] = LabelOf(concepts)
		if len(concepts) > 1 && random.IntN(2) == 0 {
			labels[i].Concept = concepts[0]
		}
	}
	x = make([]float64, n*d)
	for i := range x {
		x[i] = random.NormFloat64()
	}
	unit, _, err := unitRows(x, n, d)
	must.Succeed(t, err)
	return x, cosines(unit, n, d), NewPairMasks(labels)
}

func TestLossRandom(t *testing.T) {
	const seed = 5
	random := rand.New(rand.NewPCG(seed, 0))
	for round := range 200 {
		_, sim, pairs := randomBatch(t, random, 2+random.IntN(12), 2+random.IntN(6))
		for _, s := range []MultiSimilarity{paper, names} {
			want := referenceLoss(s, sim, pairs)
			if got, _ := s.ofCosines(sim, pairs); math.Abs(got-want) > 1e-12*math.Max(1, want) {
				t.Fatalf("seed %d round %d %+v: loss %v, want %v", seed, round, s, got, want)
			}
		}
	}
}

// TestLossStable has sums that overflow a float64. The logarithm of such a sum is its largest exponent: with alpha =
// beta = 1000, lambda 0, S = 1 for the negative and -1 for the positive, 1/1000 log(1 + e^1000) = 1 for each of them.
func TestLossStable(t *testing.T) {
	s := MultiSimilarity{Alpha: 1000, Beta: 1000, Lambda: 0, Epsilon: 0.1}
	sim := []float64{1, -1, 1, -1, 1, 1, 1, 1, 1}
	loss, grad := s.ofCosines(sim, pairsOf(1, 1, 2))
	// Rows 0 and 1 have a positive and a negative, row 2 has no positive.
	if want := (2.0 + 2.0) / 3; math.Abs(loss-want) > 1e-12 {
		t.Errorf("loss %v, want %v", loss, want)
	}
	third := 1.0 / 3
	want := []float64{0, -third, third, -third, 0, third, 0, 0, 0}
	must.EqualBy(t, cmpopts.EquateApprox(0, 1e-12), grad, want, "gradient")
}

func TestLossOfVectorsErrors(t *testing.T) {
	pairs := pairsOf(1, 1)
	for _, test := range []struct {
		x    []float64
		want string
	}{
		{[]float64{1, 2, 3}, "loss: x has 3 numbers, want 2 rows of 2"},
		{[]float64{1, 2, 0, 0}, "loss: row 1 has length 0, want a finite length above 0"},
		{[]float64{math.NaN(), 2, 0, 1}, "row 0 has length NaN"},
		{[]float64{1, 1, math.Inf(1), 0}, "row 1 has length +Inf"},
	} {
		if _, _, err := paper.ofVectors(test.x, 2, pairs); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: error %v, want %s", test.x, err, test.want)
		}
	}
	if loss, grad := paper.ofCosines(nil, NewPairMasks(nil)); loss != 0 || len(grad) != 0 {
		t.Errorf("loss %v and gradient %v of no rows, want 0 and an empty one", loss, grad)
	}
}

// TestTripletMining compares the mined pairs with the triplets, one by one: a pair is mined if it is in a triplet with
// a negative less than the margin farther away than its positive.
func TestTripletMining(t *testing.T) {
	const seed, d = 8, 4
	random := rand.New(rand.NewPCG(seed, 0))
	loss := MultiSimilarity{Alpha: 1, Beta: 60, Lambda: .5, TripletMargin: .2}
	for round := range 200 {
		n := 2 + random.IntN(9)
		_, sim, pairs := randomBatch(t, random, n, d)
		distance := func(i, j int) float64 { return math.Sqrt(math.Max(0, 2-2*sim[i*n+j])) }
		want := PairMasks{N: n, Positive: make([]bool, n*n), Negative: make([]bool, n*n)}
		for a := range n {
			for p := range n {
				for q := range n {
					if pairs.Positive[a*n+p] && pairs.Negative[a*n+q] && distance(a, q)-distance(a, p) < loss.TripletMargin {
						want.Positive[a*n+p], want.Negative[a*n+q] = true, true
					}
				}
			}
		}
		if diff := cmp.Diff(want, loss.mine(sim, pairs)); diff != "" {
			t.Fatalf("seed %d round %d (-triplets +mined):\n%s", seed, round, diff)
		}
	}
}
