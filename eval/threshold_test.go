package eval

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
)

// outsideAt returns the prediction for a mention outside the set, with a candidate of
// probability p.
func outsideAt(p float64) Prediction {
	prediction := predictionsOf([]outcome{{p, false}})[0]
	prediction.Mention.Gold, prediction.Mention.Outside = nil, []kb.ConceptID{"X"}
	return prediction
}

// TestThresholds has four mentions in the set, with a correct candidate of .9, wrong
// ones of .6 and .3, and NIL; and two outside it, with a candidate of .5 and NIL.
func TestThresholds(t *testing.T) {
	predictions := append(predictionsOf([]outcome{{.9, true}, {.6, false}, {.3, false}, {-1, false}, {-1, true}}), outsideAt(.5))
	for _, tc := range []struct {
		policy string
		want   map[float64]string // coverage, risk, Acc@1; precision, recall and F1 of NIL
	}{
		{"paper", map[float64]string{
			0:   "3/4 2/3 1/4",
			.4:  "2/4 1/2 1/4",
			.6:  "2/4 1/2 1/4", // .6 is not below .6
			.7:  "1/4 0/1 1/4",
			.9:  "1/4 0/1 1/4",
			.95: "0/4 0/0 0/4",
		}},
		{"biosyn", map[float64]string{
			0:  "3/4 2/3 1/4",
			.7: "1/4 0/1 1/4",
		}},
		{"all", map[float64]string{
			0:   "4/6 3/4 2/6, NIL 1/2 1/2 2/4", // NIL for one mention in the set and one outside
			.4:  "3/6 2/3 2/6, NIL 1/3 1/2 2/5",
			.6:  "2/6 1/2 3/6, NIL 2/4 2/2 4/6",
			.7:  "1/6 0/1 3/6, NIL 2/5 2/2 4/7",
			.95: "0/6 0/0 2/6, NIL 2/6 2/2 4/8",
		}},
	} {
		c := confidenceOf(t, tc.policy, predictions)
		got := make(map[float64]string)
		for _, row := range c.Thresholds {
			if _, wanted := tc.want[row.MinProbability]; !wanted {
				continue
			}
			cells := fmt.Sprint(row.Coverage.Fraction(), " ", row.Risk.Fraction(), " ", row.Acc1.Fraction())
			if n := row.NIL; n != nil {
				cells += fmt.Sprint(", NIL ", n.Precision.Fraction(), " ", n.Recall.Fraction(), " ", n.F1.Fraction())
			}
			got[row.MinProbability] = cells
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.policy, diff)
		}
	}
}

// TestThresholdsMonotone checks that a higher threshold never raises coverage or
// lowers NIL recall, and that each row equals the metrics of the predictions that
// remain at its threshold.
func TestThresholdsMonotone(t *testing.T) {
	policy := mustPolicy(t, "all")
	for seed := range uint64(15) {
		random := rand.New(rand.NewPCG(seed, 7))
		predictions := predictionsOf(randomOutcomes(random)...)
		for range random.IntN(5) {
			predictions = append(predictions, outsideAt(float64(1+random.IntN(6))/8))
		}
		rows := thresholds(evaluate(predictions, policy, AllMentions()), policy)
		for i, row := range rows {
			if i > 0 && (row.Coverage.Numerator > rows[i-1].Coverage.Numerator || row.NIL.Recall.Numerator < rows[i-1].NIL.Recall.Numerator) {
				t.Fatalf("seed %d: %+v after %+v", seed, row, rows[i-1])
			}
			remaining := make([]Prediction, len(predictions))
			for j, p := range predictions {
				if len(p.Candidates) > 0 && p.Candidates[0].Probability < row.MinProbability {
					p.Candidates, p.Ranked = nil, nil
				}
				remaining[j] = p
			}
			var want []string
			for _, f := range NewResult("linker", remaining, policy, nil, 1).Metrics {
				want = append(want, f.Fraction())
			}
			got := []string{
				row.Acc1.Fraction(), row.Coverage.Fraction(), row.Risk.Fraction(),
				row.NIL.Precision.Fraction(), row.NIL.Recall.Fraction(), row.NIL.F1.Fraction(),
			}
			if diff := cmp.Diff(append(want[:1:1], want[4:]...), got); diff != "" { // after Acc@1 come Acc@5, Acc@20 and MRR
				t.Fatalf("seed %d at %g (-want +got):\n%s", seed, row.MinProbability, diff)
			}
		}
	}
}
