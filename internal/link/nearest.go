package link

import (
	"context"

	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// NearestNameLinker links a mention to the concepts of the names whose vectors are nearest to that of
// the bare mention: the way in which the published methods on names link. It is not calibrated: its
// scores are cosines and its probabilities are 0.
//
// A name has its concepts in the dictionary and, in a model with labels, those that annotators gave its wording: see
// [HybridLinker].
type NearestNameLinker struct {
	model *model.Model
	names *labeledNames
}

// NewNearestNameLinker returns the nearest-name linker of a model. It returns [model.ErrNoVectors] for a
// model without an encoder, and [model.ErrNoEncoder] for one whose encoder was left out.
func NewNearestNameLinker(m *model.Model) (*NearestNameLinker, error) {
	if err := m.CheckEncoder(); err != nil {
		return nil, err
	}
	if m.Encoder == nil {
		return nil, model.ErrNoVectors
	}
	if !m.HasLabels() {
		return &NearestNameLinker{m, &labeledNames{model: m}}, nil
	}
	exemplars, err := m.Names.Exemplars()
	if err != nil {
		return nil, err
	}
	return &NearestNameLinker{m, newLabeledNames(m, normalForms(exemplars))}, nil
}

// Name implements [Linker].
func (n *NearestNameLinker) Name() string { return "nearest name" }

// namesPerConcept is the number of nearest names that are searched for each candidate. Concepts of
// MEDIC have 6 names on average, and those of one concept are near each other.
const namesPerConcept = 16

// Link implements [Linker]. Concepts of one name have the same score, and come in the order of their IDs.
func (n *NearestNameLinker) Link(ctx context.Context, queries []text.Query, k int) ([]Ranking, error) {
	_, hits, err := n.model.Nearest(ctx, bareQueries(queries), &n.model.Names, namesPerConcept*k)
	if err != nil {
		return nil, err
	}
	results := make([]Ranking, len(queries))
	for i := range hits {
		seen := make(map[int32]bool)
		for _, hit := range hits[i] {
			for _, concept := range n.names.concepts(hit.Row) {
				if len(results[i].Candidates) < k && !seen[concept] {
					seen[concept] = true
					id := n.model.Dictionary.At(int(concept)).ID
					results[i].Candidates = append(results[i].Candidates, linked.Candidate{Concept: id, Score: float64(hit.Similarity)})
				}
			}
		}
	}
	return results, nil
}
