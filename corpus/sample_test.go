package corpus

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSample compares the sample with sorting all hashes.
func TestSample(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 7))
		s := newSample(1 + random.IntN(12))
		added := make(map[uint64]bool)
		for range random.IntN(60) {
			hash := uint64(random.IntN(40))
			added[hash] = true
			bottom := slices.Sorted(maps.Keys(added))
			bottom = bottom[:min(s.size, len(bottom))]
			s.add("flu", hash)
			for h := range uint64(40) {
				if got, want := s.contains("flu", h), slices.Contains(bottom, h); got != want {
					t.Fatalf("seed %d: contains(%d) = %v, want %v: %v", seed, h, got, want, bottom)
				}
			}
			largest, full := s.threshold("flu")
			if full != (len(bottom) == s.size) || full && largest != bottom[s.size-1] {
				t.Fatalf("seed %d: threshold is %d, %v: bottom %d of %v", seed, largest, full, s.size, bottom)
			}
		}
	}
	s := newSample(3)
	if _, full := s.threshold("gout"); full || s.contains("gout", 1) {
		t.Error("the sample of a name without hashes is not empty")
	}
}
