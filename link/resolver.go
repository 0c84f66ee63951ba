package link

import (
	"cmp"
	"context"
	"slices"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/lexical"
	"github.com/ctxnorm/ctxnorm/mine"
	"github.com/ctxnorm/ctxnorm/model"
	"github.com/ctxnorm/ctxnorm/text"
)

// MentionResolver resolves mentions before another linker links them: it expands
// abbreviations and splits composite mentions.
type MentionResolver struct {
	linker        Linker
	expandDefined bool                     // expand abbreviations that the document defines
	corpus        *corpusAbbreviations     // expands those that only the corpus defines; nil for none
	names         *model.DictionaryIndexes // splits composite mentions; nil to leave them whole
}

// NewMentionResolver returns a resolver for mentions of the model's concepts that links
// with linker. It uses three components of the set: [ComponentDocumentAbbreviations]
// expands abbreviations that the document defines, [ComponentCorpusAbbreviations] those
// that only the model's corpus defines, and [ComponentComposites] splits "breast and
// ovarian cancer" into breast cancer and ovarian cancer, unless the whole is more like a
// name of the dictionary.
func NewMentionResolver(m *model.Model, linker Linker, components Components) *MentionResolver {
	return newResolver(linker, m.DictionaryIndexes(), m.Abbreviations, components)
}

func newResolver(linker Linker, names *model.DictionaryIndexes, abbreviations *mine.AbbreviationTable, components Components) *MentionResolver {
	r := &MentionResolver{linker: linker, expandDefined: components.Has(ComponentDocumentAbbreviations)}
	if components.Has(ComponentCorpusAbbreviations) && abbreviations != nil && abbreviations.Len() > 0 {
		r.corpus = &corpusAbbreviations{abbreviations, names}
	}
	if components.Has(ComponentComposites) {
		r.names = names
	}
	return r
}

// Result is the result of linking one mention.
type Result struct {
	ResolvedText string       // the mention with its abbreviations expanded, as it was linked
	Candidates   []Candidate  // for the whole mention
	SubMentions  []SubMention // of a composite mention, in the order of its text
}

// SubMention is a sub-mention of a composite mention.
type SubMention struct {
	Text       string
	Candidates []Candidate
}

// Name implements [Linker]. It is the name of the linker behind the resolver.
func (r *MentionResolver) Name() string { return r.linker.Name() }

// Link implements [Linker]. See [MentionResolver.LinkMentions] for composite mentions.
func (r *MentionResolver) Link(ctx context.Context, queries []text.Query, k int) ([][]Candidate, error) {
	results, err := r.LinkMentions(ctx, queries, k)
	if err != nil {
		return nil, err
	}
	candidates := make([][]Candidate, len(results))
	for i := range results {
		candidates[i] = results[i].Candidates
	}
	return candidates, nil
}

// LinkMentions returns the result of each query, in order, with at most k candidates for
// the query and for each of its sub-mentions. The candidates of a composite mention are
// those of its sub-mentions, interleaved: the first of every sub-mention, the most probable
// one first, then the second of every sub-mention, and so on. Their scores have no meaning
// beyond this order.
func (r *MentionResolver) LinkMentions(ctx context.Context, queries []text.Query, k int) ([]Result, error) {
	queries = expandAbbreviations(queries, r.expandDefined, r.corpus)
	results := make([]Result, len(queries))
	var plain []text.Query // queries, or their sub-mentions
	for i := range queries {
		q := &queries[i]
		results[i].ResolvedText = q.Surface()
		texts, err := r.subMentions(q)
		if err != nil {
			return nil, err
		}
		if len(texts) == 0 {
			plain = append(plain, *q)
		}
		for _, text := range texts {
			results[i].SubMentions = append(results[i].SubMentions, SubMention{Text: text})
			plain = append(plain, q.WithSurface(text))
		}
	}
	candidates, err := r.linker.Link(ctx, plain, k)
	if err != nil {
		return nil, err
	}
	for i := range results {
		result := &results[i]
		if len(result.SubMentions) == 0 {
			result.Candidates, candidates = candidates[0], candidates[1:]
			continue
		}
		for j := range result.SubMentions {
			result.SubMentions[j].Candidates, candidates = candidates[0], candidates[1:]
		}
		result.Candidates = interleave(result.SubMentions, k)
	}
	return results, nil
}

// subMentions returns the texts of the sub-mentions of a query, and none if it is not a
// composite mention or they are not to be split.
func (r *MentionResolver) subMentions(q *text.Query) ([]string, error) {
	if r.names == nil {
		return nil, nil
	}
	return splitComposite(r.names, q.Surface())
}

// splitComposite returns the sub-mentions of a composite mention, and none for any
// other. It leaves a mention whole that is at least as similar to a name of the
// dictionary as its sub-mentions are on average: "head and neck cancer", "foot and mouth
// disease".
func splitComposite(names *model.DictionaryIndexes, surface string) ([]string, error) {
	subMentions := lexical.SplitComposite(surface)
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
func bestNameScore(index *lexical.Index, surface string) float64 {
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
func interleave(subMentions []SubMention, k int) []Candidate {
	best := make(map[kb.ConceptID]Candidate)
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
	merged := make([]Candidate, 0, len(best))
	for _, c := range best {
		merged = append(merged, c)
	}
	slices.SortFunc(merged, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Concept, b.Concept))
	})
	return merged[:min(k, len(merged))]
}
