package main

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
	"github.com/ctxnorm/ctxnorm/text"
)

// candidates are the candidates of mentions in synonym retrieval: the names of the concepts that
// have the names most similar to the mention by BM25.
type candidates struct {
	names    []text.Exemplar
	concepts int
	rowsOf   map[kb.ConceptID][]int
	ranking  *bm25
}

// newCandidates returns the candidates among names of the given number of concepts; 20 in the
// paper, section 4.2.
func newCandidates(names []text.Exemplar, concepts int) *candidates {
	words := make([][]string, len(names))
	rowsOf := make(map[kb.ConceptID][]int)
	for i := range names {
		words[i] = wordvec.Words(names[i].Surface())
		for _, id := range names[i].Mention.Concepts {
			rowsOf[id] = append(rowsOf[id], i)
		}
	}
	return &candidates{names: names, concepts: concepts, rowsOf: rowsOf, ranking: newBM25(words)}
}

// of returns the positions of a mention's candidates among the names, in order. The score of a
// concept is the highest of its names; of concepts with equal scores, the one whose
// name comes first is taken first. Names without a word of the mention have no score.
func (c *candidates) of(mention string) []int {
	scores := c.ranking.scores(wordvec.Words(mention))
	similar := slices.SortedFunc(maps.Keys(scores), func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	})
	chosen := make(map[kb.ConceptID]bool)
	var rows []int
	for _, row := range similar {
		for _, id := range c.names[row].Mention.Concepts {
			if !chosen[id] && len(chosen) < c.concepts {
				chosen[id] = true
				rows = append(rows, c.rowsOf[id]...)
			}
		}
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

// averagePrecision returns the mean of the precisions at the ranks of the relevant items, given for each
// rank whether its item is relevant. total is the number of relevant items; one that is not ranked has
// precision 0.
func averagePrecision(relevant []bool, total int) float64 {
	if total == 0 {
		return 0
	}
	found, sum := 0, 0.
	for i, is := range relevant {
		if is {
			found++
			sum += float64(found) / float64(i+1)
		}
	}
	return sum / float64(total)
}

// meanAveragePrecision returns MAP of synonym retrieval (section 4.2): the
// candidates of each mention are ranked by their cosine with the mention, and the names of its concepts are
// relevant. Candidates without a vector come last; of candidates that are equally near, the first comes
// first. Mentions whose concepts have no names do not count. The interval is by bootstrap over documents.
func meanAveragePrecision(gold *eval.Gold, c *candidates, vector vectorOf, seed uint64) eval.Metric {
	mention := func(i int) *eval.GoldMention { return &gold.Mentions[i] }
	return eval.NewMetric("MAP", eval.SumByDocument(len(gold.Mentions), mention, func(i int) eval.Sum {
		precision, included := c.averagePrecision(mention(i), vector)
		if !included {
			return eval.Sum{}
		}
		return eval.Sum{Value: precision, N: 1}
	}), seed)
}

// averagePrecision returns the average precision of a mention's candidates, and whether its concepts have names.
func (c *candidates) averagePrecision(m *eval.GoldMention, vector vectorOf) (precision float64, included bool) {
	relevant := make(map[int]bool)
	for _, id := range m.Gold {
		for _, row := range c.rowsOf[id] {
			relevant[row] = true
		}
	}
	if len(relevant) == 0 {
		return 0, false
	}
	rows := c.of(m.Query.Surface())
	similarity := make(map[int]float64, len(rows))
	own := vector(m.Query.Surface())
	for _, row := range rows {
		similarity[row] = math.Inf(-1)
		if v := vector(c.names[row].Surface()); v != nil && own != nil {
			similarity[row] = cosine(own, v)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(similarity[b], similarity[a]) })
	ranked := make([]bool, len(rows))
	for rank, row := range rows {
		ranked[rank] = relevant[row]
	}
	return averagePrecision(ranked, len(relevant)), true
}

// terms returns the terms whose vectors meanAveragePrecision asks for.
func (c *candidates) terms(gold *eval.Gold) []string {
	var terms []string
	for i := range gold.Mentions {
		surface := gold.Mentions[i].Query.Surface()
		terms = append(terms, surface)
		for _, row := range c.of(surface) {
			terms = append(terms, c.names[row].Surface())
		}
	}
	return terms
}
