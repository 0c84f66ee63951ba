package link

import (
	"context"
	"slices"

	"ctxnorm"
)

// heldOutConcepts is the share of concepts that are taken out of a model to see how
// it does on mentions of what it does not have.
const heldOutConcepts = .1

// Abstention says what becomes of the queries of a calibration where a mention is NIL
// below a least probability. A tenth of the concepts was held out, so some of the
// queries have no right answer. Each is ranked by weights that were not learnt from
// its wording.
type Abstention struct {
	Queries int            `json:"queries"`
	NIL     int            `json:"nil"` // of Queries, whose concepts were held out
	Rows    []ThresholdRow `json:"rows"`
}

// ThresholdRow is what a least probability makes of queries.
type ThresholdRow struct {
	MinProbability float64 `json:"min_probability"`
	Answered       int     `json:"answered"` // the first candidate has at least this probability
	Right          int     `json:"right"`    // of those answered
}

// thresholdSteps is the number of rows: 0, .05, ... .95.
const thresholdSteps = 20

// At is the row of the highest threshold up to least.
func (a *Abstention) At(least float64) ThresholdRow {
	row := a.Rows[0]
	for _, next := range a.Rows[1:] {
		if next.MinProbability <= least {
			row = next
		}
	}
	return row
}

// measureAbstention holds concepts out of the model and counts what the queries get of it, each
// by the weights of its fold.
func (l *trainingSet) measureAbstention(ctx context.Context, m *Model, seed uint64, crossed *[cvFolds]Weights) (*Abstention, error) {
	if len(l.queries) == 0 {
		return nil, nil
	}
	less := m.Without(func(id ctxnorm.ConceptID) bool { return isHeldOut(seed, id) })
	proposals, err := l.generate(ctx, less, AllParts)
	if err != nil {
		return nil, err
	}
	a := &Abstention{Queries: len(l.queries), Rows: make([]ThresholdRow, thresholdSteps)}
	for i := range a.Rows {
		a.Rows[i].MinProbability = float64(i) / thresholdSteps
	}
	for i := range proposals {
		right := l.goldPositions(less, i)
		if len(right) == 0 {
			a.NIL++
		}
		if len(proposals[i]) > 0 {
			best, probability := topCandidate(proposals[i], &crossed[l.cvFold(i)])
			a.count(probability, slices.Contains(right, best))
		}
	}
	return a, nil
}

// isHeldOut draws concepts by hash.
func isHeldOut(seed uint64, id ctxnorm.ConceptID) bool {
	return ctxnorm.HashUnit(seed, "held-out concept", string(id)) < heldOutConcepts
}

// count counts an answer in every row that gives it.
func (a *Abstention) count(probability float64, right bool) {
	for i := range a.Rows {
		row := &a.Rows[i]
		if probability < row.MinProbability {
			return
		}
		row.Answered++
		if right {
			row.Right++
		}
	}
}

// topCandidate is the concept that the weights rank first, with its probability. Proposals are
// ordered by concept, so of equal ones it is the first by ID.
func topCandidate(proposals []rawCandidate, w *Weights) (concept int32, probability float64) {
	scores := make([]float64, len(proposals))
	for i := range proposals {
		scores[i] = w.score(&proposals[i].features)
	}
	best := slices.Index(scores, slices.Max(scores))
	return proposals[best].concept, softmax(scores)[best]
}
