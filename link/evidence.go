package link

import (
	"cmp"
	"slices"

	"ctxnorm"
	"ctxnorm/knnindex"
)

// voice is a row that spoke for a candidate.
type voice struct {
	rows *Rows
	knnindex.Hit
}

// nearestFirst orders voices by similarity, equal ones as they were.
func nearestFirst(voices []voice) {
	slices.SortStableFunc(voices, func(a, b voice) int { return cmp.Compare(b.Similarity, a.Similarity) })
}

// backed is a candidate, still without evidence, and the rows that spoke for it.
type backed struct {
	ctxnorm.Candidate
	voices []voice
}

// answer gives the first k candidates, with what was said by those who spoke for them
// if evidence is asked for.
func answer(all []backed, k int, evidence bool) ([]ctxnorm.Candidate, error) {
	candidates := make([]ctxnorm.Candidate, min(k, len(all)))
	for i := range candidates {
		candidates[i] = all[i].Candidate
		if !evidence {
			continue
		}
		for _, v := range all[i].voices {
			exemplars, err := v.rows.Exemplars()
			if err != nil {
				return nil, err
			}
			candidates[i].Evidence = append(candidates[i].Evidence, ctxnorm.Evidence{Exemplar: &exemplars[v.Row], Similarity: v.Similarity})
		}
	}
	return candidates, nil
}
