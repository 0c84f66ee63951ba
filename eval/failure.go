package eval

// Failure is a way to miss at 1.
type Failure string

const (
	GaveNIL   Failure = "NIL given"         // no candidate, to a mention that names a concept of the set
	NotFound  Failure = "candidate missing" // what is wanted is not among the candidates, all of it
	RankedLow Failure = "ranked low"        // it is, but not in the first place
	NotNIL    Failure = "NIL wanted"        // candidates, to a mention outside the set
)

// failureKinds is their order in reports.
var failureKinds = []Failure{NotFound, RankedLow, GaveNIL, NotNIL}

// FailureRow is how often a linker failed in one way.
type FailureRow struct {
	Kind     Failure `json:"kind"`
	Mentions int     `json:"mentions"`
	Of       int     `json:"of"` // mentions that count
}

// failureOf is the way an answer of this rank fails, and false where it is right.
// A mention outside the set that no answer is right for counts as missing.
func failureOf(a *Answer, policy Policy, rank int) (Failure, bool) {
	switch {
	case rank == 1:
		return "", false
	case !a.Item.InSet() && policy.Outside == WantNIL:
		return NotNIL, true
	case !a.Item.InSet():
		return NotFound, true
	case len(a.Candidates) == 0:
		return GaveNIL, true
	case rank == 0:
		return NotFound, true
	}
	return RankedLow, true
}

func failures(c count, policy Policy) []FailureRow {
	rows := make([]FailureRow, len(failureKinds))
	for i, kind := range failureKinds {
		rows[i] = FailureRow{kind, 0, len(c.answers)}
		for j, a := range c.answers {
			if got, failed := failureOf(a, policy, c.ranks[j]); failed && got == kind {
				rows[i].Mentions++
			}
		}
	}
	return rows
}
