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

// newCandidates returns the candidates among names of the given number of concepts.
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

// averagePrecision returns the mean of the precisions at the ranks of the relevant items. One that is not ranked has
// precision 0.
func averagePrecision(ranked []int, relevant map[int]bool) float64 {
	found, sum := 0, 0.
	for i, row := range ranked {
		if relevant[row] {
			found++
			sum += float64(found) / float64(i+1)
		}
	}
	return sum / float64(len(relevant))
}

// meanAveragePrecision returns MAP of synonym retrieval (section 4.2): the
// candidates of each mention are ranked by their cosine with the mention, and the names of its concepts are
// relevant. Candidates without a vector come last; of candidates that are equally near, the first comes
// first. Mentions whose concepts have no names do not count. The interval is by bootstrap over documents.
func meanAveragePrecision(gold *eval.Gold, c *candidates, vector vectorOf) eval.Metric {
	mention := func(i int) *eval.GoldMention { return &gold.Mentions[i] }
	precision := func(i int) eval.Sum { return c.averagePrecision(mention(i), vector) }
	return eval.NewMetric("MAP", eval.SumByDocument(len(gold.Mentions), mention, precision), 1)
}

// averagePrecision returns the average precision of a mention's candidates, of none if its concepts have no names.
func (c *candidates) averagePrecision(m *eval.GoldMention, vector vectorOf) eval.Sum {
	relevant := make(map[int]bool)
	for _, id := range m.Gold {
		for _, row := range c.rowsOf[id] {
			relevant[row] = true
		}
	}
	if len(relevant) == 0 {
		return eval.Sum{}
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
	return eval.Sum{Value: averagePrecision(rows, relevant), N: 1}
}

// terms returns the terms that meanAveragePrecision needs vectors of.
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

// bm25 ranks short texts by Okapi BM25 (Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25
// and Beyond", 2009, equation 3.15), with k1 1.2 and b .75 and the idf of Lucene, which is never negative:
//
//	score = sum over words of the query of idf(w) · tf (k1 + 1) / (tf + k1 (1 - b + b · length / mean length))
//	idf(w) = ln(1 + (N - n(w) + ½) / (n(w) + ½))
//
// It is these few lines, and only measures retrieval; a search engine would bring some 30 modules.
type bm25 struct {
	frequencies map[string]map[int]float64 // of each word, by the row of the text
	lengths     []float64                  // in words
	mean        float64                    // length
}

const bm25K1, bm25B = 1.2, .75

// newBM25 returns the ranking of texts, given by their words.
func newBM25(texts [][]string) *bm25 {
	x := &bm25{frequencies: make(map[string]map[int]float64), lengths: make([]float64, len(texts))}
	for row, words := range texts {
		x.lengths[row] = float64(len(words))
		x.mean += float64(len(words)) / float64(len(texts))
		for _, word := range words {
			if x.frequencies[word] == nil {
				x.frequencies[word] = make(map[int]float64)
			}
			x.frequencies[word][row]++
		}
	}
	return x
}

// scores returns the score of each text that has a word of the query.
func (x *bm25) scores(query []string) map[int]float64 {
	scores := make(map[int]float64)
	for _, word := range query {
		n := float64(len(x.frequencies[word]))
		idf := math.Log1p((float64(len(x.lengths)) - n + .5) / (n + .5))
		for row, frequency := range x.frequencies[word] {
			scores[row] += idf * frequency * (bm25K1 + 1) / (frequency + bm25K1*(1-bm25B+bm25B*x.lengths[row]/x.mean))
		}
	}
	return scores
}
