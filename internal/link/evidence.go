package link

import (
	"cmp"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// SupportingHit is a name or context among the nearest that has a candidate's concept.
type SupportingHit struct {
	Rows *model.ExemplarIndex
	knnindex.Hit
}

// EvidenceOf returns the exemplars of hits, the most similar first.
func EvidenceOf(hits []SupportingHit) ([]linked.Evidence, error) {
	slices.SortStableFunc(hits, func(a, b SupportingHit) int { return cmp.Compare(b.Similarity, a.Similarity) })
	var evidence []linked.Evidence
	for _, hit := range hits {
		exemplars, err := hit.Rows.Exemplars()
		if err != nil {
			return nil, err
		}
		evidence = append(evidence, newEvidence(&exemplars[hit.Row], hit.Similarity))
	}
	return evidence, nil
}

// newEvidence returns an exemplar as evidence.
func newEvidence(ex *text.Exemplar, similarity float32) linked.Evidence {
	return linked.Evidence{
		PMID: ex.ID, Source: ex.Origin.String(), Text: ex.Text, Span: ex.Mention.Span,
		Similarity: float64(similarity),
	}
}
