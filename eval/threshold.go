package eval

// thresholdGrid lists the minimum probabilities that are tried.
var thresholdGrid = []float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9, .95, .99}

// ThresholdRow measures a linker that predicts NIL where its first candidate has a
// probability below MinProbability.
type ThresholdRow struct {
	MinProbability float64 `json:"min_probability"`
	Coverage       Ratio   `json:"coverage"` // mentions with a candidate, of the evaluated mentions
	Risk           Ratio   `json:"risk"`     // wrong predictions, of the mentions with a candidate
	// correct predictions, NIL where it is correct included, of the evaluated mentions
	Acc1 Ratio `json:"acc1"`
	// NIL measures how well abstaining finds the mentions outside the evaluated set. It
	// is nil if the policy does not score NIL as correct.
	NIL *NILScores `json:"nil,omitempty"`
}

// NILScores are precision, recall and F1 of NIL predictions: mentions without a
// candidate are the predicted NILs, mentions outside the evaluated set the gold ones.
type NILScores struct {
	Precision Ratio `json:"precision"` // gold NILs, of the predicted ones
	Recall    Ratio `json:"recall"`    // predicted NILs, of the gold ones
	F1        Ratio `json:"f1"`        // 2 |predicted and gold| / (|predicted| + |gold|)
}

// thresholds measures each threshold of [thresholdGrid]. A prediction without a
// candidate has none at any threshold.
func thresholds(e evaluated, policy Policy) []ThresholdRow {
	rows := make([]ThresholdRow, len(thresholdGrid))
	for i, t := range thresholdGrid {
		rows[i] = threshold(e, policy, t)
	}
	return rows
}

func threshold(e evaluated, policy Policy, minProbability float64) ThresholdRow {
	var answered, wrong, correct, abstained, outside, outsideAbstained int
	for i, p := range e.predictions {
		answers := len(p.Candidates) > 0 && p.Candidates[0].Probability >= minProbability
		rank := e.ranks[i]
		if !answers {
			rank = policy.rank(&Prediction{Mention: p.Mention})
		}
		if rank == 1 {
			correct++
		}
		switch {
		case answers && rank != 1:
			answered++
			wrong++
		case answers:
			answered++
		default:
			abstained++
		}
		if !p.Mention.InSet() {
			outside++
			if !answers {
				outsideAbstained++
			}
		}
	}
	row := ThresholdRow{
		MinProbability: minProbability,
		Coverage:       newRatio(float64(answered), len(e.predictions)),
		Risk:           newRatio(float64(wrong), answered),
		Acc1:           newRatio(float64(correct), len(e.predictions)),
	}
	if policy.NIL == NILCorrect {
		row.NIL = &NILScores{
			Precision: newRatio(float64(outsideAbstained), abstained),
			Recall:    newRatio(float64(outsideAbstained), outside),
			F1:        newRatio(float64(2*outsideAbstained), abstained+outside),
		}
	}
	return row
}
