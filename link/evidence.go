package link

import (
	"cmp"
	"slices"

	"ctxnorm"
	"ctxnorm/knnindex"
)

// supportingHit is a row that spoke for a candidate.
type supportingHit struct {
	rows *Rows
	knnindex.Hit
}

// sortBySimilarity orders voices by similarity, equal ones as they were.
func sortBySimilarity(voices []supportingHit) {
	slices.SortStableFunc(voices, func(a, b supportingHit) int { return cmp.Compare(b.Similarity, a.Similarity) })
}

// rankedCandidate is a candidate, still without evidence, and the rows that spoke for it.
type rankedCandidate struct {
	ctxnorm.Candidate
	hits []supportingHit
}

// topK gives the first k candidates, with what was said by those who spoke for them
// if evidence is asked for.
func topK(all []rankedCandidate, k int, evidence bool) ([]ctxnorm.Candidate, error) {
	candidates := make([]ctxnorm.Candidate, min(k, len(all)))
	for i := range candidates {
		candidates[i] = all[i].Candidate
		if !evidence {
			continue
		}
		for _, v := range all[i].hits {
			exemplars, err := v.rows.Exemplars()
			if err != nil {
				return nil, err
			}
			candidates[i].Evidence = append(candidates[i].Evidence, ctxnorm.Evidence{Exemplar: &exemplars[v.Row], Similarity: v.Similarity})
		}
	}
	return candidates, nil
}
