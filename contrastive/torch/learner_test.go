//go:build torch

package torch

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ctxnorm/tokenizer"
)

// TestDealGroups: each group is dealt once, no worker is left without, and none has
// more than an even share and the largest group.
func TestDealGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 200 {
		inputs := make([]tokenizer.Input, 1+r.IntN(200))
		for i := range inputs {
			inputs[i].IDs = make([]int32, 3+r.IntN(90))
		}
		workers := 1 + r.IntN(5)
		groups := packFor(inputs, groupsPerWorker*workers, mustDevice(t, CPU))
		shares := dealGroups(groups, inputs, workers)
		if len(shares) != min(workers, len(groups)) {
			t.Fatalf("%d shares of %d groups for %d workers", len(shares), len(groups), workers)
		}
		var dealt []int
		sum, most, largest := 0, 0, 0
		for _, share := range shares {
			load := 0
			for _, group := range share {
				size := shapeRows(len(group)) * shapeWidth(len(inputs[group[0]].IDs))
				load, largest = load+size, max(largest, size)
				dealt = append(dealt, group...)
			}
			if load == 0 {
				t.Fatalf("a worker of %d has nothing, of %d groups", workers, len(groups))
			}
			sum, most = sum+load, max(most, load)
		}
		slices.Sort(dealt)
		for i, position := range dealt {
			if position != i {
				t.Fatalf("inputs dealt: %v, want each of %d once", dealt, len(inputs))
			}
		}
		if most > sum/len(shares)+largest {
			t.Fatalf("one of %d has %d of %d tokens, the largest group %d", len(shares), most, sum, largest)
		}
	}
}
