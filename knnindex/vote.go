package knnindex

import (
	"cmp"
	"math"
	"slices"
)

// Vote is a concept with its score and the hits that voted for it.
type Vote struct {
	Concept int32
	Score   float64
	Hits    []Hit // by descending similarity; not empty
}

// MajorityVotes returns the vote of the BioCoM paper (equation 1): each of the K hits votes
// for the concepts of its row, and
//
//	p(c) = (hits of c) / K
//
// A row with several concepts, from an ambiguous or a composite name, votes for each of them. Ties are broken by the
// similarity of the nearest hit: Score is p(c) + 1e-6 x that similarity, which cannot outweigh a vote, as 1/K exceeds
// 2e-6 for K under 500,000.
//
// hits are the result of [Index.Search], by descending similarity; concepts returns the concepts of a row. Votes are
// ordered by descending score, then by concept.
func MajorityVotes(hits []Hit, concepts func(row int32) []int32) []Vote {
	const tieBreak = 1e-6
	return votesBy(hits, concepts, func(own []Hit) float64 {
		return float64(len(own))/float64(len(hits)) + tieBreak*float64(own[0].Similarity)
	})
}

// temperature lets the nearest hit dominate unless others are nearly as similar: at 1/50 it has the weight of 14
// hits that are .053 less similar (14 x exp(-.053 x 50) = 1). It is 1/β of the Multi-Similarity loss with the paper's
// β, 50 (package contrastive trains with 60), which weights negatives by exp(β x similarity).
const temperature = 1. / 50

// WeightedVotes returns votes weighted by similarity. With s the similarity of a hit and T the temperature,
//
//	score(c) = (sum over the hits of c of exp(s/T)) / (sum over all hits of exp(s/T))
//
// Hits, concepts and the order of votes are as in [MajorityVotes].
func WeightedVotes(hits []Hit, concepts func(row int32) []int32) []Vote {
	sum := func(own []Hit) (sum float64) {
		for _, hit := range own { // minus the largest exponent, so none overflows
			sum += math.Exp((float64(hit.Similarity) - float64(hits[0].Similarity)) / temperature)
		}
		return sum
	}
	all := sum(hits)
	return votesBy(hits, concepts, func(own []Hit) float64 { return sum(own) / all })
}

// votesBy returns the votes for the concepts of hits, by descending score and then by concept.
func votesBy(hits []Hit, concepts func(row int32) []int32, score func(own []Hit) float64) []Vote {
	var votes []Vote
	indexes := make(map[int32]int)
	for _, hit := range hits {
		ofRow := concepts(hit.Row)
		for j, concept := range ofRow {
			if slices.Contains(ofRow[:j], concept) {
				continue // a duplicate does not vote again
			}
			i, known := indexes[concept]
			if !known {
				i = len(votes)
				indexes[concept] = i
				votes = append(votes, Vote{Concept: concept})
			}
			votes[i].Hits = append(votes[i].Hits, hit)
		}
	}
	for i := range votes {
		votes[i].Score = score(votes[i].Hits)
	}
	slices.SortFunc(votes, func(a, b Vote) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Concept, b.Concept))
	})
	return votes
}
