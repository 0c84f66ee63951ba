package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// outcome is the prediction for a mention of concept A: a first candidate with probability p, which is A if correct is
// set. A negative p stands for NIL.
type outcome struct {
	p       float64
	correct bool
}

// predictionsOf returns the predictions with these outcomes, one document for each argument. A correct NIL is for a
// mention outside the set.
func predictionsOf(documents ...[]outcome) []Prediction {
	var predictions []Prediction
	for _, outcomes := range documents {
		doc := new(text.Document)
		for _, o := range outcomes {
			p := Prediction{Mention: &GoldMention{Query: text.Query{Document: doc}, Gold: []kb.ConceptID{"A"}}}
			concept := kb.ConceptID("B")
			if o.correct {
				concept = "A"
			}
			switch {
			case o.p >= 0:
				p.Candidates = []Candidate{{Concept: concept, Probability: o.p}}
				p.Ranked = p.Candidates
			case o.correct:
				p.Mention.Gold, p.Mention.Outside = nil, []kb.ConceptID{"X"}
			}
			predictions = append(predictions, p)
		}
	}
	return predictions
}

func confidenceOf(t *testing.T, policy string, predictions []Prediction) *Confidence {
	t.Helper()
	return NewResult("linker", predictions, mustPolicy(t, policy), nil, 1).Confidence
}

// TestConfidence compares with sums worked out here. All probabilities are multiples of 1/8, so nothing is rounded.
func TestConfidence(t *testing.T) {
	for _, tc := range []struct {
		name        string
		predictions []outcome
		want        []string
	}{
		{"a mixture", []outcome{{.875, true}, {.75, false}, {.75, true}, {.5, true}, {.25, false}, {-1, false}}, []string{
			// |1 - .875| + |1 - 2*.75| + |1 - .5| + |0 - .25|, each in a separate bin
			"ECE 1.375/5",
			"overconfidence 0.125/5", // 3.125 - 3
			// 0/1, then a correct and a wrong one in either order: (0 + .5)/2 and 1/3, then 1/4, 2/5
			fmt.Sprintf("AURC %.4f/5", 0+.25+1./3+.25+.4),
			"AUROC 4.5/6",                // the wrong .75 is below one correct prediction and equal to one, the wrong .25 is below three
			"Acc@1 at coverage .8 3.0/5", // ceil(.8 * 6) = 5, which is all of them
		}},
		{"one probability", []outcome{{.5, true}, {.5, false}, {.5, false}, {.5, false}}, []string{
			"ECE 1.000/4",                // |1 - 4*.5|
			"overconfidence 1.000/4",     // 2 - 1
			"AURC 3.0000/4",              // .75 at any coverage
			"AUROC 1.5/3",                // all three pairs count half
			"Acc@1 at coverage .8 1.0/4", // ceil(3.2) = 4
		}},
		{"equal probabilities across the 80 % mark", append(slices.Repeat([]outcome{{.75, true}}, 6), outcome{.5, true}, outcome{.5, false}, outcome{.5, false}, outcome{.5, false}), []string{
			"ECE 2.500/10",             // 6*.25 + |1 - 4*.5|
			"overconfidence -0.500/10", // 6.5 - 7
			// the first six add 0, each of the others .75 wrong predictions
			fmt.Sprintf("AURC %.4f/10", .75/7+1.5/8+2.25/9+3./10),
			"AUROC 19.5/21",              // 3 wrong ones, each below 6 and equal to 1
			"Acc@1 at coverage .8 6.5/8", // six, and two of four with one correct one
		}},
		{"too few predictions for coverage .8", []outcome{{.5, true}, {.5, true}, {.5, true}, {-1, false}}, []string{
			"ECE 1.500/3", "overconfidence -1.500/3", "AURC 0.0000/3",
			"AUROC 0.0/0",                // there is no wrong prediction
			"Acc@1 at coverage .8 0.0/0", // ceil(3.2) = 4 are needed, 3 have a candidate
		}},
	} {
		c := confidenceOf(t, "paper", predictionsOf(tc.predictions))
		got := []string{fmt.Sprintf("ECE %.3f/%d", c.ECE.Numerator, c.ECE.Denominator)}
		for i, format := range []string{"%s %.3f/%d", "%s %.4f/%d", "%s %.1f/%d", "%s %.1f/%d"} {
			f := c.Metrics[i]
			got = append(got, fmt.Sprintf(format, f.Name, f.Numerator, f.Denominator))
			// With one document every resample equals the sample.
			if f.Low != f.Value || f.High != f.Value {
				t.Errorf("%s: %s has the interval %s, want its value %g at both ends", tc.name, f.Name, f.Interval(), f.Value)
			}
		}
		must.Equal(t, got, tc.want, tc.name)
	}
}

func TestNoProbabilities(t *testing.T) {
	for name, predictions := range map[string][]outcome{
		"all 0":          {{0, true}, {0, false}, {-1, false}},
		"no candidates":  {{-1, false}},
		"no predictions": nil,
	} {
		if c := confidenceOf(t, "paper", predictionsOf(predictions)); c != nil {
			t.Errorf("%s: %+v, want nil", name, c)
		}
	}
}

