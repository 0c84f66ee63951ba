package papers

import (
	"cmp"
	"context"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// voter links mentions by a vote of the nearest exemplars. The probability of a candidate is its share of the vote.
type voter struct {
	model     *model.Model
	weighted  bool    // by similarity; otherwise the majority decides
	nameShare float64 // share of the bare names in the vote; contexts have the rest
	neighbors int     // number of exemplars that vote
	// evidence adds the exemplars that voted. The first mention then causes the sentences of contexts to be read.
	evidence bool
}

// Neighbors is the number of exemplars that vote in the BioCoM paper (equation 1).
const Neighbors = 15

// newVoter returns a function that makes the voter of a model. The function returns [model.ErrNoVectors] if the model
// was built without an encoder, and [model.ErrNoEncoder] if it was opened without its encoder.
func newVoter(weighted bool, nameShare float64) func(link.Source, link.MethodOptions) (link.Linker, error) {
	return func(src link.Source, o link.MethodOptions) (link.Linker, error) {
		if err := src.Model.CheckVectors(); err != nil {
			return nil, err
		}
		return &voter{src.Model, weighted, nameShare, cmp.Or(o.Neighbors, Neighbors), o.Evidence}, nil
	}
}

// Name implements [link.Linker].
func (v *voter) Name() string {
	if v.weighted {
		return "names and contexts, weighted vote"
	}
	return "contexts, count vote"
}

// ballot collects the votes for the concepts of one query.
type ballot struct {
	candidates []linked.Candidate
	hits       [][]link.SupportingHit // for each candidate
	at         map[kb.ConceptID]int
}

// Link implements [link.Linker]. Names and contexts vote separately: a name by its similarity to the bare mention, a
// context by its similarity to the mention in its sentence. The probability of a concept is
//
//	p(c) = share * p_names(c) + (1 - share) * p_contexts(c)
func (v *voter) Link(ctx context.Context, queries []text.Query, k int) ([]link.Ranking, error) {
	ballots := make([]ballot, len(queries))
	share, vectors := v.nameShare, v.model.Vectors
	if share > 0 {
		err := v.vote(ctx, ballots, link.BareQueries(queries), &v.model.Names, &vectors.Names, share)
		if err != nil {
			return nil, err
		}
	}
	if share < 1 {
		if err := v.vote(ctx, ballots, queries, &v.model.Contexts, &vectors.Contexts, 1-share); err != nil {
			return nil, err
		}
	}
	results := make([]link.Ranking, len(queries))
	for i := range ballots {
		for at, hits := range ballots[i].hits {
			if !v.evidence {
				break
			}
			var err error
			if ballots[i].candidates[at].Evidence, err = link.EvidenceOf(hits); err != nil {
				return nil, err
			}
		}
		candidates := ballots[i].candidates
		slices.SortFunc(candidates, func(a, b linked.Candidate) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Concept, b.Concept))
		})
		results[i].Candidates = candidates[:min(k, len(candidates))]
	}
	return results, nil
}

// vote adds the votes of the nearest rows to the ballots, times weight.
func (v *voter) vote(ctx context.Context, ballots []ballot, queries []text.Query, rows *model.ExemplarIndex,
	vectors *model.VectorIndex, weight float64) error {
	_, hits, err := v.model.Vectors.Nearest(ctx, queries, vectors, v.neighbors)
	if err != nil {
		return err
	}
	for i := range hits {
		if v.weighted {
			for _, vote := range knnindex.WeightedVotes(hits[i], rows.Concepts) {
				ballots[i].add(v.model.Dictionary.At(int(vote.Concept)).ID, weight*vote.Score, weight*vote.Score, rows, vote.Hits)
			}
			continue
		}
		for _, vote := range knnindex.MajorityVotes(hits[i], rows.Concepts) { // its score also breaks ties
			ballots[i].add(v.model.Dictionary.At(int(vote.Concept)).ID, weight*vote.Score,
				weight*float64(len(vote.Hits))/float64(len(hits[i])), rows, vote.Hits)
		}
	}
	return nil
}

// add adds the votes of hits for a concept.
func (b *ballot) add(concept kb.ConceptID, score, probability float64, rows *model.ExemplarIndex, hits []knnindex.Hit) {
	at, known := b.at[concept]
	if !known {
		if b.at == nil {
			b.at = make(map[kb.ConceptID]int)
		}
		at = len(b.candidates)
		b.at[concept] = at
		b.candidates, b.hits = append(b.candidates, linked.Candidate{Concept: concept}), append(b.hits, nil)
	}
	sum := &b.candidates[at]
	sum.Score, sum.Probability, sum.Votes = sum.Score+score, sum.Probability+probability, sum.Votes+len(hits)
	for _, hit := range hits {
		b.hits[at] = append(b.hits[at], link.SupportingHit{Rows: rows, Hit: hit})
	}
}
