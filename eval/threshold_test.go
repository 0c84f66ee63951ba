package eval

import (
	"fmt"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

// outsideAt returns the prediction for a mention outside the set, with a candidate of probability p.
func outsideAt(p float64) Prediction {
	prediction := predictionsOf([]outcome{{p, false}})[0]
	prediction.Mention.Gold, prediction.Mention.Outside = nil, []kb.ConceptID{"X"}
	return prediction
}

// TestThresholds has four mentions in the set, with a correct candidate of .9, wrong ones of .6 and .3, and NIL; and
// two outside it, with a candidate of .5 and NIL.
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
		must.Equal(t, got, tc.want, tc.policy)
	}
}
