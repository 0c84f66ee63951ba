package main

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
