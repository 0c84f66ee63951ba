package eval

import (
	"fmt"

	"gonum.org/v1/gonum/stat/distuv"
)

// Comparison compares the predictions of two linkers, A and B, for the same mentions at rank 1.
type Comparison struct {
	A         string `json:"a"`
	B         string `json:"b"`
	Policy    string `json:"policy"`
	Slice     string `json:"slice"`
	Documents int    `json:"documents"`
	Both      int    `json:"both"`    // mentions that both have right
	OnlyA     int    `json:"only_a"`  // mentions that only A has right
	OnlyB     int    `json:"only_b"`  // mentions that only B has right
	Neither   int    `json:"neither"` // mentions that both have wrong
	// Difference is the Acc@1 of A minus the Acc@1 of B. The interval is paired: each
	// bootstrap resample measures both linkers on the same documents.
	Difference Metric `json:"difference"`
	// Bootstrap is the two-sided p value of no difference, by bootstrap over documents.
	Bootstrap float64 `json:"bootstrap_p"`
	// McNemar is the two-sided p value of McNemar's exact test over mentions, which
	// assumes that mentions are independent.
	McNemar float64 `json:"mcnemar_p"`
}

// Compare compares the predictions a and b within a slice. a[i] and b[i] must predict the same mention, else it returns
// an error. The caller sets A and B of the result.
func Compare(a, b []Prediction, policy Policy, slice Slice, seed uint64) (Comparison, error) {
	if len(a) != len(b) {
		return Comparison{}, fmt.Errorf("cannot compare %d predictions with %d", len(a), len(b))
	}
	for i := range a {
		if a[i].Mention != b[i].Mention {
			return Comparison{},
				fmt.Errorf("cannot compare prediction %d: it is for %q on one side and for %q on the other", i+1,
					a[i].Mention.Query.Surface(), b[i].Mention.Query.Surface())
		}
	}
	evaluatedA, evaluatedB := evaluate(a, policy, slice), evaluate(b, policy, slice)
	c := Comparison{Policy: policy.Name, Slice: slice.Name}
	differences := SumByDocument(len(evaluatedA.predictions), evaluatedA.mention, func(i int) Sum {
		switch correctA, correctB := evaluatedA.ranks[i] == 1, evaluatedB.ranks[i] == 1; {
		case correctA && correctB:
			c.Both++
		case correctA:
			c.OnlyA++
			return Sum{1, 1}
		case correctB:
			c.OnlyB++
			return Sum{-1, 1}
		default:
			c.Neither++
		}
		return Sum{0, 1}
	})
	c.Documents = len(differences)
	var means []float64
	c.Difference, means = newMetric("Acc@1 difference", len(differences), seed, meanOf(differences))
	c.Bootstrap = bootstrapPValue(differences, means)
	c.McNemar = mcNemar(c.OnlyA, c.OnlyB)
	return c, nil
}

// mcNemar returns the p value of McNemar's exact two-sided test. onlyA and onlyB count the mentions that one linker
// alone has right. The p value is twice the smaller tail of the binomial distribution with p = 1/2 (McNemar,
// Psychometrika 12, 1947).
func mcNemar(onlyA, onlyB int) float64 {
	if onlyA == onlyB { // includes 0 and 0, for which the distribution is not defined
		return 1
	}
	tail := distuv.Binomial{N: float64(onlyA + onlyB), P: .5}.CDF(float64(min(onlyA, onlyB)))
	return min(1, 2*tail)
}