// TestBins has probabilities at the ends of bins, which belong to the lower bin: .2 is 3/15.
func TestBins(t *testing.T) {
	c := confidenceOf(t, "paper", predictionsOf([]outcome{{0, false}, {.05, true}, {.2, true}, {.21, false}, {.6, true}, {1, true}, {1, false}}))
	got := make(map[string]string)
	for i, b := range c.Bins {
		if b.Low != float64(i)/15 || b.High != float64(i+1)/15 {
			t.Errorf("bin %d goes from %g to %g", i, b.Low, b.High)
		}
		if b.Mentions > 0 {
			got[fmt.Sprintf("%.3f to %.3f", b.Low, b.High)] = fmt.Sprintf("%d: %.3f, %s", b.Mentions, b.MeanProbability.Value, b.Accuracy.Fraction())
		}
	}
	want := map[string]string{
		"0.000 to 0.067": "2: 0.025, 1/2", // (0 + .05)/2
		"0.133 to 0.200": "1: 0.200, 1/1",
		"0.200 to 0.267": "1: 0.210, 0/1",
		"0.533 to 0.600": "1: 0.600, 1/1",
		"0.933 to 1.000": "2: 1.000, 1/2",
	}
	must.Equal(t, got, want)
}

func TestCurve(t *testing.T) {
	c := confidenceOf(t, "paper", predictionsOf([]outcome{{.25, false}, {.875, true}, {.75, false}, {.5, true}, {.75, true}, {-1, false}}))
	var got []string
	for _, p := range c.Curve {
		got = append(got, fmt.Sprintf("%g %s %s", p.MinProbability, p.Coverage.Fraction(), p.Risk.Fraction()))
	}
	want := []string{"0.875 1/6 0/1", "0.75 3/6 1/3", "0.5 4/6 1/4", "0.25 5/6 2/5"}
	must.Equal(t, got, want)
}

// randomOutcomes returns documents of outcomes with few different probabilities, so that there are ties.
func randomOutcomes(random *rand.Rand) [][]outcome {
	documents := make([][]outcome, 1+random.IntN(4))
	for i := range documents {
		for range 1 + random.IntN(5) {
			documents[i] = append(documents[i], outcome{float64(1+random.IntN(6)) / 8, random.IntN(3) > 0})
		}
	}
	documents[0] = append(documents[0], outcome{-1, random.IntN(2) > 0})
	return documents
}

// TestConfidenceAgainstReference compares with direct implementations of the definitions.
func TestConfidenceAgainstReference(t *testing.T) {
	for seed := range uint64(40) {
		documents := randomOutcomes(rand.New(rand.NewPCG(seed, 2)))
		c := confidenceOf(t, "paper", predictionsOf(documents...))
		given := slices.DeleteFunc(slices.Concat(documents...), func(o outcome) bool { return o.p < 0 })
		want := []float64{referenceECE(given), referenceAURC(given, rand.New(rand.NewPCG(seed, 3))), referenceAUROC(given)}
		got := []float64{c.ECE.Value, c.Metrics[1].Value, c.Metrics[2].Value}
		// referenceAURC is an estimate from 4,000 orders of risks between 0 and 1:
		// its standard error is at most .5/sqrt(4000) = .008.
		for i, tolerance := range []float64{1e-12, 4 * .008, 1e-12} {
			if math.Abs(want[i]-got[i]) > tolerance {
				t.Fatalf("seed %d, %v: ECE, AURC, AUROC are %v, want %v", seed, documents, got, want)
			}
		}
	}
}

func referenceECE(given []outcome) float64 {
	ece := 0.0
	for bin := range binCount {
		n, sum, correct := 0., 0., 0.
		for _, o := range given {
			if o.p > float64(bin)/binCount && o.p <= float64(bin+1)/binCount {
				n++
				sum += o.p
				correct += oneIf(o.correct)
			}
		}
		if n > 0 {
			ece += n / float64(len(given)) * math.Abs(correct/n-sum/n)
		}
	}
	return ece
}

// referenceAURC averages over random orders of the predictions of equal probability.
func referenceAURC(given []outcome, random *rand.Rand) float64 {
	const orders = 4000
	sum := 0.0
	for range orders {
		random.Shuffle(len(given), func(i, j int) { given[i], given[j] = given[j], given[i] })
		slices.SortStableFunc(given, func(a, b outcome) int {
			if a.p > b.p {
				return -1
			}
			return int(oneIf(a.p < b.p))
		})
		wrong := 0
		for i, o := range given {
			if !o.correct {
				wrong++
			}
			sum += float64(wrong) / float64(i+1) / float64(len(given))
		}
	}
	return sum / orders
}

func referenceAUROC(given []outcome) float64 {
	pairs, ordered := 0, 0.0
	for _, correct := range given {
		for _, wrong := range given {
			if !correct.correct || wrong.correct {
				continue
			}
			pairs++
			switch {
			case correct.p > wrong.p:
				ordered++
			case correct.p == wrong.p:
				ordered += .5
			}
		}
	}
	if pairs == 0 {
		return 0
	}
	return ordered / float64(pairs)
}
