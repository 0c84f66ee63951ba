package contrastive

import "strconv"

// EpochOrder divides n samples into batches: an epoch is a permutation of the samples. A batch depends only on the
// seed, the kind of samples, its number and n, so training resumes without any saved state. Only one goroutine may use
// it at a time.
type EpochOrder struct {
	seed        uint64
	of          string
	n, perBatch int
	keepRest    bool

	epoch int   // the epoch of order; -1 before the first batch
	order []int // permutation of the samples
}

// NewEpochOrder returns the order of n samples in batches of perBatch, each 1 or more; of names the kind of samples.
// Samples that do not fill the last batch of an epoch form a smaller batch if keepRest is set. Otherwise they are left
// out of that epoch, and perBatch must be at most n.
func NewEpochOrder(seed uint64, of string, n, perBatch int, keepRest bool) *EpochOrder {
	return &EpochOrder{seed: seed, of: of, n: n, perBatch: perBatch, keepRest: keepRest, epoch: -1}
}

// BatchesPerEpoch returns the number of batches in an epoch.
func (o *EpochOrder) BatchesPerEpoch() int {
	if o.keepRest {
		return (o.n + o.perBatch - 1) / o.perBatch
	}
	return o.n / o.perBatch
}

// epochOf returns the epoch, counted from 0, of the batch with the given number.
func (o *EpochOrder) epochOf(number int) int { return number / o.BatchesPerEpoch() }

// Batch returns the samples of the batch with the given number, counted from 0. The slice must not be modified. The
// order of the last epoch is cached, because batches usually come in order.
func (o *EpochOrder) Batch(number int) []int {
	if epoch := o.epochOf(number); o.epoch != epoch {
		o.epoch, o.order = epoch, NewRand(o.seed, o.of, strconv.Itoa(epoch)).Perm(o.n)
	}
	start := number % o.BatchesPerEpoch() * o.perBatch
	return o.order[start:min(start+o.perBatch, o.n)]
}
