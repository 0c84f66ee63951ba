package main

import "slices"

// spread is what a number of measurements come to.
type spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// spreadOf is the spread of one value or more; of an even number the median is the
// mean of the middle two.
func spreadOf(values []float64) spread {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	median := sorted[middle]
	if len(sorted)%2 == 0 {
		median = (sorted[middle-1] + sorted[middle]) / 2
	}
	return spread{median, sorted[0], sorted[len(sorted)-1]}
}

// ratios are how many times better ours did than the peer in each round: rates are
// better when higher, times when lower. All of them are above 0.
func ratios(ours, peer []float64, lowerIsBetter bool) []float64 {
	if lowerIsBetter {
		ours, peer = peer, ours
	}
	found := make([]float64, len(ours))
	for i := range ours {
		found[i] = ours[i] / peer[i]
	}
	return found
}
