package knnindex

import (
	"cmp"
	"math"
	"slices"

	"ctxnorm"
)

// An exemplar of several concepts (an ambiguous or a composite name) votes for
// each of them, in both kinds of vote.

// CountVotes is the vote of the paper (BioCoM, equation 1): each of the K hits
// votes for the concepts of its exemplar, and
//
//	p(c) = (hits of c) / K
//
// Candidates of equally many votes are ordered by the similarity of their
// nearest exemplar. So that Score alone gives the order, it is p(c) + 1e-6 x that
// similarity, which is too little to outdo a vote: 1/K is more than 2e-6 for
// K under 500,000.
//
// The hits are an answer of [Index.Search], the nearest first; exemplar gives
// the exemplar of a row. Candidates come with the best score first, ties by ID.
func CountVotes(hits []Hit, exemplar func(row int32) *ctxnorm.Exemplar) []ctxnorm.Candidate {
	const tieBreak = 1e-6
	candidates := tally(hits, exemplar)
	for i := range candidates {
		c := &candidates[i]
		c.Score = float64(c.Votes)/float64(len(hits)) + tieBreak*float64(c.Evidence[0].Similarity)
	}
	return ranked(candidates)
}

// DefaultTemperature makes the nearest exemplar dominate unless others are
// nearly as near: at 1/50, it outweighs 14 others that are .053 less similar
// (14 x exp(-.053 x 50) = 1). It is 1/β of the Multi-Similarity loss that the
// encoder is trained with, which weighs its negatives by exp(β x similarity).
const DefaultTemperature = 1. / 50

// WeightedVotes is the vote by similarity: with s the similarity of a hit and T
// the temperature,
//
//	score(c) = (sum over the hits of c of exp(s/T)) / (sum over all hits of exp(s/T))
//
// A low temperature leaves the decision to the nearest exemplar, a high one
// counts heads as [CountVotes] does. 0 stands for [DefaultTemperature].
//
// Hits, exemplar and the order of candidates are as for CountVotes.
func WeightedVotes(hits []Hit, exemplar func(row int32) *ctxnorm.Exemplar, temperature float64) []ctxnorm.Candidate {
	if temperature <= 0 {
		temperature = DefaultTemperature
	}
	// The greatest exponent is taken off all, so that none overflows.
	weight := func(similarity float32) float64 {
		return math.Exp((float64(similarity) - float64(hits[0].Similarity)) / temperature)
	}
	var all float64
	for _, hit := range hits {
		all += weight(hit.Similarity)
	}
	candidates := tally(hits, exemplar)
	for i := range candidates {
		c := &candidates[i]
		for _, e := range c.Evidence {
			c.Score += weight(e.Similarity)
		}
		c.Score /= all
	}
	return ranked(candidates)
}

// tally gives each concept its evidence, in the order of the hits.
func tally(hits []Hit, exemplar func(row int32) *ctxnorm.Exemplar) []ctxnorm.Candidate {
	var candidates []ctxnorm.Candidate
	at := make(map[ctxnorm.ConceptID]int)
	for _, hit := range hits {
		ex := exemplar(hit.Row)
		for j, concept := range ex.Mention.Concepts {
			if slices.Contains(ex.Mention.Concepts[:j], concept) {
				continue // listed twice, one vote
			}
			i, known := at[concept]
			if !known {
				i = len(candidates)
				at[concept] = i
				candidates = append(candidates, ctxnorm.Candidate{Concept: concept})
			}
			c := &candidates[i]
			c.Votes++
			c.Evidence = append(c.Evidence, ctxnorm.Evidence{Exemplar: ex, Similarity: hit.Similarity})
		}
	}
	return candidates
}

// ranked orders candidates by score, then ID.
func ranked(candidates []ctxnorm.Candidate) []ctxnorm.Candidate {
	slices.SortFunc(candidates, func(a, b ctxnorm.Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Concept, b.Concept))
	})
	return candidates
}
