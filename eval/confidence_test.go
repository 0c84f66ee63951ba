package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ctxnorm"
)

// said is an answer to a mention of concept A: right where it is A, with the
// probability p; a negative p stands for no candidate.
type said struct {
	p     float64
	right bool
}

// answersOf puts what was said into documents. A mention said to be right without
// a candidate lies outside the set.
func answersOf(documents ...[]said) []Answer {
	var answers []Answer
	for _, document := range documents {
		doc := new(ctxnorm.Document)
		for _, s := range document {
			a := Answer{Item: &Item{Query: ctxnorm.Query{Document: doc}, Gold: []ctxnorm.ConceptID{"A"}}}
			concept := ctxnorm.ConceptID("B")
			if s.right {
				concept = "A"
			}
			switch {
			case s.p >= 0:
				a.Candidates = []ctxnorm.Candidate{{Concept: concept, Probability: s.p}}
				a.Concepts = []ctxnorm.ConceptID{concept}
			case s.right:
				a.Item.Gold, a.Item.Outside = nil, []ctxnorm.ConceptID{"X"}
			}
			answers = append(answers, a)
		}
	}
	return answers
}

func confidenceOf(t *testing.T, policy string, answers []Answer) *Confidence {
	t.Helper()
	return NewResult("said", answers, mustPolicy(t, policy), nil, 1).Confidence
}

// TestConfidence has sums that are worked out here. All probabilities are sums of
// halves of halves, so that nothing is rounded.
func TestConfidence(t *testing.T) {
	for _, tc := range []struct {
		what    string
		answers []said
		want    []string
	}{
		{"a mixture", []said{{.875, true}, {.75, false}, {.75, true}, {.5, true}, {.25, false}, {-1, false}}, []string{
			// |1 - .875| + |1 - 2*.75| + |1 - .5| + |0 - .25|, each of another bin
			"ECE 1.375/5",
			"overconfidence 0.125/5", // 3.125 - 3
			// 0/1, then a right and a wrong one in either order: (0 + .5)/2 and 1/3, then 1/4, 2/5
			fmt.Sprintf("AURC %.4f/5", 0+.25+1./3+.25+.4),
			"AUROC 4.5/6",                // the wrong .75 lies below one right answer and beside one, the wrong .25 below three
			"Acc@1 at coverage .8 3.0/5", // ceil(.8 * 6) = 5, which is all of them
		}},
		{"one probability", []said{{.5, true}, {.5, false}, {.5, false}, {.5, false}}, []string{
			"ECE 1.000/4",                // |1 - 4*.5|
			"overconfidence 1.000/4",     // 2 - 1
			"AURC 3.0000/4",              // .75 wherever one stops
			"AUROC 1.5/3",                // all three pairs count half
			"Acc@1 at coverage .8 1.0/4", // ceil(3.2) = 4
		}},
		{"equal ones at the edge", append(slices.Repeat([]said{{.75, true}}, 6), said{.5, true}, said{.5, false}, said{.5, false}, said{.5, false}), []string{
			"ECE 2.500/10",             // 6*.25 + |1 - 4*.5|
			"overconfidence -0.500/10", // 6.5 - 7
			// 0 of the first six, then .75 wrong ones more each time
			fmt.Sprintf("AURC %.4f/10", .75/7+1.5/8+2.25/9+3./10),
			"AUROC 19.5/21",              // 3 wrong ones below 6 and beside 1
			"Acc@1 at coverage .8 6.5/8", // six, and two of the four of which one is right
		}},
		{"too few answers", []said{{.5, true}, {.5, true}, {.5, true}, {-1, false}}, []string{
			"ECE 1.500/3", "overconfidence -1.500/3", "AURC 0.0000/3",
			"AUROC 0.0/0",                // no wrong one to compare with
			"Acc@1 at coverage .8 0.0/0", // ceil(3.2) = 4 are wanted, 3 answered
		}},
	} {
		c := confidenceOf(t, "paper", answersOf(tc.answers))
		got := []string{fmt.Sprintf("ECE %.3f/%d", c.ECE.Numerator, c.ECE.Denominator)}
		for i, format := range []string{"%s %.3f/%d", "%s %.4f/%d", "%s %.1f/%d", "%s %.1f/%d"} {
			f := c.Figures[i]
			got = append(got, fmt.Sprintf(format, f.Name, f.Numerator, f.Denominator))
			// One document: every draw is the sample again.
			if f.Low != f.Value || f.High != f.Value {
				t.Errorf("%s: %s has the interval %s, want its value %g at both ends", tc.what, f.Name, f.Interval(), f.Value)
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.what, diff)
		}
	}
}

