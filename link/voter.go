package link

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ctxnorm"
	"ctxnorm/knnindex"
)

// VoteOptions say how the nearest exemplars answer.
type VoteOptions struct {
	// Mode is "count", the majority of the K nearest contexts (BioCoM, equation
	// 1), or "weighted", in which each of the K nearest weighs in by its
	// similarity.
	Mode string
	// K is how many exemplars vote; 15 in the paper.
	K int
	// Temperature of the weights exp(similarity / Temperature); not used by "count".
	Temperature float64
	// NameShare is the share of the vote, from 0 to 1, that the dictionary's bare
	// names have; the contexts have the rest. A context is compared with the
	// mention in its sentence, a name with the mention alone. The two kinds of
	// similarity are not on one scale, so each kind votes by itself first. "count"
	// asks contexts only, whatever NameShare is.
	NameShare float64
	// Evidence asks for the exemplars that voted. Those of contexts are read when the
	// first mention is linked.
	Evidence bool
}

// PaperVote is the method as published: contexts alone, counted.
func PaperVote() VoteOptions {
	return VoteOptions{Mode: "count", K: 15}
}

// DefaultVote joins contexts and names by similarity.
func DefaultVote() VoteOptions {
	return VoteOptions{Mode: "weighted", K: 15, Temperature: knnindex.DefaultTemperature, NameShare: .7}
}

func (o *VoteOptions) validate() error {
	switch {
	case o.Mode != "count" && o.Mode != "weighted":
		return fmt.Errorf("vote is %q, want count or weighted", o.Mode)
	case o.K < 1:
		return fmt.Errorf("k is %d, want at least 1", o.K)
	case o.Mode == "weighted" && !(o.Temperature > 0):
		return fmt.Errorf("temperature is %g, want more than 0", o.Temperature)
	case !(o.NameShare >= 0 && o.NameShare <= 1):
		return fmt.Errorf("share of names is %g, want 0 to 1", o.NameShare)
	}
	return nil
}

// Voter links by the vote of the nearest exemplars. The probability of a
// candidate is its share of the vote.
type Voter struct {
	model   *Model
	options VoteOptions
}

// NewVoter makes a linker of a model that has an encoder.
func NewVoter(m *Model, o VoteOptions) (*Voter, error) {
	if m.Encoder == nil {
		return nil, ErrNoVectors
	}
	if err := o.validate(); err != nil {
		return nil, err
	}
	if o.Mode == "count" {
		o.NameShare = 0
	}
	return &Voter{m, o}, nil
}

// Name says which rows vote and how.
func (v *Voter) Name() string {
	rows := "names and contexts"
	switch v.options.NameShare {
	case 0:
		rows = "contexts"
	case 1:
		rows = "names"
	}
	return rows + ", " + v.options.Mode + " vote"
}

// Link implements [ctxnorm.Linker].
func (v *Voter) Link(ctx context.Context, queries []ctxnorm.Query, k int) ([][]ctxnorm.Candidate, error) {
	var err error
	var fromContexts, fromNames [][]rankedCandidate
	if v.options.NameShare < 1 {
		if fromContexts, err = v.ask(ctx, queries, &v.model.Contexts); err != nil {
			return nil, err
		}
	}
	if v.options.NameShare > 0 {
		if fromNames, err = v.ask(ctx, bare(queries), &v.model.Names); err != nil {
			return nil, err
		}
	}
	results := make([][]ctxnorm.Candidate, len(queries))
	for i := range results {
		var candidates []rankedCandidate
		switch {
		case fromNames == nil:
			candidates = fromContexts[i]
		case fromContexts == nil:
			candidates = fromNames[i]
		default:
			candidates = joinVotes(fromNames[i], fromContexts[i], v.options.NameShare)
		}
		if results[i], err = topK(candidates, k, v.options.Evidence); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// ask lets the K rows nearest to each query vote.
func (v *Voter) ask(ctx context.Context, queries []ctxnorm.Query, rows *Rows) ([][]rankedCandidate, error) {
	_, hits, err := v.model.nearest(ctx, queries, rows, v.options.K)
	if err != nil {
		return nil, err
	}
	results := make([][]rankedCandidate, len(queries))
	for i := range hits {
		results[i] = v.count(hits[i], rows)
	}
	return results, nil
}

// count gives the candidates their votes, and as probability their share of all:
// equation 1 of the paper.
func (v *Voter) count(hits []knnindex.Hit, rows *Rows) []rankedCandidate {
	weighted := v.options.Mode == "weighted"
	var votes []knnindex.Vote[int32]
	if weighted {
		votes = knnindex.WeightedVotes(hits, rows.concepts.of, v.options.Temperature)
	} else {
		votes = knnindex.MajorityVotes(hits, rows.concepts.of)
	}
	candidates := make([]rankedCandidate, len(votes))
	for i, vote := range votes {
		c := &candidates[i]
		c.Candidate = ctxnorm.Candidate{
			Concept: v.model.Dictionary.At(int(vote.Concept)).ID, Score: vote.Score, Probability: vote.Score, Votes: len(vote.Hits),
		}
		if !weighted { // whose score also breaks ties
			c.Probability = float64(c.Votes) / float64(len(hits))
		}
		for _, hit := range vote.Hits {
			c.hits = append(c.hits, supportingHit{rows, hit})
		}
	}
	return candidates
}

// joinVotes is the mixture of two votes, names weighing share:
//
//	p(c) = share * p_names(c) + (1 - share) * p_contexts(c)
func joinVotes(names, contexts []rankedCandidate, share float64) []rankedCandidate {
	var joined []rankedCandidate
	at := make(map[ctxnorm.ConceptID]int)
	add := func(votes []rankedCandidate, weight float64) {
		for _, c := range votes {
			i, known := at[c.Concept]
			if !known {
				i = len(joined)
				at[c.Concept] = i
				joined = append(joined, rankedCandidate{Candidate: ctxnorm.Candidate{Concept: c.Concept}})
			}
			to := &joined[i]
			to.Score += weight * c.Score
			to.Probability += weight * c.Probability
			to.Votes += c.Votes
			to.hits = append(to.hits, c.hits...)
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
