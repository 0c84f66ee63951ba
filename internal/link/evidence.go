package link

import (
	"cmp"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// supportingHit is a name or context among the nearest that has a candidate's concept.
type supportingHit struct {
	rows *model.ExemplarIndex
	knnindex.Hit
}

// sortBySimilarity sorts hits by descending similarity and keeps the order of equal ones.
func sortBySimilarity(hits []supportingHit) {
	slices.SortStableFunc(hits, func(a, b supportingHit) int { return cmp.Compare(b.Similarity, a.Similarity) })
}

// rankedCandidate is a candidate without its evidence and the hits that support it.
type rankedCandidate struct {
	linked.Candidate
	hits []supportingHit
}

// topK returns the first k candidates, with the exemplars of their hits as evidence if
// evidence is set.
func topK(ranked []rankedCandidate, k int, evidence bool) ([]linked.Candidate, error) {
	candidates := make([]linked.Candidate, min(k, len(ranked)))
	for i := range candidates {
		candidates[i] = ranked[i].Candidate
		if !evidence {
			continue
		}
		for _, hit := range ranked[i].hits {
			exemplars, err := hit.rows.Exemplars()
			if err != nil {
				return nil, err
			}
			candidates[i].Evidence = append(candidates[i].Evidence, newEvidence(&exemplars[hit.Row], hit.Similarity))
		}
	}
	return candidates, nil
}

// newEvidence returns an exemplar as evidence.
func newEvidence(ex *text.Exemplar, similarity float32) linked.Evidence {
	return linked.Evidence{
		PMID: ex.ID, Source: ex.Origin.String(), Text: ex.Text, Span: ex.Mention.Span,
		Similarity: float64(similarity),
	}
}
