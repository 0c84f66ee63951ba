package sapbert

import (
	"context"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// Nearest returns the method that links to the concepts of the nearest names, ignoring the context, like the published
// methods on names. It is not calibrated: its scores are cosines and its probabilities are 0.
//
// A name has its concepts in the dictionary and, in a model with labels, the concepts that annotators gave to the same
// surface form: see [model.Model.LabeledConcepts].
func Nearest() link.Method {
	return link.Method{
		Name: "nearest", Summary: "nearest names, without the context", Vectors: link.VectorsRequired,
		New: func(src link.Source, _ link.MethodOptions) (link.Linker, error) {
			return &linker{src.Model, src.Model.LabeledConcepts()}, src.Model.CheckVectors()
		},
	}
}

type linker struct {
	model      *model.Model
	conceptsOf func(row int32) []int32 // see [model.Model.LabeledConcepts]
}

// Name implements [link.Linker].
func (n *linker) Name() string { return "nearest name" }

// namesPerConcept is the number of nearest names searched for each candidate. Concepts of MEDIC have 6 names on
// average, and the names of one concept are near each other.
const namesPerConcept = 16

// Link implements [link.Linker]. Concepts of one name have the same score and are ordered by ID.
func (n *linker) Link(ctx context.Context, queries []text.Query, k int) ([]link.Ranking, error) {
	_, hits, err := n.model.Vectors.Nearest(ctx, link.BareQueries(queries), &n.model.Vectors.Names, namesPerConcept*k)
	if err != nil {
		return nil, err
	}
	results := make([]link.Ranking, len(queries))
	for i := range hits {
		seen := make(map[int32]bool)
		for _, hit := range hits[i] {
			for _, concept := range n.conceptsOf(hit.Row) {
				if len(results[i].Candidates) < k && !seen[concept] {
					seen[concept] = true
					id := n.model.Dictionary.At(int(concept)).ID
					results[i].Candidates = append(results[i].Candidates,
						linked.Candidate{Concept: id, Score: float64(hit.Similarity)})
				}
			}
		}
	}
	return results, nil
}
