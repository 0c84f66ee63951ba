package eval

// The ways in which a prediction can be wrong at rank 1:
//
//	candidate missing  the gold concepts that the policy wants are not among the candidates
//	ranked low         they are among the candidates, but below rank 1
//	NIL given          the mention names a concept of the set and has no candidate
//	NIL wanted         the mention names no concept of the set and has candidates
const (
	falseNIL        = "NIL given"
	noGoldCandidate = "candidate missing"
	rankedLow       = "ranked low"
	missedNIL       = "NIL wanted"
)

// failureKinds lists the failures in the order of reports.
var failureKinds = []string{noGoldCandidate, rankedLow, falseNIL, missedNIL}

// FailureCount counts the wrong predictions of one kind: a way to fail, or a [Relation].
type FailureCount struct {
	Kind     string `json:"kind"`
	Mentions int    `json:"mentions"`
	Nameless int    `json:"nameless,omitempty"` // of a relation: those whose gold concepts in the dictionary all have no name
	Total    int    `json:"of"`                 // evaluated mentions
}

// Share returns the share of evaluated mentions that are of this kind.
func (c FailureCount) Share() Ratio { return newRatio(float64(c.Mentions), c.Total) }

// failureGroup holds the predictions that fail in one way.
type failureGroup struct {
	FailureCount
	Predictions []*Prediction // in their original order
}

// groupFailures returns the predictions that are wrong at rank 1 under a policy, grouped by kind in the order of
// reports. Kinds without a failure have an empty group.
func groupFailures(predictions []Prediction, policy Policy) []failureGroup {
	return evaluate(predictions, policy, AllMentions()).failures(policy)
}

func (e evaluated) failures(policy Policy) []failureGroup {
	groups := make([]failureGroup, len(failureKinds))
	for i, kind := range failureKinds {
		g := &groups[i]
		g.Kind, g.Total = kind, len(e.predictions)
		for j, p := range e.predictions {
			if got, failed := failureOf(p, policy, e.ranks[j]); failed && got == kind {
				g.Mentions++
				g.Predictions = append(g.Predictions, p)
			}
		}
	}
	return groups
}

// failureOf returns how a prediction with this rank fails, or false if it is correct. A mention outside the set for
// which the policy accepts no prediction fails as noGoldCandidate.
func failureOf(p *Prediction, policy Policy, rank int) (string, bool) {
	switch {
	case rank == 1:
		return "", false
	case !p.Mention.InSet() && policy.NIL == NILCorrect:
		return missedNIL, true
	case !p.Mention.InSet():
		return noGoldCandidate, true
	case len(p.Candidates) == 0:
		return falseNIL, true
	case rank == 0:
		return noGoldCandidate, true
	}
	return rankedLow, true
}
