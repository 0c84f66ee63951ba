package eval

import (
	"fmt"

	"gonum.org/v1/gonum/stat/distuv"
)

// Comparison holds two linkers' answers to the same mentions against each other,
// at 1.
type Comparison struct {
	A         string `json:"a"`
	B         string `json:"b"`
	Policy    string `json:"policy"`
	Slice     string `json:"slice"`
	Documents int    `json:"documents"`
	Both      int    `json:"both"` // mentions that both have right
	OnlyA     int    `json:"only_a"`
	OnlyB     int    `json:"only_b"`
	Neither   int    `json:"neither"`
	// Difference is the Acc@1 of A less that of B, with a paired interval: both
	// are measured on the documents drawn.
	Difference Figure `json:"difference"`
	// Bootstrap is the two-sided p of no difference over documents, McNemar that
	// of the exact test over mentions, which takes them for independent.
	Bootstrap float64 `json:"bootstrap_p"`
	McNemar   float64 `json:"mcnemar_p"`
}

// Compare compares the answers a and b within a slice. Answer i of both must be
// to the same item. The names of A and B are the caller's to fill in.
func Compare(a, b []Answer, policy Policy, slice Slice, seed uint64) (Comparison, error) {
	if len(a) != len(b) {
		return Comparison{}, fmt.Errorf("answers to %d mentions cannot be compared with answers to %d", len(a), len(b))
	}
	for i := range a {
		if a[i].Item != b[i].Item {
			return Comparison{}, fmt.Errorf("answer %d is to %q here and to %q there", i+1, a[i].Item.Query.Surface(), b[i].Item.Query.Surface())
		}
	}
	ofA, ofB := newCount(a, policy, slice), newCount(b, policy, slice)
	c := Comparison{Policy: policy.Name, Slice: slice.Name}
	differences := tallies(ofA.answers, func(i int) (float64, bool) {
		return oneIf(ofA.ranks[i] == 1) - oneIf(ofB.ranks[i] == 1), true
	})
	for i := range ofA.ranks {
		switch rightA, rightB := ofA.ranks[i] == 1, ofB.ranks[i] == 1; {
		case rightA && rightB:
			c.Both++
		case rightA:
			c.OnlyA++
		case rightB:
			c.OnlyB++
		default:
			c.Neither++
		}
	}
	c.Documents = len(differences)
	c.Difference = newFigure("Acc@1 difference", differences, seed)
	c.Bootstrap = twoSided(differences, resample(differences, seed))
	c.McNemar = mcNemar(c.OnlyA, c.OnlyB)
	return c, nil
}

// mcNemar is the exact two-sided test that a and b, counts of the mentions on
// which two linkers differ, are as likely as each other: twice the smaller tail
// of the binomial distribution with p = 1/2 (McNemar, Psychometrika 12, 1947).
func mcNemar(a, b int) float64 {
	if a == b { // none of either among them, where the distribution is not defined
		return 1
	}
	tail := distuv.Binomial{N: float64(a + b), P: .5}.CDF(float64(min(a, b)))
	return min(1, 2*tail)
}
