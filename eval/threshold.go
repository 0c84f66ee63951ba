package eval

// thresholdGrid are the least probabilities that are tried.
var thresholdGrid = []float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9, .95, .99}

// ThresholdRow is what becomes of a linker that gives no candidate where the
// first one has less than MinProbability.
type ThresholdRow struct {
	MinProbability float64 `json:"min_probability"`
	Coverage       Ratio   `json:"coverage"` // answered, of the mentions that count
	Risk           Ratio   `json:"risk"`     // wrong, of those answered
	Acc1           Ratio   `json:"acc1"`     // right, no candidate included where that is right, of the mentions that count
	// NIL says how abstaining finds the mentions outside the set; nil under a policy
	// that does not want them found.
	NIL *NILRow `json:"nil,omitempty"`
}

// NILRow holds mentions without a candidate against mentions outside the
// evaluated set.
type NILRow struct {
	Precision Ratio `json:"precision"` // outside, of those without a candidate
	Recall    Ratio `json:"recall"`    // without a candidate, of those outside
	F1        Ratio `json:"f1"`        // twice those that are both, of both counts together
}

// thresholds tries [thresholdGrid]. Answers that have no candidate to begin with
// have none at any threshold.
func thresholds(c count, policy Policy) []ThresholdRow {
	rows := make([]ThresholdRow, len(thresholdGrid))
	for i, t := range thresholdGrid {
		rows[i] = threshold(c, policy, t)
	}
	return rows
}

func threshold(c count, policy Policy, least float64) ThresholdRow {
	var answered, wrong, right, abstained, outside, both int
	for i, a := range c.answers {
		gives := len(a.Candidates) > 0 && a.Candidates[0].Probability >= least
		rank := c.ranks[i]
		if !gives {
			rank = policy.Rank(a.Item, nil)
		}
		if rank == 1 {
			right++
		}
		switch {
		case gives && rank != 1:
			answered++
			wrong++
		case gives:
			answered++
		default:
			abstained++
		}
		if !a.Item.InSet() {
			outside++
			if !gives {
				both++
			}
		}
	}
	row := ThresholdRow{
		MinProbability: least,
		Coverage:       newRatio(float64(answered), len(c.answers)),
		Risk:           newRatio(float64(wrong), answered),
		Acc1:           newRatio(float64(right), len(c.answers)),
	}
	if policy.Outside == WantNIL {
		row.NIL = &NILRow{
			Precision: newRatio(float64(both), abstained),
			Recall:    newRatio(float64(both), outside),
			F1:        newRatio(float64(2*both), abstained+outside),
		}
	}
	return row
}

// nilFigures are precision, recall and F1 of the mentions without a candidate as
// those outside the evaluated set.
func (c count) nilFigures(seed uint64) []Figure {
	outside := func(i int) bool { return !c.answers[i].Item.InSet() }
	abstained := func(i int) bool { return len(c.answers[i].Candidates) == 0 }
	precision := tallies(c.answers, func(i int) (float64, bool) { return oneIf(outside(i)), abstained(i) })
	recall := tallies(c.answers, func(i int) (float64, bool) { return oneIf(abstained(i)), outside(i) })
	f1 := make([]tally, len(precision)) // twice what is both, over both counts together
	for i := range f1 {
		f1[i] = tally{precision[i].sum + recall[i].sum, precision[i].n + recall[i].n}
	}
	return []Figure{
		newFigure("NIL precision", precision, seed),
		newFigure("NIL recall", recall, seed),
		newFigure("NIL F1", f1, seed),
	}
}
