package eval

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
)

// outsideAt answers a mention outside the set with this probability.
func outsideAt(p float64) Answer {
	a := answersOf([]said{{p, false}})[0]
	a.Item.Gold, a.Item.Outside = nil, []ctxnorm.ConceptID{"X"}
	return a
}

// TestThresholds: of the concepts of the set .9 is right, .6 and .3 are wrong and
// one is not answered; of the mentions outside one is answered with .5 and one is
// not.
func TestThresholds(t *testing.T) {
	answers := append(answersOf([]said{{.9, true}, {.6, false}, {.3, false}, {-1, false}, {-1, true}}), outsideAt(.5))
	for _, tc := range []struct {
		policy string
		want   map[float64]string // coverage, risk, Acc@1; precision, recall and F1 of NIL
	}{
		{"paper", map[float64]string{
			0:   "3/4 2/3 1/4",
			.4:  "2/4 1/2 1/4",
			.6:  "2/4 1/2 1/4", // .6 is answered at .6
			.7:  "1/4 0/1 1/4",
			.9:  "1/4 0/1 1/4",
			.95: "0/4 0/0 0/4",
		}},
		{"biosyn", map[float64]string{
			0:  "4/6 3/4 1/6",
			.7: "1/6 0/1 1/6", // silence outside the set is not right either
		}},
		{"all", map[float64]string{
			0:   "4/6 3/4 2/6, NIL 1/2 1/2 2/4", // silent on one of each kind
			.4:  "3/6 2/3 2/6, NIL 1/3 1/2 2/5",
			.6:  "2/6 1/2 3/6, NIL 2/4 2/2 4/6",
			.7:  "1/6 0/1 3/6, NIL 2/5 2/2 4/7",
			.95: "0/6 0/0 2/6, NIL 2/6 2/2 4/8",
		}},
	} {
		c := confidenceOf(t, tc.policy, answers)
		got := make(map[float64]string)
		for _, row := range c.Thresholds {
			if _, wanted := tc.want[row.MinProbability]; !wanted {
				continue
			}
			text := fmt.Sprint(row.Coverage.Fraction(), " ", row.Risk.Fraction(), " ", row.Acc1.Fraction())
			if n := row.NIL; n != nil {
				text += fmt.Sprint(", NIL ", n.Precision.Fraction(), " ", n.Recall.Fraction(), " ", n.F1.Fraction())
			}
			got[row.MinProbability] = text
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.policy, diff)
		}
	}
}

// TestThresholdsMonotone: a higher threshold never answers more, nor finds fewer
// of the mentions outside; and each row is what the answers give that are left at
// its threshold.
func TestThresholdsMonotone(t *testing.T) {
	policy := mustPolicy(t, "all")
	for seed := range uint64(15) {
		random := rand.New(rand.NewPCG(seed, 7))
		answers := answersOf(randomAnswers(random)...)
		for range random.IntN(5) {
			answers = append(answers, outsideAt(float64(1+random.IntN(6))/8))
		}
		rows := thresholds(newCount(answers, policy, AllMentions()), policy)
		for i, row := range rows {
			if i > 0 && (row.Coverage.Numerator > rows[i-1].Coverage.Numerator || row.NIL.Recall.Numerator < rows[i-1].NIL.Recall.Numerator) {
				t.Fatalf("seed %d: %+v after %+v", seed, row, rows[i-1])
			}
			left := make([]Answer, len(answers))
			for j, a := range answers {
				if len(a.Candidates) > 0 && a.Candidates[0].Probability < row.MinProbability {
					a.Candidates, a.Concepts = nil, nil
				}
				left[j] = a
			}
			var want []string
			for _, f := range NewResult("left", left, policy, nil, 1).Figures {
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
