package knnindex

import (
	"cmp"
	"math"
	"slices"
)

// Vote is a concept, by whatever the caller knows it, and the hits that spoke for it.
type Vote[C cmp.Ordered] struct {
	Concept C
	Score   float64
	Hits    []Hit // the nearest first; not empty
}

// A row of several concepts (an ambiguous or a composite name) votes for each of them,
// in both kinds of vote.

// MajorityVotes is the vote of the paper (BioCoM, equation 1): each of the K hits
// votes for the concepts of its row, and
//
//	p(c) = (hits of c) / K
//
// Concepts of equally many votes are ordered by the similarity of their nearest
// hit. So that Score alone gives the order, it is p(c) + 1e-6 x that similarity,
// which is too little to outdo a vote: 1/K is more than 2e-6 for K under 500,000.
//
// The hits are an answer of [Index.Search], the nearest first; concepts gives the
// concepts of a row. Votes come with the best score first, ties by concept.
func MajorityVotes[C cmp.Ordered](hits []Hit, concepts func(row int32) []C) []Vote[C] {
	const tieBreak = 1e-6
	votes := tally(hits, concepts)
	for i := range votes {
		v := &votes[i]
		v.Score = float64(len(v.Hits))/float64(len(hits)) + tieBreak*float64(v.Hits[0].Similarity)
	}
	return ranked(votes)
}

// DefaultTemperature makes the nearest hit dominate unless others are nearly as
// near: at 1/50, it outweighs 14 others that are .053 less similar
// (14 x exp(-.053 x 50) = 1). It is 1/β of the Multi-Similarity loss that the
// encoder is trained with, which weighs its negatives by exp(β x similarity).
const DefaultTemperature = 1. / 50

// WeightedVotes is the vote by similarity: with s the similarity of a hit and T
// the temperature,
//
//	score(c) = (sum over the hits of c of exp(s/T)) / (sum over all hits of exp(s/T))
//
// A low temperature leaves the decision to the nearest hit, a high one counts
// heads as [MajorityVotes] does. 0 stands for [DefaultTemperature].
//
// Hits, concepts and the order of votes are as for MajorityVotes.
func WeightedVotes[C cmp.Ordered](hits []Hit, concepts func(row int32) []C, temperature float64) []Vote[C] {
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
	votes := tally(hits, concepts)
	for i := range votes {
		v := &votes[i]
		for _, hit := range v.Hits {
			v.Score += weight(hit.Similarity)
		}
		v.Score /= all
	}
	return ranked(votes)
}

// tally gives each concept its hits, in their order.
func tally[C cmp.Ordered](hits []Hit, concepts func(row int32) []C) []Vote[C] {
	var votes []Vote[C]
	at := make(map[C]int)
	for _, hit := range hits {
		owners := concepts(hit.Row)
		for j, concept := range owners {
			if slices.Contains(owners[:j], concept) {
				continue // listed twice, one vote
			}
			i, known := at[concept]
			if !known {
				i = len(votes)
				at[concept] = i
				votes = append(votes, Vote[C]{Concept: concept})
			}
			votes[i].Hits = append(votes[i].Hits, hit)
		}
	}
	return votes
}

// ranked orders votes by score, then concept.
func ranked[C cmp.Ordered](votes []Vote[C]) []Vote[C] {
	slices.SortFunc(votes, func(a, b Vote[C]) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Concept, b.Concept))
	})
	return votes
}
