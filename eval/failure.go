package eval

// The ways in which a prediction can be wrong at rank 1:
//
//	candidate missing  the candidates lack the gold concepts that the policy requires
//	ranked low         the candidates contain them, but below rank 1
//	NIL given          the mention has a concept of the set, but no candidate
//	NIL wanted         the mention has no concept of the set, but candidates
const (
	falseNIL        = "NIL given"
	noGoldCandidate = "candidate missing"
	rankedLow       = "ranked low"
	missedNIL       = "NIL wanted"
)

// failureKinds lists the failures in the order of reports.
var failureKinds = []string{noGoldCandidate, rankedLow, falseNIL, missedNIL}

// FailureCount counts the wrong predictions of one kind: a kind of failure, or a [Relation].
type FailureCount struct {
	Kind     string `json:"kind"`
	Mentions int    `json:"mentions"`
	Nameless int    `json:"nameless,omitempty"` // for a relation: mentions with nameless gold concepts only
	Total    int    `json:"of"`                 // evaluated mentions
}

// Share returns the share of evaluated mentions of this kind.
func (c FailureCount) Share() Ratio { return newRatio(float64(c.Mentions), c.Total) }

// failureGroup holds the predictions with one kind of failure.
type failureGroup struct {
	FailureCount
	Predictions []*Prediction // in their original order
}

// failures returns the predictions that are wrong at rank 1, grouped by kind in the order of reports. The group of a
// kind may be empty.
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

// failureOf returns the kind of failure of a prediction with this rank, or false if it is correct. If the policy
// accepts no prediction for a mention outside the set, it is noGoldCandidate.
func failureOf(p *Prediction, policy Policy, rank int) (string, bool) {
	switch {
	case rank == 1:
		return "", false
	case !p.Mention.InSet() && policy.ScoresNIL:
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
