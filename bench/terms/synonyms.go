package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
	"github.com/ctxnorm/ctxnorm/text"
)

// ks are the numbers of nearest names of meanCoverage.
var ks = []int{1, 5, 10, 20}

// measureSynonyms returns the mean coverage of the names of a dictionary and, unless gold is nil, the mean
// average precision of synonym retrieval for its mentions.
func (o *options) measureSynonyms(ctx context.Context, names []text.Exemplar, gold *eval.Gold,
	vectors func(context.Context, []string) (vectorOf, error)) ([]eval.Metric, error) {
	sample := sampleSynonyms(names, o.Concepts, uint64(o.Seed))
	if len(sample) == 0 {
		return nil, errors.New("no concept has two names")
	}
	var terms []string
	for i := range sample {
		terms = append(terms, sample[i].Surface())
	}
	var retrieved *candidates
	if gold != nil {
		retrieved = newCandidates(names, o.Candidates)
		terms = append(terms, retrieved.terms(gold)...)
	}
	vector, err := vectors(ctx, terms)
	if err != nil {
		return nil, err
	}
	metrics, err := meanCoverage(ctx, sample, vector, ks, uint64(o.Seed))
	if gold != nil && err == nil {
		metrics = append(metrics, meanAveragePrecision(gold, retrieved, vector, uint64(o.Seed)))
	}
	return metrics, err
}

// sampleSynonyms returns the names of a number of concepts, in the order of names. Concepts with fewer than
// two names have no synonyms and are not sampled; if there are not as many others, all of them are. The
// choice depends on the seed and the ids.
func sampleSynonyms(names []text.Exemplar, concepts int, seed uint64) []text.Exemplar {
	var ids []kb.ConceptID
	for id, rows := range rowsByConcept(names) {
		if len(rows) > 1 {
			ids = append(ids, id)
		}
	}
	hash := func(id kb.ConceptID) uint64 { return sampling.Hash(seed, "synonyms", string(id)) }
	slices.SortFunc(ids, func(a, b kb.ConceptID) int {
		return cmp.Or(cmp.Compare(hash(a), hash(b)), cmp.Compare(a, b))
	})
	sampled := make(map[kb.ConceptID]bool)
	for _, id := range ids[:min(concepts, len(ids))] {
		sampled[id] = true
	}
	return slices.DeleteFunc(slices.Clone(names), func(name text.Exemplar) bool {
		return !slices.ContainsFunc(name.Mention.Concepts, func(id kb.ConceptID) bool { return sampled[id] })
	})
}

// rowsByConcept returns the positions of each concept's names, in order.
func rowsByConcept(names []text.Exemplar) map[kb.ConceptID][]int {
	rows := make(map[kb.ConceptID][]int)
	for i := range names {
		for _, id := range names[i].Mention.Concepts {
			rows[id] = append(rows[id], i)
		}
	}
	return rows
}

// meanCoverage returns the mean coverage of synonyms at each k (section 4.1). The coverage of a name is the
// fraction of its synonyms that are among its k nearest other names by cosine, 0 to 1. Its synonyms are
// the other names that have a concept in common with it. A name without a vector has and is no neighbor.
// Names without synonyms do not count. The intervals are by bootstrap over concepts.
func meanCoverage(
	ctx context.Context, names []text.Exemplar, vector vectorOf, ks []int, seed uint64,
) ([]eval.Metric, error) {
	rowsOf := rowsByConcept(names)
	neighbors, err := nearestNames(ctx, names, vector, slices.Max(ks))
	if err != nil {
		return nil, err
	}
	sums := make([][]eval.Sum, len(ks))   // of each k and concept
	concept := make(map[kb.ConceptID]int) // number of a concept with a name that counts
	for i := range names {
		synonyms := make(map[int]bool)
		for _, id := range names[i].Mention.Concepts {
			for _, j := range rowsOf[id] {
				synonyms[j] = true
			}
		}
		delete(synonyms, i)
		if len(synonyms) == 0 {
			continue
		}
		first := names[i].Mention.Concepts[0]
		number, known := concept[first]
		if !known {
			number = len(concept)
			concept[first] = number
			for k := range sums {
				sums[k] = append(sums[k], eval.Sum{})
			}
		}
		for at, k := range ks {
			found := 0
			for _, j := range neighbors[i][:min(k, len(neighbors[i]))] {
				if synonyms[j] {
					found++
				}
			}
			sums[at][number].Value += float64(found) / float64(len(synonyms))
			sums[at][number].N++
		}
	}
	metrics := make([]eval.Metric, len(ks))
	for at, k := range ks {
		metrics[at] = eval.NewMetric(fmt.Sprintf("coverage at %d", k), sums[at], seed)
	}
	return metrics, nil
}

// nearestNames returns the k nearest other names of each name, the nearest first. Of names that are equally
// near the first comes first.
func nearestNames(ctx context.Context, names []text.Exemplar, vector vectorOf, k int) ([][]int, error) {
	var rows []int // of the names with a vector
	vectors := &knnindex.Vectors{}
	for i := range names {
		if unit := unitVector(vector(names[i].Surface())); unit != nil {
			rows, vectors.Dim, vectors.Data = append(rows, i), len(unit), append(vectors.Data, unit...)
		}
	}
	neighbors := make([][]int, len(names))
	if len(rows) == 0 {
		return neighbors, nil
	}
	k = min(k, len(rows)-1)
	hits, err := knnindex.NewFlat(vectors).SearchBatch(ctx, vectors.Data, k+1, 0) // one of them is the name itself
	if err != nil {
		return nil, err
	}
	for at, row := range rows {
		for _, hit := range hits[at] {
			if int(hit.Row) != at && len(neighbors[row]) < k {
				neighbors[row] = append(neighbors[row], rows[hit.Row])
			}
		}
	}
	return neighbors, nil
}

// unitVector returns a vector scaled to unit length, or nil if it is nil or zero.
func unitVector(v []float32) []float32 {
	sum := 0.
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return nil
	}
	unit := make([]float32, len(v))
	for i, x := range v {
		unit[i] = float32(float64(x) / math.Sqrt(sum))
	}
	return unit
}

// candidates are the candidates of mentions in synonym retrieval: the names of the concepts that
// have the names most similar to the mention by BM25.
type candidates struct {
	names    []text.Exemplar
	concepts int
	rowsOf   map[kb.ConceptID][]int
	ranking  *bm25
	known    map[string][]int // candidates of mentions asked for
}

// newCandidates returns the candidates among names of the given number of concepts; 20 in the
// paper, section 4.2.
func newCandidates(names []text.Exemplar, concepts int) *candidates {
	words := make([][]string, len(names))
	for i := range names {
		words[i] = wordvec.Words(names[i].Surface())
	}
	return &candidates{
		names: names, concepts: concepts, rowsOf: rowsByConcept(names),
		ranking: newBM25(words), known: make(map[string][]int),
	}
}

// of returns the positions of a mention's candidates among the names, in order. The slice must not be
// modified. The score of a concept is the highest of its names; of concepts with one score, that of the
// first name is taken first. Names without a word of the mention have no score.
func (c *candidates) of(mention string) []int {
	rows, known := c.known[mention]
	if !known {
		rows = c.find(mention)
		c.known[mention] = rows
	}
	return rows
}

func (c *candidates) find(mention string) []int {
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
	return eval.NewMetric("MAP", eval.SumByDocument(len(gold.Mentions), mention, func(i int) (float64, bool) {
		return c.averagePrecision(mention(i), vector)
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
	rows := slices.Clone(c.of(m.Query.Surface()))
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
