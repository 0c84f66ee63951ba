package link

import (
	"context"
	"fmt"

	"ctxnorm"
	"ctxnorm/knnindex"
	"ctxnorm/matcher"
)

// VoteOptions say how the nearest exemplars answer.
type VoteOptions struct {
	// Mode is "count", the majority of the K nearest contexts (BioCoM, equation
	// 1), or "weighted", in which every one of the K nearest contexts and the K
	// nearest names weighs in by its similarity.
	Mode string
	// K is how many exemplars vote; 15 in the paper.
	K int
	// Temperature of the weights exp(similarity / Temperature); not used by "count".
	Temperature float64
	// Contexts and Names are the rows that vote. A context is compared with the
	// mention in its sentence, a name with the mention alone.
	Contexts, Names bool
	// Abbreviations replaces a mention by what its document defines it to stand for.
	Abbreviations bool
}

// PaperVote is the method as published: contexts alone, counted.
func PaperVote() VoteOptions {
	return VoteOptions{Mode: "count", K: 15, Contexts: true}
}

// DefaultVote joins contexts and names by similarity, abbreviations resolved.
func DefaultVote() VoteOptions {
	return VoteOptions{Mode: "weighted", K: 15, Temperature: .05, Contexts: true, Names: true, Abbreviations: true}
}

// Voter links by the vote of the nearest exemplars. The probability of a
// candidate is its share of the vote.
type Voter struct {
	model   *Model
	options VoteOptions
}

// NewVoter makes a linker of a model that has an encoder.
func NewVoter(m *Model, o VoteOptions) (*Voter, error) {
	switch {
	case m.Encoder == nil:
		return nil, ErrNoEncoder
	case o.Mode != "count" && o.Mode != "weighted":
		return nil, fmt.Errorf("vote is %q, want count or weighted", o.Mode)
	case o.K < 1:
		return nil, fmt.Errorf("k is %d, want at least 1", o.K)
	case o.Mode == "weighted" && !(o.Temperature > 0):
		return nil, fmt.Errorf("temperature is %g, want more than 0", o.Temperature)
	case !o.Contexts && !o.Names:
		return nil, fmt.Errorf("neither contexts nor names vote")
	}
	return &Voter{m, o}, nil
}

// Name says which rows vote and how.
func (v *Voter) Name() string {
	switch {
	case !v.options.Names:
		return "contexts, " + v.options.Mode + " vote"
	case !v.options.Contexts:
		return "names, " + v.options.Mode + " vote"
	}
	return "names and contexts, " + v.options.Mode + " vote"
}

// Link implements [ctxnorm.Linker].
func (v *Voter) Link(ctx context.Context, queries []ctxnorm.Query, k int) ([][]ctxnorm.Candidate, error) {
	if v.options.Abbreviations {
		queries = expandAll(queries)
	}
	hits := make([][]knnindex.Hit, len(queries))
	if v.options.Contexts {
		if err := v.search(ctx, hits, queries, &v.model.Contexts, 0); err != nil {
			return nil, err
		}
	}
	if v.options.Names {
		bare := make([]ctxnorm.Query, len(queries))
		for i := range queries {
			bare[i] = ctxnorm.NameExemplar(queries[i].Surface()).Query
		}
		if err := v.search(ctx, hits, bare, &v.model.Names, v.firstName()); err != nil {
			return nil, err
		}
	}
	results := make([][]ctxnorm.Candidate, len(queries))
	for i := range hits {
		candidates := v.count(hits[i])
		results[i] = candidates[:min(k, len(candidates))]
	}
	return results, nil
}

// firstName is the row of the first name where contexts and names are counted
// through, contexts first.
func (v *Voter) firstName() int32 { return int32(len(v.model.Contexts.Exemplars)) }

func (v *Voter) exemplar(row int32) *ctxnorm.Exemplar {
	if first := v.firstName(); row >= first {
		return v.model.Names.Exemplar(row - first)
	}
	return v.model.Contexts.Exemplar(row)
}

// search adds to hits[i] the K rows nearest to queries[i], numbered from first.
func (v *Voter) search(ctx context.Context, hits [][]knnindex.Hit, queries []ctxnorm.Query, rows *Rows, first int32) error {
	encoder := v.model.Encoder
	vectors := make([]float32, len(queries)*encoder.Dim())
	if err := encoder.Encode(ctx, vectors, queries); err != nil {
		return err
	}
	found, err := rows.Index.SearchBatch(ctx, vectors, v.options.K, 0)
	if err != nil {
		return err
	}
	for i := range found {
		for _, hit := range found[i] {
			hits[i] = append(hits[i], knnindex.Hit{Row: first + hit.Row, Similarity: hit.Similarity})
		}
	}
	return nil
}

// count gives the candidates their votes, and as probability their share of all:
// equation 1 of the paper.
func (v *Voter) count(hits []knnindex.Hit) []ctxnorm.Candidate {
	if v.options.Mode == "weighted" {
		candidates := knnindex.WeightedVotes(hits, v.exemplar, v.options.Temperature)
		for i := range candidates {
			candidates[i].Probability = candidates[i].Score
		}
		return candidates
	}
	candidates := knnindex.CountVotes(hits, v.exemplar)
	for i := range candidates {
		candidates[i].Probability = float64(candidates[i].Votes) / float64(len(hits))
	}
	return candidates
}

// expandAll replaces the mentions that their documents define as abbreviations.
// The definitions of a document are read once.
func expandAll(queries []ctxnorm.Query) []ctxnorm.Query {
	expanded := make([]ctxnorm.Query, len(queries))
	expanders := make(map[*ctxnorm.Document]*matcher.Expander)
	for i := range queries {
		doc := queries[i].Document
		expander, ok := expanders[doc]
		if !ok {
			expander = matcher.NewExpander(doc.Text)
			expanders[doc] = expander
		}
		expanded[i] = expand(&queries[i], expander)
	}
	return expanded
}

// expand is the query with its mention written out, in a sentence of its own.
func expand(q *ctxnorm.Query, expander *matcher.Expander) ctxnorm.Query {
	long, ok := expander.Expand(q.Surface())
	if !ok {
		return *q
	}
	before := q.Text[q.Sentence.Start:q.Mention.Start]
	after := q.Text[q.Mention.End:q.Sentence.End]
	shift := func(m ctxnorm.Mention) (ctxnorm.Mention, bool) {
		switch {
		case q.Sentence.Start <= m.Start && m.End <= q.Mention.Start:
			m.Start, m.End = m.Start-q.Sentence.Start, m.End-q.Sentence.Start
		case q.Mention.End <= m.Start && m.End <= q.Sentence.End:
			by := len(long) - q.Mention.Len() - q.Sentence.Start
			m.Start, m.End = m.Start+by, m.End+by
		default: // the mention itself, one that overlaps it, or one of another sentence
			return m, false
		}
		return m, true
	}
	mention := q.Mention
	mention.Span = ctxnorm.Span{Start: len(before), End: len(before) + len(long)}
	doc := &ctxnorm.Document{ID: q.ID, Text: before + long + after}
	placed := false
	for _, m := range q.Mentions {
		moved, keep := shift(m)
		if !keep {
			continue
		}
		if !placed && moved.Start > mention.Start {
			doc.Mentions, placed = append(doc.Mentions, mention), true
		}
		doc.Mentions = append(doc.Mentions, moved)
	}
	if !placed {
		doc.Mentions = append(doc.Mentions, mention)
	}
	return ctxnorm.Query{Document: doc, Mention: mention, Sentence: ctxnorm.Span{Start: 0, End: len(doc.Text)}}
}