func TestNoProbabilities(t *testing.T) {
	for what, answers := range map[string][]said{
		"none":          {{0, true}, {0, false}, {-1, false}},
		"no candidates": {{-1, false}},
		"no answers":    nil,
	} {
		if c := confidenceOf(t, "paper", answersOf(answers)); c != nil {
			t.Errorf("%s: %+v, want nothing", what, c)
		}
	}
}

// TestBins has the ends of bins, which belong to the bin below: 3/15 is .2.
func TestBins(t *testing.T) {
	c := confidenceOf(t, "paper", answersOf([]said{{0, false}, {.05, true}, {.2, true}, {.21, false}, {.6, true}, {1, true}, {1, false}}))
	got := make(map[string]string)
	for i, b := range c.Bins {
		if b.Low != float64(i)/15 || b.High != float64(i+1)/15 {
			t.Errorf("bin %d goes from %g to %g", i, b.Low, b.High)
		}
		if b.Mentions > 0 {
			got[fmt.Sprintf("%.3f to %.3f", b.Low, b.High)] = fmt.Sprintf("%d: %.3f, %s", b.Mentions, b.Probability.Value, b.Right.Fraction())
		}
	}
	want := map[string]string{
		"0.000 to 0.067": "2: 0.025, 1/2", // (0 + .05)/2
		"0.133 to 0.200": "1: 0.200, 1/1",
		"0.200 to 0.267": "1: 0.210, 0/1",
		"0.533 to 0.600": "1: 0.600, 1/1",
		"0.933 to 1.000": "2: 1.000, 1/2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCurve(t *testing.T) {
	c := confidenceOf(t, "paper", answersOf([]said{{.25, false}, {.875, true}, {.75, false}, {.5, true}, {.75, true}, {-1, false}}))
	var got []string
	for _, p := range c.Curve {
		got = append(got, fmt.Sprintf("%g %s %s", p.MinProbability, p.Coverage.Fraction(), p.Risk.Fraction()))
	}
	want := []string{"0.875 1/6 0/1", "0.75 3/6 1/3", "0.5 4/6 1/4", "0.25 5/6 2/5"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCurveOfMany has 1,000 answers of as many probabilities, every tenth wrong:
// a hundred points, each after ten answers more.
func TestCurveOfMany(t *testing.T) {
	many := make([]said, 1000)
	for i := range many {
		many[i] = said{1 - float64(i)/1000, i%10 != 0}
	}
	curve := confidenceOf(t, "paper", answersOf(many)).Curve
	if len(curve) != 100 {
		t.Fatalf("%d points, want 100", len(curve))
	}
	for i, p := range curve {
		if covered := 10 * (i + 1); p.Coverage != newRatio(float64(covered), 1000) || p.Risk != newRatio(float64(i+1), covered) {
			t.Errorf("point %d: coverage %s, risk %s; want %d/1000 and %d/%d", i, p.Coverage.Fraction(), p.Risk.Fraction(), covered, i+1, covered)
		}
	}
}

// randomAnswers are of few probabilities, so that there are ties.
func randomAnswers(random *rand.Rand) [][]said {
	documents := make([][]said, 1+random.IntN(4))
	for i := range documents {
		for range 1 + random.IntN(5) {
			documents[i] = append(documents[i], said{float64(1+random.IntN(6)) / 8, random.IntN(3) > 0})
		}
	}
	documents[0] = append(documents[0], said{-1, random.IntN(2) > 0})
	return documents
}

// TestConfidenceAgainstDullCode takes the definitions word by word.
func TestConfidenceAgainstDullCode(t *testing.T) {
	for seed := range uint64(40) {
		documents := randomAnswers(rand.New(rand.NewPCG(seed, 2)))
		c := confidenceOf(t, "paper", answersOf(documents...))
		given := slices.DeleteFunc(slices.Concat(documents...), func(s said) bool { return s.p < 0 })
		want := []float64{dullECE(given), dullAURC(given, rand.New(rand.NewPCG(seed, 3))), dullAUROC(given)}
		got := []float64{c.ECE.Value, c.Figures[1].Value, c.Figures[2].Value}
		// AURC is drawn: 4,000 orders of risks between 0 and 1, sd at most .5/sqrt(4000) = .008.
		for i, tolerance := range []float64{1e-12, 4 * .008, 1e-12} {
			if math.Abs(want[i]-got[i]) > tolerance {
				t.Fatalf("seed %d, %v: ECE, AURC, AUROC are %v, want %v", seed, documents, got, want)
			}
		}
	}
}

func dullECE(given []said) float64 {
	error := 0.0
	for bin := range binCount {
		n, sum, right := 0., 0., 0.
		for _, s := range given {
			if s.p > float64(bin)/binCount && s.p <= float64(bin+1)/binCount {
				n++
				sum += s.p
				right += oneIf(s.right)
			}
		}
		if n > 0 {
			error += n / float64(len(given)) * math.Abs(right/n-sum/n)
		}
	}
	return error
}

// dullAURC is the mean over random orders of the answers of equal probability.
func dullAURC(given []said, random *rand.Rand) float64 {
	const orders = 4000
	sum := 0.0
	for range orders {
		random.Shuffle(len(given), func(i, j int) { given[i], given[j] = given[j], given[i] })
		slices.SortStableFunc(given, func(a, b said) int {
			if a.p > b.p {
				return -1
			}
			return int(oneIf(a.p < b.p))
		})
		wrong := 0
		for i, s := range given {
			if !s.right {
				wrong++
			}
			sum += float64(wrong) / float64(i+1) / float64(len(given))
		}
	}
	return sum / orders
}

func dullAUROC(given []said) float64 {
	pairs, ordered := 0, 0.0
	for _, right := range given {
		for _, wrong := range given {
			if !right.right || wrong.right {
				continue
			}
			pairs++
			switch {
			case right.p > wrong.p:
				ordered++
			case right.p == wrong.p:
				ordered += .5
			}
		}
	}
	if pairs == 0 {
		return 0
	}
	return ordered / float64(pairs)
}

// TestConfidenceWithoutOrder shuffles the mentions of each document: nothing may
// change, intervals included.
func TestConfidenceWithoutOrder(t *testing.T) {
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 4))
		documents := randomAnswers(random)
		want := confidenceOf(t, "all", answersOf(documents...))
		for _, d := range documents {
			random.Shuffle(len(d), func(i, j int) { d[i], d[j] = d[j], d[i] })
		}
		if diff := cmp.Diff(want, confidenceOf(t, "all", answersOf(documents...)), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Fatalf("seed %d, %v (-want +got):\n%s", seed, documents, diff)
		}
	}
}

