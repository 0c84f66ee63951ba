package link

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// VoteOptions holds the settings of a [Voter]. The zero value is not valid; start from
// paperVote or [DefaultVote].
type VoteOptions struct {
	// Mode is "count" for the majority of the K nearest contexts (BioCoM, equation 1), or
	// "weighted" for votes weighted by similarity.
	Mode string
	// K is the number of exemplars that vote, 1 or more; 15 in the paper.
	K int
	// Temperature, above 0, divides the similarity in the weight of a vote,
	// exp(similarity / Temperature). "count" does not use it.
	Temperature float64
	// NameVoteShare is the share of the vote, 0 to 1, that bare names have; contexts have the
	// rest. A name is compared with the bare mention, a context with the mention in its
	// sentence. The two kinds of similarity are not on one scale, so each kind votes
	// separately first. "count" uses contexts only and ignores NameVoteShare.
	NameVoteShare float64
	// Evidence adds the exemplars that voted for each candidate. The sentences of contexts
	// are read from the model folder for the first mention.
	Evidence bool
}

// paperVote returns the method of the paper: the majority of the 15 nearest contexts.
func paperVote() VoteOptions {
	return VoteOptions{Mode: "count", K: 15}
}

// DefaultVote returns a vote of names and contexts weighted by similarity.
func DefaultVote() VoteOptions {
	return VoteOptions{Mode: "weighted", K: 15, Temperature: knnindex.DefaultTemperature, NameVoteShare: .7}
}

// Validate reports the first field that has an impossible value.
func (o *VoteOptions) Validate() error {
	if field, value, want := o.Invalid(); field != "" {
		return fmt.Errorf("%s is %v, want %s", field, value, want)
	}
	return nil
}

// Invalid returns the first field that has an impossible value, and what it should be; "" if there is none.
func (o *VoteOptions) Invalid() (field string, value any, want string) {
	switch {
	case o.Mode != "count" && o.Mode != "weighted":
		return "Mode", strconv.Quote(o.Mode), "count or weighted"
	case o.K < 1:
		return "K", o.K, "at least 1"
	case o.Mode == "weighted" && !(o.Temperature > 0):
		return "Temperature", o.Temperature, "more than 0"
	case !(o.NameVoteShare >= 0 && o.NameVoteShare <= 1):
		return "NameVoteShare", o.NameVoteShare, "0 to 1"
	}
	return "", nil, ""
}

// Voter links mentions by the vote of the nearest exemplars. The probability of a
// candidate is its share of the vote.
type Voter struct {
	model   *model.Model
	options VoteOptions
}

// NewVoter returns the voter of a model. It returns [model.ErrNoVectors] for a model without
// an encoder, [model.ErrNoEncoder] for one whose encoder was left out, and an error for an option out
// of range.
func NewVoter(m *model.Model, o VoteOptions) (*Voter, error) {
	if err := m.CheckVectors(); err != nil {
		return nil, err
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Mode == "count" {
		o.NameVoteShare = 0
	}
	return &Voter{m, o}, nil
}

// Name says which rows vote and how, such as "names and contexts, weighted vote".
func (v *Voter) Name() string {
	rows := "names and contexts"
	switch v.options.NameVoteShare {
	case 0:
		rows = "contexts"
	case 1:
		rows = "names"
	}
	return rows + ", " + v.options.Mode + " vote"
}

// Link implements [Linker].
func (v *Voter) Link(ctx context.Context, queries []text.Query, k int) ([]Ranking, error) {
	var err error
	var fromContexts, fromNames [][]rankedCandidate
	if v.options.NameVoteShare < 1 {
		if fromContexts, err = v.vote(ctx, queries, &v.model.Contexts, &v.model.Vectors.Contexts); err != nil {
			return nil, err
		}
	}
	if v.options.NameVoteShare > 0 {
		if fromNames, err = v.vote(ctx, BareQueries(queries), &v.model.Names, &v.model.Vectors.Names); err != nil {
			return nil, err
		}
	}
	results := make([]Ranking, len(queries))
	for i := range results {
		var candidates []rankedCandidate
		switch {
		case fromNames == nil:
			candidates = fromContexts[i]
		case fromContexts == nil:
			candidates = fromNames[i]
		default:
			candidates = joinVotes(fromNames[i], fromContexts[i], v.options.NameVoteShare)
		}
		if results[i].Candidates, err = topK(candidates, k, v.options.Evidence); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// vote returns the candidates of each query by the votes of the K nearest rows.
func (v *Voter) vote(
	ctx context.Context, queries []text.Query, rows *model.ExemplarIndex, vectors *model.VectorIndex,
) ([][]rankedCandidate, error) {
	_, hits, err := v.model.Vectors.Nearest(ctx, queries, vectors, v.options.K)
	if err != nil {
		return nil, err
	}
	results := make([][]rankedCandidate, len(queries))
	for i := range hits {
		results[i] = v.count(hits[i], rows)
	}
	return results, nil
}

// count returns the candidates of one query. The probability of a candidate is its share
// of all votes: equation 1 of the paper.
func (v *Voter) count(hits []knnindex.Hit, rows *model.ExemplarIndex) []rankedCandidate {
	weighted := v.options.Mode == "weighted"
	var votes []knnindex.Vote[int32]
	if weighted {
		votes = knnindex.WeightedVotes(hits, rows.Concepts, v.options.Temperature)
	} else {
		votes = knnindex.MajorityVotes(hits, rows.Concepts)
	}
	candidates := make([]rankedCandidate, len(votes))
	for i, vote := range votes {
		c := &candidates[i]
		c.Candidate = linked.Candidate{
			Concept: v.model.Dictionary.At(int(vote.Concept)).ID, Score: vote.Score, Probability: vote.Score,
			Votes: len(vote.Hits),
		}
		if !weighted { // the score of a majority vote also breaks ties
			c.Probability = float64(c.Votes) / float64(len(hits))
		}
		for _, hit := range vote.Hits {
			c.hits = append(c.hits, supportingHit{rows, hit})
		}
	}
	return candidates
}

// joinVotes returns the mixture of the votes of names and contexts, the best first:
//
//	p(c) = share * p_names(c) + (1 - share) * p_contexts(c)
func joinVotes(names, contexts []rankedCandidate, share float64) []rankedCandidate {
	var joined []rankedCandidate
	at := make(map[kb.ConceptID]int)
	add := func(votes []rankedCandidate, weight float64) {
		for _, c := range votes {
			i, known := at[c.Concept]
			if !known {
				i = len(joined)
				at[c.Concept] = i
				joined = append(joined, rankedCandidate{Candidate: linked.Candidate{Concept: c.Concept}})
			}
			sum := &joined[i]
			sum.Score += weight * c.Score
			sum.Probability += weight * c.Probability
			sum.Votes += c.Votes
			sum.hits = append(sum.hits, c.hits...)
		}
	}
	add(names, share)
	add(contexts, 1-share)
	for i := range joined {
		sortBySimilarity(joined[i].hits)
	}
	slices.SortFunc(joined, func(a, b rankedCandidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Concept, b.Concept))
	})
	return joined
}
