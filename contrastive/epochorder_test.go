package contrastive

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEpochOrder(t *testing.T) {
	const mentions, perBatch = 10, 4
	s := NewEpochOrder(7, "mentions", mentions, perBatch, true)
	if got := s.BatchesPerEpoch(); got != 3 {
		t.Fatalf("%d batches in an epoch, want 3", got)
	}
	var batches [][]int
	epochs := map[int][]int{}
	for number := range 9 {
		batch := s.Batch(number)
		batches = append(batches, batch)
		want := perBatch
		if number%3 == 2 {
			want = 2 // the rest of 10
		}
		if len(batch) != want {
			t.Errorf("batch %d has %d mentions, want %d", number, len(batch), want)
		}
		if got := s.epochOf(number); got != number/3 {
			t.Errorf("batch %d is in epoch %d, want %d", number, got, number/3)
		}
		epochs[number/3] = append(epochs[number/3], batch...)
	}
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	for epoch, order := range epochs {
		if diff := cmp.Diff(all, slices.Sorted(slices.Values(order))); diff != "" {
			t.Errorf("epoch %d does not have every mention once (-want +got):\n%s", epoch, diff)
		}
	}
	if slices.Equal(epochs[0], epochs[1]) {
		t.Error("two epochs have the same order")
	}
	again := NewEpochOrder(7, "mentions", mentions, perBatch, true) // in another order, as after a resume
	for number := 8; number >= 0; number-- {
		if diff := cmp.Diff(batches[number], again.Batch(number)); diff != "" {
			t.Errorf("batch %d (-first +again):\n%s", number, diff)
		}
	}
	if other := NewEpochOrder(8, "mentions", mentions, perBatch, true); slices.Equal(other.Batch(0), batches[0]) && slices.Equal(other.Batch(1), batches[1]) {
		t.Error("another seed gives the same batches")
	}
}

// Without the rest an epoch has full batches alone, of distinct samples.
func TestEpochOrderOfFullBatches(t *testing.T) {
	o := NewEpochOrder(7, "mentions", 10, 4, false)
	if got := o.BatchesPerEpoch(); got != 2 {
		t.Fatalf("%d batches in an epoch, want 2", got)
	}
	for epoch := range 3 {
		first, second := o.Batch(2*epoch), o.Batch(2*epoch+1)
		if both := slices.Compact(slices.Sorted(slices.Values(slices.Concat(first, second)))); len(first) != 4 || len(second) != 4 || len(both) != 8 {
			t.Errorf("epoch %d has the batches %v and %v, want 4 each, all different", epoch, first, second)
		}
		if a, b := o.epochOf(2*epoch), o.epochOf(2*epoch+1); a != epoch || b != epoch {
			t.Errorf("batches of epoch %d are in epochs %d and %d", epoch, a, b)
		}
	}
}
