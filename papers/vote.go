package papers

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// DefaultVote returns a vote of names and contexts weighted by similarity.
func DefaultVote() link.VoteOptions {
	return link.VoteOptions{Mode: "weighted", K: 15, Temperature: knnindex.DefaultTemperature, NameVoteShare: .7}
}

// paperVote returns the vote of the BioCoM paper: the majority of the 15 nearest contexts (equation 1).
func paperVote() link.VoteOptions { return link.VoteOptions{Mode: "count", K: 15} }

// voter links mentions by the vote of the nearest exemplars. The probability of a candidate is its share of the vote.
type voter struct {
	model   *model.Model
	options link.VoteOptions
	// evidence adds the exemplars that voted. The sentences of contexts are read for the first mention.
	evidence bool
}

// newVoter returns the voter of a model. It returns [model.ErrNoVectors] for a model without an encoder,
// [model.ErrNoEncoder] for one whose encoder was left out, and an error for an option out of range.
func newVoter(m *model.Model, o link.VoteOptions, evidence bool) (*voter, error) {
	if err := m.CheckVectors(); err != nil {
		return nil, err
	}
	if field, value, want := o.Invalid(); field != "" {
		return nil, fmt.Errorf("%s is %v, want %s", field, value, want)
	}
	if o.Mode == "count" {
		o.NameVoteShare = 0
	}
	return &voter{m, o, evidence}, nil
}

// Name says which rows vote and how, such as "names and contexts, weighted vote".
func (v *voter) Name() string {
	rows := "names and contexts"
	switch v.options.NameVoteShare {
	case 0:
		rows = "contexts"
	case 1:
		rows = "names"
	}
	return rows + ", " + v.options.Mode + " vote"
}

// ballot collects the votes for the concepts of one query.
type ballot struct {
	candidates []linked.Candidate
	hits       [][]link.SupportingHit // of each candidate
	at         map[kb.ConceptID]int
}

// Link implements [link.Linker]. Names and contexts vote separately, a name by its similarity to the bare mention, a
// context by that to the mention in its sentence. The probability of a concept is
//
//	p(c) = share * p_names(c) + (1 - share) * p_contexts(c)
func (v *voter) Link(ctx context.Context, queries []text.Query, k int) ([]link.Ranking, error) {
	ballots := make([]ballot, len(queries))
	share, vectors := v.options.NameVoteShare, v.model.Vectors
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

// vote adds the votes of the K nearest rows to the ballots, times weight.
func (v *voter) vote(ctx context.Context, ballots []ballot, queries []text.Query, rows *model.ExemplarIndex,
	vectors *model.VectorIndex, weight float64) error {
	_, hits, err := v.model.Vectors.Nearest(ctx, queries, vectors, v.options.K)
	if err != nil {
		return err
	}
	for i := range hits {
		if v.options.Mode == "weighted" {
			for _, vote := range knnindex.WeightedVotes(hits[i], rows.Concepts, v.options.Temperature) {
				ballots[i].add(v.model.Dictionary.At(int(vote.Concept)).ID, weight*vote.Score, weight*vote.Score, rows, vote.Hits)
			}
			continue
		}
		for _, vote := range knnindex.MajorityVotes(hits[i], rows.Concepts) { // whose score breaks ties, too
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