// TestRankingAlone changes all probabilities without changing their order: AURC,
// AUROC and the accuracy at .8 stay, as does the shape of the curve.
func TestRankingAlone(t *testing.T) {
	for seed := range uint64(40) {
		documents := randomAnswers(rand.New(rand.NewPCG(seed, 5)))
		before := confidenceOf(t, "paper", answersOf(documents...))
		for _, d := range documents {
			for i := range d {
				if d[i].p > 0 {
					d[i].p *= d[i].p
				}
			}
		}
		after := confidenceOf(t, "paper", answersOf(documents...))
		if diff := cmp.Diff(before.Figures[1:], after.Figures[1:]); diff != "" {
			t.Fatalf("seed %d, %v (-before +after):\n%s", seed, documents, diff)
		}
		if diff := cmp.Diff(before.Curve, after.Curve, cmpopts.IgnoreFields(CurvePoint{}, "MinProbability")); diff != "" {
			t.Fatalf("seed %d, %v (-before +after):\n%s", seed, documents, diff)
		}
	}
}

// TestWorseAnswer makes one right answer wrong: the area under the risk cannot
// shrink, nor the accuracy at .8 grow.
func TestWorseAnswer(t *testing.T) {
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 6))
		documents := randomAnswers(random)
		before := confidenceOf(t, "paper", answersOf(documents...))
		d := documents[random.IntN(len(documents))]
		d[0].right = false
		after := confidenceOf(t, "paper", answersOf(documents...))
		if after.Figures[1].Value < before.Figures[1].Value || after.Figures[3].Value > before.Figures[3].Value+1e-12 {
			t.Fatalf("seed %d, %v: from %v to %v", seed, documents, before.Figures, after.Figures)
		}
	}
}
