package contrastive

import (
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

func TestEpochOrder(t *testing.T) {
	for keepRest, sizes := range map[bool][]int{true: {4, 4, 2}, false: {4, 4}} {
		orderOf := func(seed uint64) *EpochOrder { return NewEpochOrder(seed, "mentions", 10, 4, keepRest) }
		order := orderOf(7)
		if got := order.BatchesPerEpoch(); got != len(sizes) {
			t.Fatalf("%d batches in an epoch, want %d", got, len(sizes))
		}
		var batches [][]int
		var epochs [3][]int
		for number := range 3 * len(sizes) {
			batch, epoch := order.Batch(number), number/len(sizes)
			if want := sizes[number%len(sizes)]; len(batch) != want || order.epochOf(number) != epoch {
				t.Errorf("batch %d has %d mentions, in epoch %d; want %d in %d", number, len(batch), order.epochOf(number), want, epoch)
			}
			batches, epochs[epoch] = append(batches, batch), append(epochs[epoch], batch...)
		}
		for epoch, samples := range epochs {
			must.Equal(t, len(slices.Compact(slices.Sorted(slices.Values(samples)))), len(samples), "epoch", epoch,
				"has a mention twice", samples)
		}
		if slices.Equal(epochs[0], epochs[1]) || slices.Equal(orderOf(8).Batch(0), batches[0]) {
			t.Error("two epochs, or two seeds, have the same order")
		}
		again := orderOf(7)
		for number, batch := range slices.Backward(batches) { // in another order, as after a resume
			must.Equal(t, again.Batch(number), batch, "batch", number, "again")
		}
	}
}
