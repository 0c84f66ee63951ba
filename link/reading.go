package link

import (
	"cmp"
	"context"
	"slices"

	"ctxnorm"
	"ctxnorm/mine"
)

// Reading reads mentions as their texts mean them, and lets another linker link what
// they say: it writes abbreviations out and takes composite mentions apart.
type Reading struct {
	linker ctxnorm.Linker
	expand bool                 // abbreviations that the document defines
	table  *corpusAbbreviations // nil for none
	split  *compositeSplitter   // nil where composite mentions are left whole
}

// Reader makes readings of mentions of a dictionary's concepts. What it takes to read
// is made once for all of them, when the first mention needs it.
type Reader struct {
	table *corpusAbbreviations // nil for none
	split *compositeSplitter
}

// NewReader knows the names of dict and, if table is not nil, what short forms stand
// for beside those that documents define.
func NewReader(dict *ctxnorm.Dictionary, table *mine.AbbreviationTable) *Reader {
	r := &Reader{split: newCompositeSplitter(dict)}
	if table != nil && table.Len() > 0 {
		r.table = newCorpusAbbreviations(table, dict)
	}
	return r
}

// Reading reads mentions for a linker. Of parts it looks at three: [PartAbbreviations]
// writes out what the document defines, [PartTable] what it does not, and
// [PartComposites] takes "breast and ovarian cancer" for breast cancer and ovarian
// cancer, unless the whole is like a name of the dictionary.
func (r *Reader) Reading(linker ctxnorm.Linker, parts Parts) *Reading {
	reading := &Reading{linker: linker, expand: parts.Has(PartAbbreviations)}
	if parts.Has(PartTable) {
		reading.table = r.table
	}
	if parts.Has(PartComposites) {
		reading.split = r.split
	}
	return reading
}

// Answer is what became of a mention.
type Answer struct {
	ReadAs     string              // its text as it was linked
	Candidates []ctxnorm.Candidate // for the whole
	Parts      []Part              // of a composite mention, in the order of its text
}

// Part is a part of a composite mention.
type Part struct {
	Text       string
	Candidates []ctxnorm.Candidate
}

// Name implements [ctxnorm.Linker]: it is that of the linker that links.
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

// Answer links queries, with at most k candidates for each and for each of its
// parts. The candidates of a composite mention are those of its parts dealt out in
// turn: the first of every part, the surest part first, then the second of every
// part, and so on. Their scores say no more than this order.
func (r *Reading) Answer(ctx context.Context, queries []ctxnorm.Query, k int) ([]Answer, error) {
	queries = expandAbbreviations(queries, r.expand, r.table)
	answers := make([]Answer, len(queries))
	var asked []ctxnorm.Query // queries, or their parts
	for i := range queries {
		q := &queries[i]
		answers[i].ReadAs = q.Surface()
		parts, err := r.subMentions(q)
		if err != nil {
			return nil, err
		}
		if len(parts) == 0 {
			asked = append(asked, *q)
		}
		for _, part := range parts {
			answers[i].Parts = append(answers[i].Parts, Part{Text: part})
			asked = append(asked, q.Reword(part))
		}
	}
	results, err := r.linker.Link(ctx, asked, k)
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

func (r *Reading) subMentions(q *ctxnorm.Query) ([]string, error) {
	if r.split == nil {
		return nil, nil
	}
	return r.split.split(q.Surface())
}

// interleave gives the first k of the candidates of parts, in turn. A candidate at place
// p of its part, counted from 0, has the score
//
//	its probability - p
//
// so that in one place the surest comes first; of a concept that is in several
// parts the best counts. A linker that gives no probabilities has its scores, if
// they are cosines, in their stead.
func interleave(parts []Part, k int) []ctxnorm.Candidate {
	best := make(map[ctxnorm.ConceptID]ctxnorm.Candidate)
	for _, part := range parts {
		for place, c := range part.Candidates {
			sure := c.Probability
			if sure == 0 {
				sure = min(max(c.Score, 0), 1)
			}
			c.Score = sure - float64(place)
			if other, known := best[c.Concept]; !known || c.Score > other.Score {
				best[c.Concept] = c
			}
		}
	}
	dealt := make([]ctxnorm.Candidate, 0, len(best))
	for _, c := range best {
		dealt = append(dealt, c)
	}
	slices.SortFunc(dealt, func(a, b ctxnorm.Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Concept, b.Concept))
	})
	return dealt[:min(k, len(dealt))]
}
