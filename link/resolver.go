package link

import (
	"cmp"
	"context"
	"slices"

	"ctxnorm"
	"ctxnorm/matcher"
	"ctxnorm/mine"
)

// Reading resolves mentions before another linker links them: it expands abbreviations
// and splits composite mentions.
type Reading struct {
	linker        ctxnorm.Linker
	expandDefined bool                 // expand abbreviations that the document defines
	corpus        *corpusAbbreviations // expands those that only the corpus defines; nil for none
	names         *DictionaryIndexes   // splits composite mentions; nil to leave them whole
}

// NewMentionResolver returns a resolver for mentions of the model's concepts that links
// with linker. It uses three components of the set: [PartAbbreviations] expands
// abbreviations that the document defines, [PartTable] those that only the model's corpus
// defines, and [PartComposites] splits "breast and ovarian cancer" into breast cancer and
// ovarian cancer, unless the whole is more like a name of the dictionary.
func NewMentionResolver(m *Model, linker ctxnorm.Linker, components Parts) *Reading {
	return newResolver(linker, m.DictionaryIndexes(), m.Abbreviations, components)
}

func newResolver(linker ctxnorm.Linker, names *DictionaryIndexes, abbreviations *mine.AbbreviationTable, components Parts) *Reading {
	r := &Reading{linker: linker, expandDefined: components.Has(PartAbbreviations)}
	if components.Has(PartTable) && abbreviations != nil && abbreviations.Len() > 0 {
		r.corpus = &corpusAbbreviations{abbreviations, names}
	}
	if components.Has(PartComposites) {
		r.names = names
	}
	return r
}

// Answer is the result of linking one mention.
type Answer struct {
	ReadAs     string              // the mention with its abbreviations expanded, as it was linked
	Candidates []ctxnorm.Candidate // for the whole mention
	Parts      []Part              // of a composite mention, in the order of its text
}

// Part is a sub-mention of a composite mention.
type Part struct {
	Text       string
	Candidates []ctxnorm.Candidate
}

// Name implements [ctxnorm.Linker]. It is the name of the linker behind the resolver.
func (r *Reading) Name() string { return r.linker.Name() }

// Link implements [ctxnorm.Linker]. See [Reading.Answer] for composite mentions.
func (r *Reading) Link(ctx context.Context, queries []ctxnorm.Query, k int) ([][]ctxnorm.Candidate, error) {
	answers, err := r.Answer(ctx, queries, k)
	if err != nil {
		return nil, err
	}
	results := make([][]ctxnorm.Candidate, len(answers))
	for i := range answers {
		results[i] = answers[i].Candidates
	}
	return results, nil
}

// Answer links queries, with at most k candidates for each query and each of its
// sub-mentions. The candidates of a composite mention are those of its sub-mentions,
// interleaved: the first of every sub-mention, the most probable one first, then the
// second of every sub-mention, and so on. Their scores have no meaning beyond this order.
func (r *Reading) Answer(ctx context.Context, queries []ctxnorm.Query, k int) ([]Answer, error) {
	queries = expandAbbreviations(queries, r.expandDefined, r.corpus)
	answers := make([]Answer, len(queries))
	var linked []ctxnorm.Query // queries, or their sub-mentions
	for i := range queries {
		q := &queries[i]
		answers[i].ReadAs = q.Surface()
		texts, err := r.subMentions(q)
		if err != nil {
			return nil, err
		}
		if len(texts) == 0 {
			linked = append(linked, *q)
		}
		for _, text := range texts {
			answers[i].Parts = append(answers[i].Parts, Part{Text: text})
			linked = append(linked, q.Reword(text))
		}
	}
	results, err := r.linker.Link(ctx, linked, k)
	if err != nil {
		return nil, err
	}
	for i := range answers {
		a := &answers[i]
		if len(a.Parts) == 0 {
			a.Candidates, results = results[0], results[1:]
			continue
		}
		for j := range a.Parts {
			a.Parts[j].Candidates, results = results[0], results[1:]
		}
		a.Candidates = interleave(a.Parts, k)
	}
	return answers, nil
}

// subMentions returns the texts of the sub-mentions of a query, and none if it is not a
// composite mention or they are not to be split.
func (r *Reading) subMentions(q *ctxnorm.Query) ([]string, error) {
	if r.names == nil {
		return nil, nil
	}
	return splitComposite(r.names, q.Surface())
}

// splitComposite returns the sub-mentions of a composite mention, and none for any
// other. It leaves a mention whole that is at least as similar to a name of the
// dictionary as its sub-mentions are on average: "head and neck cancer", "foot and mouth
// disease".
func splitComposite(names *DictionaryIndexes, surface string) ([]string, error) {
	subMentions := matcher.SplitComposite(surface)
	if len(subMentions) == 0 {
		return nil, nil
	}
	index, err := names.Lexical() // built for the first mention that may be composite
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for _, text := range subMentions {
		sum += bestNameScore(index, text)
	}
	if sum/float64(len(subMentions)) <= bestNameScore(index, surface) {
		return nil, nil
	}
	return subMentions, nil
}

// bestNameScore returns the lexical score of the name most similar to surface, 0 if no
// name is.
func bestNameScore(index *matcher.Lexical, surface string) float64 {
	hits := index.Search(surface, 1)
	if len(hits) == 0 {
		return 0
	}
	return hits[0].Score
}

// interleave returns the first k candidates of sub-mentions, interleaved by rank. A
// candidate at rank r of its sub-mention, counted from 0, gets the score
//
//	its probability - r
//
// so that at equal rank the most probable comes first. A concept that is a candidate of
// several sub-mentions keeps its highest score. If a linker returns no probabilities,
// its scores take their place, clipped to 0 to 1 as if they were cosines.
func interleave(subMentions []Part, k int) []ctxnorm.Candidate {
	best := make(map[ctxnorm.ConceptID]ctxnorm.Candidate)
	for _, sub := range subMentions {
		for rank, c := range sub.Candidates {
			p := c.Probability
			if p == 0 {
				p = min(max(c.Score, 0), 1)
			}
			c.Score = p - float64(rank)
			if other, known := best[c.Concept]; !known || c.Score > other.Score {
				best[c.Concept] = c
			}
		}
	}
	merged := make([]ctxnorm.Candidate, 0, len(best))
	for _, c := range best {
		merged = append(merged, c)
	}
	slices.SortFunc(merged, func(a, b ctxnorm.Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Concept, b.Concept))
	})
	return merged[:min(k, len(merged))]
}
